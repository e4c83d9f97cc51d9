// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/peer_transport.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu/parallel/peer_access.hpp"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kCopyFailed = "Samples could not be copied between CUDA devices";

void waitFor(cudaStream_t stream, const Event& event) { check(cudaStreamWaitEvent(stream, event.get()), kCopyFailed); }

/// Where the stream of a part was when its exchange began, and the copies that other parts have made of its samples since then.
class StreamMoment final : public SampleTransport::Moment {
public:
    StreamMoment(int rank, cudaStream_t stream) : rank_(rank) { begun_.record(stream); }
    int rank() const { return rank_; }
    const Event& begun() const { return begun_; }
    void add(std::shared_ptr<Event> copied) {
        const std::scoped_lock lock(mutex_);
        copies_.push_back(std::move(copied));
    }
    std::vector<std::shared_ptr<Event>> copies() {
        const std::scoped_lock lock(mutex_);
        return copies_;
    }
    bool receives = false;  ///< the part has received something

private:
    int rank_;
    Event begun_{Event::Kind::ordering};
    std::mutex mutex_;
    std::vector<std::shared_ptr<Event>> copies_;
};

/// Each part receives in a stream of its own, so that its kernels run on meanwhile and the copies do not wait for their end.
class PeerTransport final : public SampleTransport {
public:
    explicit PeerTransport(std::span<CudaSession* const> sessions) {
        std::vector<int> devices;
        for (CudaSession* const session : sessions) {
            devices.push_back(session->device());
            parts_.push_back({session, std::make_unique<Stream>(session->device(), Stream::Priority::high)});
        }
        refusal_ = whyNoPeerAccess(devices);
        if (refusal_.empty()) enablePeerAccess(devices);
    }

    std::shared_ptr<Moment> start(int rank) override {
        const CudaSession& session = *of(rank).session;
        const CurrentDevice current(session.device());
        return std::make_shared<StreamMoment>(rank, session.stream());
    }

    void copy(Moment& sender, const View<const float>& from, Moment& receiver, const View<float>& to) override {
        auto& sent = static_cast<StreamMoment&>(sender);
        auto& received = static_cast<StreamMoment&>(receiver);
        if (from.rowStride != from.shape.width || to.rowStride != to.shape.width)
            throw Error(ErrorCode::failed, "Only rows without gaps can be copied between devices");
        const int source = of(sent.rank()).session->device();
        const Part& part = of(received.rank());
        const CurrentDevice current(part.session->device());
        const cudaStream_t stream = part.copies->get();
        waitFor(stream, received.begun());
        received.receives = true;
        if (&sent == &received) return copyRows(from, source, to, source, stream);
        waitFor(stream, sent.begun());
        copyRows(from, source, to, part.session->device(), stream);
        auto copied = std::make_shared<Event>(Event::Kind::ordering);
        copied->record(stream);
        sent.add(std::move(copied));
    }

    void finish(Moment& own) override {
        auto& moment = static_cast<StreamMoment&>(own);
        const Part& part = of(moment.rank());
        const CurrentDevice current(part.session->device());
        if (moment.receives) {
            Event received(Event::Kind::ordering);
            received.record(part.copies->get());
            waitFor(part.session->stream(), received);
        }
        for (const auto& copied : moment.copies()) waitFor(part.session->stream(), *copied);
    }

    void follow(int rank, Moment& other) override {
        const CudaSession& session = *of(rank).session;
        const CurrentDevice current(session.device());
        waitFor(session.stream(), static_cast<StreamMoment&>(other).begun());
    }

    void drain() noexcept override {
        for (const Part& part : parts_) {
            const CurrentDevice current(part.copies->device(), std::nothrow);
            checkNoThrow(cudaStreamSynchronize(part.copies->get()));
        }
    }

    std::string path() const override { return refusal_.empty() ? "by peer access" : "through host memory, since " + refusal_; }

private:
    /// Slices that follow each other are one copy.
    static void copyRows(const View<const float>& from, int source, const View<float>& to, int target, cudaStream_t stream) {
        const std::int64_t slice = from.shape.width * from.shape.height;
        const bool dense = from.sliceStride == slice && to.sliceStride == slice;
        const std::int64_t copies = dense ? 1 : from.shape.depth;
        const auto bytes = static_cast<std::size_t>(slice * (dense ? from.shape.depth : 1)) * sizeof(float);
        for (std::int64_t c = 0; c < from.shape.channels; ++c)
            for (std::int64_t z = 0; z < copies; ++z)
                check(cudaMemcpyPeerAsync(to.row(0, z, c), target, from.row(0, z, c), source, bytes, stream), kCopyFailed);
    }

    struct Part {
        CudaSession* session;
        std::unique_ptr<Stream> copies;
    };
    const Part& of(int rank) const { return parts_.at(static_cast<std::size_t>(rank)); }

    std::vector<Part> parts_;
    std::string refusal_;  // why there is no peer access
};

}  // namespace

std::shared_ptr<SampleTransport> makePeerTransport(std::span<CudaSession* const> sessions) {
    return std::make_shared<PeerTransport>(sessions);
}

}  // namespace parallax::gpu
