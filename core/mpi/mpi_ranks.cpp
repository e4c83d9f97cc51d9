// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/mpi_ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/mpi/mpi_communicator.hpp"
#include "core/mpi/processors.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;

/// Begins every order. No parts: the ranks are dismissed.
struct OrderHeader {
    std::int64_t run = 0;
    std::int64_t bytes = 0;
    std::int32_t parts = 0;
    ExchangeMode mode = ExchangeMode::overlapped;
};

/// MPI from its start to its end.
class MpiLibrary {
public:
    MpiLibrary() {
        int threads = MPI_THREAD_SINGLE;
        checkMpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads), "MPI_Init_thread");
        if (threads < MPI_THREAD_SERIALIZED) {
            (void)MPI_Finalize();
            throw Error(ErrorCode::unavailable, "This MPI library is not made for programs with threads", {},
                        "Install Open MPI, packages libopenmpi-dev and openmpi-bin");
        }
    }
    ~MpiLibrary() { (void)MPI_Finalize(); }
    MpiLibrary(const MpiLibrary&) = delete;
    MpiLibrary& operator=(const MpiLibrary&) = delete;
};

std::vector<std::string> namesOfHosts(int size) {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
    int length = 0;
    checkMpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
    std::vector<char> all(name.size() * static_cast<std::size_t>(size));
    const auto bytes = static_cast<int>(name.size());
    checkMpi(MPI_Allgather(name.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, MPI_COMM_WORLD), "MPI_Allgather");
    std::vector<std::string> hosts;
    for (std::size_t r = 0; r < static_cast<std::size_t>(size); ++r) hosts.emplace_back(all.data() + r * name.size());
    return hosts;
}

/// Processors of this process, and whether it shares them with another rank.
struct Share {
    std::vector<int> processors;
    bool withOthers = false;
};
/// Launchers bind ranks to the same processors or to different ones, or to none.
Share takeShare(int rank) {
    MPI_Comm local = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local), "MPI_Comm_split_type");
    int process = 0, processes = 1;
    checkMpi(MPI_Comm_rank(local, &process), "MPI_Comm_rank");
    checkMpi(MPI_Comm_size(local, &processes), "MPI_Comm_size");
    const std::vector<int> usable = usableProcessors();
    // FNV-1a: equal sets have equal numbers.
    std::uint64_t set = 14695981039346656037U;
    for (const int p : usable) set = (set ^ static_cast<std::uint64_t>(p)) * 1099511628211U;
    std::vector<std::uint64_t> sets(static_cast<std::size_t>(processes));
    checkMpi(MPI_Allgather(&set, 1, MPI_UINT64_T, sets.data(), 1, MPI_UINT64_T, local), "MPI_Allgather");
    checkMpi(MPI_Comm_free(&local), "MPI_Comm_free");
    const auto alike = static_cast<int>(std::count(sets.begin(), sets.end(), set));
    const auto before = static_cast<int>(std::count(sets.begin(), sets.begin() + process, set));
    Share share{shareOf(usable, before, alike), alike > static_cast<int>(usable.size())};
    if (alike > 1 && !share.withOthers) bindTo(share.processors);
    return share;
}

class MpiRanksOfJob final : public MpiRanks {
public:
    MpiRanksOfJob() {
        checkMpi(MPI_Comm_rank(MPI_COMM_WORLD, &world_.rank), "MPI_Comm_rank");
        checkMpi(MPI_Comm_size(MPI_COMM_WORLD, &world_.size), "MPI_Comm_size");
        world_.hosts = namesOfHosts(world_.size);
        const Share share = takeShare(world_.rank);
        const int threads = std::max(1, static_cast<int>(share.processors.size()));
        threads_.resize(static_cast<std::size_t>(world_.size));
        checkMpi(MPI_Allgather(&threads, 1, MPI_INT, threads_.data(), 1, MPI_INT, MPI_COMM_WORLD), "MPI_Allgather");
        world_.spinning = share.withOthers ? 0us : 50us;
        world_.largest = kLargestMpiMessage;
        for (MPI_Comm* const communicator : {&world_.data, &world_.control}) {
            checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, communicator), "MPI_Comm_dup");
            checkMpi(MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        }
        int* largestTag = nullptr;
        int found = 0;
        checkMpi(MPI_Comm_get_attr(world_.data, MPI_TAG_UB, static_cast<void*>(&largestTag), &found), "MPI_Comm_get_attr");
        world_.largestTag = found ? *largestTag : 32767;  // as the standard guarantees
        monitor_ = std::jthread([this](const std::stop_token& stop) { monitor(stop); });
    }
    ~MpiRanksOfJob() override = default;

    int size() const override { return world_.size; }
    int rank() const override { return world_.rank; }
    const std::string& host(int rank) const override { return world_.hosts[static_cast<std::size_t>(rank)]; }
    int threads(int rank) const override { return threads_[static_cast<std::size_t>(rank)]; }
    void setExchangeMode(ExchangeMode mode) override { mode_ = mode; }
    void setLargestMessage(std::size_t bytes) override { world_.largest = bytes; }

    void lead(std::span<const std::byte> order, int parts, const std::function<void(Communicator&)>& work,
              const std::stop_token& stop) override {
        if (parts < 1 || parts > size())
            throw Error(ErrorCode::failed, std::to_string(parts) + " ranks are needed", std::to_string(size()) + " were started");
        const OrderHeader header{++run_, static_cast<std::int64_t>(order.size()), parts, mode_};
        MpiMessages messages(world_.controlChannel(MpiWorld::order));
        {
            const std::scoped_lock lock(world_.mutex);
            for (int r = 1; r < parts; ++r) {
                messages.send(&header, sizeof header, r);
                messages.send(order.data(), order.size(), r);
            }
        }
        const std::exception_ptr error = runHere(header, work, stop);
        waitFor(messages);
        if (error) std::rethrow_exception(error);
    }

    bool follow(const std::function<void(std::span<const std::byte>, Communicator&)>& serve) override {
        OrderHeader header;
        receiveOrder(&header, sizeof header);
        if (header.parts == 0) return false;
        std::vector<std::byte> order(static_cast<std::size_t>(header.bytes));
        receiveOrder(order.data(), order.size());
        const std::exception_ptr error = runHere(header, [&](Communicator& communicator) { serve(order, communicator); }, {});
        if (error) std::rethrow_exception(error);
        return true;
    }

    void dismiss() override {
        const OrderHeader header;
        MpiMessages messages(world_.controlChannel(MpiWorld::order));
        {
            const std::scoped_lock lock(world_.mutex);
            for (int r = 1; r < size(); ++r) messages.send(&header, sizeof header, r);
        }
        waitFor(messages);
    }

private:
    /// Returns the error of the run, or null.
    std::exception_ptr runHere(const OrderHeader& header, const std::function<void(Communicator&)>& work, const std::stop_token& stop) {
        MpiRun run(world_, header.run, header.parts);
        watch(&run);
        std::exception_ptr error;
        {
            const std::stop_callback cancel(stop, [&] { run.cancel(Error(ErrorCode::cancelled, "Cancelled")); });
            std::exception_ptr failure;
            try {
                MpiCommunicator communicator(run, header.mode);
                work(communicator);
            } catch (...) {
                failure = std::current_exception();
            }
            try {
                run.finish(failure);
            } catch (...) {
                error = std::current_exception();
            }
        }
        watch(nullptr);
        return error;
    }

    void waitFor(MpiMessages& messages) {
        const Backoff backoff(world_.spinning);
        for (;;) {
            {
                const std::scoped_lock lock(world_.mutex);
                if (messages.ended()) return;
            }
            if (backoff.waited() > 100ms && launcherIsGone())
                throw RanksLost(ErrorCode::failed, "The launcher of the ranks has ended", world_.placeOf(rank()) + " is alone");
            backoff.pause();
        }
    }
    void receiveOrder(void* data, std::size_t bytes) {
        MpiMessages messages(world_.controlChannel(MpiWorld::order));
        {
            const std::scoped_lock lock(world_.mutex);
            messages.receive(data, bytes, 0);
        }
        waitFor(messages);
    }
    bool launcherIsGone() const { return size() > 1 && getppid() != parent_; }

    void watch(MpiRun* run) {
        {
            const std::scoped_lock lock(monitorMutex_);
            watched_ = run;
        }
        world_.changed.notify_all();
    }
    /// Notices cancels while this rank computes, and makes progress for exchanges beside the computation.
    void monitor(const std::stop_token& stop) {
        std::unique_lock lock(monitorMutex_);
        while (!stop.stop_requested()) {
            world_.changed.wait(lock, stop, [&] { return watched_ != nullptr; });
            if (!watched_) continue;
            watched_->poll();
            if (launcherIsGone()) watched_->cancel(Error(ErrorCode::failed, "The launcher of the ranks has ended"));
            // A transfer between processes may need several steps of both.
            const bool exchanging = watched_->overlapped() > 0;
            world_.changed.wait_for(lock, stop, exchanging ? 100us : 1000us,
                                    [&] { return !watched_ || (!exchanging && watched_->overlapped() > 0); });
        }
    }

    MpiLibrary library_;  // ends last
    MpiWorld world_;
    std::vector<int> threads_;  // of all ranks
    ExchangeMode mode_ = ExchangeMode::overlapped;
    std::int64_t run_ = 0;
    const pid_t parent_ = getppid();
    std::mutex monitorMutex_;
    MpiRun* watched_ = nullptr;
    std::jthread monitor_;
};

}  // namespace

std::shared_ptr<MpiRanks> startMpi() { return std::make_shared<MpiRanksOfJob>(); }

}  // namespace parallax
