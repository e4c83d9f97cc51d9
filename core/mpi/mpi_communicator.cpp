// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/mpi_communicator.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace parallax {
namespace {

/// The samples of an exchange as messages, one for each slice and channel. Rows with gaps between them are sent from a copy.
class ExchangeMessages {
public:
    ExchangeMessages(const std::vector<HaloSend>& sends, const std::vector<HaloReceive>& receives) {
        for (const HaloSend& s : sends)
            forEachBlock(s.samples, [&](const View<const float>& rows) {
                if (isDense(rows)) return sends_.push_back({s.to, rows.data, bytesOf(rows)});
                std::vector<float>& copy = copies_.emplace_back(static_cast<std::size_t>(rows.shape.samples()));
                for (std::int64_t y = 0; y < rows.shape.height; ++y)
                    std::copy_n(rows.row(y), rows.shape.width, copy.begin() + y * rows.shape.width);
                sends_.push_back({s.to, copy.data(), bytesOf(rows)});
            });
        for (const HaloReceive& r : receives)
            forEachBlock(r.samples, [&](const View<float>& rows) {
                if (isDense(rows)) return receives_.push_back({r.from, rows.data, bytesOf(rows)});
                std::vector<float>& copy = copies_.emplace_back(static_cast<std::size_t>(rows.shape.samples()));
                receives_.push_back({r.from, copy.data(), bytesOf(rows)});
                unpacked_.emplace_back(copy.data(), rows);
            });
    }
    void post(MpiMessages& messages, int to, int from) {
        for (const Block<float>& r : receives_)
            if (r.rank == from) messages.receive(r.data, r.bytes, from);
        for (const Block<const float>& s : sends_)
            if (s.rank == to) messages.send(s.data, s.bytes, to);
    }
    /// Once all have ended: puts the rows where they belong.
    void unpack() const {
        for (const auto& [copy, rows] : unpacked_)
            for (std::int64_t y = 0; y < rows.shape.height; ++y) std::copy_n(copy + y * rows.shape.width, rows.shape.width, rows.row(y));
    }

private:
    template <class T>
    struct Block {
        int rank;
        T* data;
        std::size_t bytes;
    };
    template <class T, class F>
    static void forEachBlock(View<T> samples, F&& f) {
        const Shape shape = samples.shape;
        if (shape.empty()) return;
        samples.shape.depth = samples.shape.channels = 1;
        T* const first = samples.data;
        for (std::int64_t c = 0; c < shape.channels; ++c)
            for (std::int64_t z = 0; z < shape.depth; ++z) {
                samples.data = first + z * samples.sliceStride + c * samples.channelStride;
                f(samples);
            }
    }
    static bool isDense(const View<const float>& rows) { return rows.shape.height == 1 || rows.rowStride == rows.shape.width; }
    static std::size_t bytesOf(const View<const float>& rows) { return static_cast<std::size_t>(rows.shape.samples()) * sizeof(float); }

    std::vector<Block<const float>> sends_;
    std::vector<Block<float>> receives_;
    std::deque<std::vector<float>> copies_;
    std::vector<std::pair<const float*, View<float>>> unpacked_;
};

/// An exchange beside the computation. The monitor makes progress for it.
class OverlappedExchange final : public HaloExchange {
public:
    OverlappedExchange(MpiRun& run, const std::vector<HaloSend>& sends, const std::vector<HaloReceive>& receives)
        : run_(run), samples_(sends, receives), transfer_(run), exceptions_(std::uncaught_exceptions()) {
        transfer_.post([&](MpiMessages& messages) {
            for (int r = 0; r < run_.parts(); ++r) samples_.post(messages, r, r);
        });
        ++run_.exchanges();
        run_.world().changed.notify_all();
    }
    ~OverlappedExchange() override {
        if (finished_) return;
        // An error on its way is the one to report.
        if (std::uncaught_exceptions() == exceptions_) run_.cancel(Error(ErrorCode::failed, "A part has left an exchange unfinished"));
    }
    OverlappedExchange(const OverlappedExchange&) = delete;
    OverlappedExchange& operator=(const OverlappedExchange&) = delete;

    void finish() override {
        transfer_.wait();
        finished_ = true;
        samples_.unpack();
    }

private:
    MpiRun& run_;
    ExchangeMessages samples_;
    MpiTransfer transfer_;  // ends before the memory of its messages
    int exceptions_;
    bool finished_ = false;
};

/// An exchange that is over before the computation goes on. Each rank sends to the one that follows it at some distance, and receives from
/// the one before it: first from itself, then at distance 1, and so on. This is MPI_Sendrecv in each step, which itself cannot be ended
/// when another rank fails.
class BlockingExchange final : public HaloExchange {
public:
    BlockingExchange(MpiRun& run, const std::vector<HaloSend>& sends, const std::vector<HaloReceive>& receives) {
        ExchangeMessages samples(sends, receives);
        MpiTransfer transfer(run);
        const int parts = run.parts(), rank = run.rank();
        for (int distance = 0; distance < parts; ++distance) {
            transfer.post(
                [&](MpiMessages& messages) { samples.post(messages, (rank + distance) % parts, (rank + parts - distance) % parts); });
            transfer.wait();
        }
        samples.unpack();
    }
    void finish() override {}
};

double reduced(double a, double b, Reduce how) {
    switch (how) {
        case Reduce::minimum: return b < a ? b : a;
        case Reduce::maximum: return b > a ? b : a;
        default: return a + b;
    }
}

std::span<std::byte> bytesOf(std::span<std::byte> data, const PartRange& range) {
    return data.subspan(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count()));
}

std::vector<std::int64_t> sizesOf(const Partition& places) {
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < places.parts(); ++r) sizes.push_back(places[r].count());
    return sizes;
}

}  // namespace

std::unique_ptr<HaloExchange> MpiCommunicator::startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) {
    const auto exists = [&](int rank) { return rank >= 0 && rank < size(); };
    if (!std::all_of(sends.begin(), sends.end(), [&](const HaloSend& s) { return exists(s.to); }) ||
        !std::all_of(receives.begin(), receives.end(), [&](const HaloReceive& r) { return exists(r.from); }))
        throw Error(ErrorCode::failed, "There is no such part to exchange with");
    run_.throwIfCancelled();
    if (mode_ == ExchangeMode::blocking) return std::make_unique<BlockingExchange>(run_, sends, receives);
    return std::make_unique<OverlappedExchange>(run_, sends, receives);
}

/// Replaces each value by combine() of those of all ranks in their order. Many values are divided among the ranks, which combine their
/// share.
template <class T, class F>
void MpiCommunicator::reduce(std::span<T> values, F&& combine) {
    const auto parts = static_cast<std::size_t>(size());
    if (parts == 1) return run_.throwIfCancelled();
    constexpr std::size_t kFew = 4096;  // bytes that all ranks send to all others
    if (values.size_bytes() <= kFew) {
        std::vector<T> all(parts * values.size());
        run_.allGather(std::as_bytes(values), std::vector(parts, static_cast<std::int64_t>(values.size_bytes())),
                       std::as_writable_bytes(std::span(all)));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = all[i];
            for (std::size_t r = 1; r < parts; ++r) values[i] = combine(values[i], all[r * values.size() + i]);
        }
        return;
    }
    const Partition shares(static_cast<std::int64_t>(values.size()), size());
    const auto shareOf = [&](int r) {
        return values.subspan(static_cast<std::size_t>(shares[r].first), static_cast<std::size_t>(shares[r].count()));
    };
    const std::span<T> own = shareOf(rank());
    std::vector<T> contributions(parts * own.size());
    {
        MpiTransfer transfer(run_);
        transfer.post([&](MpiMessages& messages) {
            for (int r = 0; r < size(); ++r)
                messages.receive(contributions.data() + static_cast<std::size_t>(r) * own.size(), own.size_bytes(), r);
            for (int r = 0; r < size(); ++r) messages.send(shareOf(r).data(), shareOf(r).size_bytes(), r);
        });
        transfer.wait();
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
        own[i] = contributions[i];
        for (std::size_t r = 1; r < parts; ++r) own[i] = combine(own[i], contributions[r * own.size() + i]);
    }
    std::vector<std::int64_t> sizes;
    for (int r = 0; r < size(); ++r) sizes.push_back(static_cast<std::int64_t>(shareOf(r).size_bytes()));
    run_.allGather(std::as_bytes(own), sizes, std::as_writable_bytes(values));
}

void MpiCommunicator::allReduce(std::span<double> values, Reduce how) {
    reduce(values, [how](double a, double b) { return reduced(a, b, how); });
}

void MpiCommunicator::allReduce(std::span<std::int64_t> counts) {
    reduce(counts, [](std::int64_t a, std::int64_t b) { return a + b; });
}

/// Along a binary tree: every rank that has the data sends them on, so the number of those doubles.
void MpiCommunicator::broadcast(std::span<std::byte> data, int root) {
    run_.throwIfCancelled();
    const int parts = size(), own = (rank() - root + parts) % parts;  // counted from the root on
    for (int have = 1; have < parts; have *= 2) {
        MpiTransfer transfer(run_);
        transfer.post([&](MpiMessages& messages) {
            if (own < have && own + have < parts) messages.send(data.data(), data.size(), (rank() + have) % parts);
            else if (own >= have && own < 2 * have) messages.receive(data.data(), data.size(), (rank() - have + parts) % parts);
        });
        transfer.wait();
    }
}

void MpiCommunicator::gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) {
    run_.throwIfCancelled();
    const bool receives = root == kEveryRank || root == rank();
    if (places.parts() != size() || (receives && all.size() != static_cast<std::size_t>(places.units())))
        throw Error(ErrorCode::failed, kDisagreement);
    if (root == kEveryRank) return run_.allGather(own, sizesOf(places), all);
    MpiTransfer transfer(run_);
    transfer.post([&](MpiMessages& messages) {
        for (int r = 0; receives && r < size(); ++r) messages.receive(bytesOf(all, places[r]).data(), bytesOf(all, places[r]).size(), r);
        messages.send(own.data(), own.size(), root);
    });
    transfer.wait();
}

void MpiCommunicator::barrier() { run_.allGather({}, std::vector<std::int64_t>(static_cast<std::size_t>(size()), 0), {}); }

}  // namespace parallax
