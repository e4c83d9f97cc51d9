// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/device_communicator.hpp"

#include <cstddef>
#include <exception>
#include <span>
#include <utility>

namespace parallax {
namespace {

/// Samples and their place among the messages.
template <class T>
struct Block {
    int rank;
    View<T> samples;
    std::int64_t at;
};

class DeviceExchange final : public HaloExchange {
public:
    DeviceExchange(Communicator& communicator, RankDevice& device, const std::vector<HaloSend>& sends,
                   const std::vector<HaloReceive>& receives)
        : communicator_(communicator), exceptions_(std::uncaught_exceptions()) {
        const int rank = communicator.rank();
        std::int64_t samples = 0;
        std::vector<View<const float>> toSelf;
        std::vector<View<float>> fromSelf;
        for (const HaloSend& s : sends) {
            if (s.to == rank) toSelf.push_back(s.samples);
            else sends_.push_back({s.to, s.samples, std::exchange(samples, samples + s.samples.shape.samples())});
        }
        for (const HaloReceive& r : receives) {
            if (r.from == rank) fromSelf.push_back(r.samples);
            else receives_.push_back({r.from, r.samples, std::exchange(samples, samples + r.samples.shape.samples())});
        }
        bool agree = toSelf.size() == fromSelf.size();
        for (std::size_t i = 0; agree && i < toSelf.size(); ++i) agree = toSelf[i].shape == fromSelf[i].shape;
        if (!agree) throw Error(ErrorCode::failed, "A part disagrees with itself on the samples that it exchanges");
        copies_ = device.startCopies();
        if (samples > 0) messages_ = copies_->messages(samples);
        for (const Block<const float>& s : sends_) copies_->toMessage(s.samples, messages_ + s.at);
        for (std::size_t i = 0; i < toSelf.size(); ++i) copies_->copy(toSelf[i], fromSelf[i]);
    }
    ~DeviceExchange() override {
        // An error on its way is the one to report.
        if (!finished_ && std::uncaught_exceptions() == exceptions_)
            communicator_.cancel(Error(ErrorCode::failed, "A part has left an exchange unfinished"));
    }
    DeviceExchange(const DeviceExchange&) = delete;
    DeviceExchange& operator=(const DeviceExchange&) = delete;

    void finish() override {
        if (finished_) return;
        if (messages_) {
            copies_->waitForMessages();
            communicator_.startExchange(sent(), received())->finish();
        }
        for (const Block<float>& r : receives_) copies_->fromMessage(messages_ + r.at, r.samples);
        copies_->finish();
        finished_ = true;
    }

private:
    /// As a single row: one message.
    static Shape rowOf(const Shape& shape) { return {shape.samples(), 1, 1, 1}; }
    std::vector<HaloSend> sent() const {
        std::vector<HaloSend> all;
        for (const Block<const float>& s : sends_)
            all.push_back({s.rank, denseView<const float>(messages_ + s.at, rowOf(s.samples.shape))});
        return all;
    }
    std::vector<HaloReceive> received() const {
        std::vector<HaloReceive> all;
        for (const Block<float>& r : receives_) all.push_back({r.rank, denseView(messages_ + r.at, rowOf(r.samples.shape))});
        return all;
    }

    Communicator& communicator_;
    std::vector<Block<const float>> sends_;
    std::vector<Block<float>> receives_;
    std::unique_ptr<RankCopies> copies_;
    float* messages_ = nullptr;
    int exceptions_;
    bool finished_ = false;
};

}  // namespace

std::unique_ptr<HaloExchange> DeviceCommunicator::startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) {
    auto exchange = std::make_unique<DeviceExchange>(inner_, device_, sends, receives);
    if (mode_ == ExchangeMode::blocking) exchange->finish();
    return exchange;
}

}  // namespace parallax
