// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/mpi_ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/mpi/local_ranks.hpp"
#include "core/mpi/mpi_communicator.hpp"

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

/// The texts of all ranks, each cut to as many characters as a name of MPI may have.
std::vector<std::string> textsOfRanks(const std::string& own, int size) {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> text{};
    std::copy_n(own.data(), std::min(own.size(), text.size() - 1), text.begin());
    std::vector<char> all(text.size() * static_cast<std::size_t>(size));
    const auto bytes = static_cast<int>(text.size());
    checkMpi(MPI_Allgather(text.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, MPI_COMM_WORLD), "MPI_Allgather");
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < static_cast<std::size_t>(size); ++r) texts.emplace_back(all.data() + r * text.size());
    return texts;
}

std::string nameOfHost() {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
    int length = 0;
    checkMpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
    return name.data();
}

class MpiRanksOfJob final : public MpiRanks {
public:
    MpiRanksOfJob(const std::string& build, const std::string& processor) {
        checkMpi(MPI_Comm_rank(MPI_COMM_WORLD, &world_.rank), "MPI_Comm_rank");
        checkMpi(MPI_Comm_size(MPI_COMM_WORLD, &world_.size), "MPI_Comm_size");
        world_.hosts = textsOfRanks(nameOfHost(), world_.size);
        world_.processors = textsOfRanks(processor, world_.size);
        const std::vector<std::string> builds = textsOfRanks(build, world_.size);
        const auto other = std::find_if(builds.begin(), builds.end(), [&](const std::string& b) { return b != builds.front(); });
        if (other != builds.end()) otherBuild_ = static_cast<int>(other - builds.begin());
        local_ = joinLocalRanks(world_.rank);
        const int threads = local_.threads;
        threads_.resize(static_cast<std::size_t>(world_.size));
        checkMpi(MPI_Allgather(&threads, 1, MPI_INT, threads_.data(), 1, MPI_INT, MPI_COMM_WORLD), "MPI_Allgather");
        world_.spinning = local_.oversubscribed ? 0us : 50us;
        world_.largest = kLargestMpiMessage;
        for (MPI_Comm* const communicator : {&world_.data, &world_.control}) {
            checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, communicator), "MPI_Comm_dup");
            checkMpi(MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        }
        int* largestTag = nullptr;
        int found = 0;
        checkMpi(MPI_Comm_get_attr(world_.data, MPI_TAG_UB, static_cast<void*>(&largestTag), &found), "MPI_Comm_get_attr");
        world_.largestTag = found ? *largestTag : 32767;  // as the standard guarantees
        lastHeard_.resize(static_cast<std::size_t>(world_.size), std::chrono::steady_clock::now());
        monitor_ = std::jthread([this](const std::stop_token& stop) { monitor(stop); });
    }
    ~MpiRanksOfJob() override = default;

    int size() const override { return world_.size; }
    int rank() const override { return world_.rank; }
    const std::string& host(int rank) const override { return world_.hosts[static_cast<std::size_t>(rank)]; }
    const std::string& processor(int rank) const override { return world_.processors[static_cast<std::size_t>(rank)]; }
    int threads(int rank) const override { return threads_[static_cast<std::size_t>(rank)]; }
    void setExchangeMode(ExchangeMode mode) override { mode_ = mode; }
    void setLossHandler(std::function<int(const Error&)> handler) override {
        const std::scoped_lock lock(monitorMutex_);
        lossHandler_ = std::move(handler);
    }
    void setLargestMessage(std::size_t bytes) override { world_.largest = bytes; }
    int otherBuild() const override { return otherBuild_; }

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
        if (header.parts == 0) {
            dismissed_ = true;
            return false;
        }
        std::vector<std::byte> order(static_cast<std::size_t>(header.bytes));
        receiveOrder(order.data(), order.size());
        const std::exception_ptr error = runHere(header, [&](Communicator& communicator) { serve(order, communicator); }, {});
        if (error) std::rethrow_exception(error);
        return true;
    }

    void dismiss() override {
        dismissed_ = true;
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
    void watch(MpiRun* run) {
        {
            const std::scoped_lock lock(monitorMutex_);
            watched_ = run;
        }
        world_.changed.notify_all();
    }
    /// Notices cancels while this rank computes, makes progress for exchanges beside the computation, and notices the end of other ranks.
    void monitor(const std::stop_token& stop) {
        std::unique_lock lock(monitorMutex_);
        auto lastCheck = std::chrono::steady_clock::now();
        std::chrono::microseconds pause = kCheckInterval;
        while (!stop.stop_requested()) {
            const MpiRun* const run = watched_;
            const std::int64_t exchanges = run ? run->exchanges() : 0;
            try {
                // Computing threads need the processor: a transfer takes few steps of both processes, most of them soon.
                const bool transferring = run && watched_->poll();
                pause = !run ? kCheckInterval : transferring ? std::min(2 * pause, kPollInterval) : kPollInterval;
                if (const auto now = std::chrono::steady_clock::now(); now - lastCheck >= kCheckInterval) {
                    lastCheck = now;
                    checkOthers();
                }
            } catch (const Error& e) {
                std::_Exit(lossHandler_(e));  // MPI itself has failed
            }
            if (world_.changed.wait_for(lock, stop, pause, [&] { return watched_ != run || (run && run->exchanges() != exchanges); }))
                pause = kFirstPause;
        }
    }

    /// Ranks watch each other in a ring on each machine, and all of them the launcher.
    void checkOthers() {
        if (dismissed_ || size() == 1) return;
        if (getppid() != parent_) {
            const Error gone(ErrorCode::failed, "The launcher of the ranks has ended");
            std::_Exit(rank() == 0 ? lossHandler_(gone) : 1);
        }
        checkSilence();
        const int reported = reportedLoss();
        if (reported >= 0 && rank() > 0) std::_Exit(1);  // rank 0 has told why
        const int lost = reported >= 0 ? reported : local_.next && local_.nextProcess.hasEnded() ? *local_.next : -1;
        if (lost < 0) return;
        if (rank() == 0 || lost == 0)
            endJob(Error(ErrorCode::failed, "A rank has ended unexpectedly", world_.placeOf(lost) + " was killed or has crashed"), lost);
        if (!std::exchange(lossReported_, true)) tellLoss(lost, 0);
    }
    /// A rank that hangs still has a process. The others tell rank 0 every second that they do not. On a machine with many more processes
    /// than processors they may be late by many seconds.
    void checkSilence() {
        const auto now = std::chrono::steady_clock::now();
        if (rank() > 0) {
            if (now - lastHeard_.front() < kLifeInterval) return;
            lastHeard_.front() = now;
            const std::scoped_lock lock(world_.mutex);
            checkMpi(MPI_Send(nullptr, 0, MPI_BYTE, 0, MpiWorld::life, world_.control), "MPI_Send");
            return;
        }
        // After a pause of this process, such as that of a shell, the others have one, too.
        if (now - std::exchange(lastHeard_.front(), now) > kLifeInterval) std::fill(lastHeard_.begin(), lastHeard_.end(), now);
        hearLife(now);
        const auto silent = std::find_if(lastHeard_.begin(), lastHeard_.end(), [&](const auto& heard) { return now - heard > kSilence; });
        if (silent == lastHeard_.end()) return;
        const auto lost = static_cast<int>(silent - lastHeard_.begin());
        endJob(Error(ErrorCode::failed, "A rank hangs",
                     world_.placeOf(lost) + " has been silent for " + std::to_string(kSilence.count()) + " s"),
               lost);
    }
    void hearLife(std::chrono::steady_clock::time_point now) {
        const std::scoped_lock lock(world_.mutex);
        for (int found = 1; found;) {
            MPI_Status status;
            checkMpi(MPI_Iprobe(MPI_ANY_SOURCE, MpiWorld::life, world_.control, &found, &status), "MPI_Iprobe");
            if (!found) return;
            checkMpi(MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, MpiWorld::life, world_.control, MPI_STATUS_IGNORE), "MPI_Recv");
            lastHeard_[static_cast<std::size_t>(status.MPI_SOURCE)] = now;
        }
    }
    void tellLoss(int lost, int to) {
        const std::scoped_lock lock(world_.mutex);
        checkMpi(MPI_Send(&lost, 1, MPI_INT, to, MpiWorld::loss, world_.control), "MPI_Send");
    }
    /// The rank that another one has found to be lost; -1: none.
    int reportedLoss() {
        const std::scoped_lock lock(world_.mutex);
        int found = 0, lost = -1;
        checkMpi(MPI_Iprobe(MPI_ANY_SOURCE, MpiWorld::loss, world_.control, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
        if (found) checkMpi(MPI_Recv(&lost, 1, MPI_INT, MPI_ANY_SOURCE, MpiWorld::loss, world_.control, MPI_STATUS_IGNORE), "MPI_Recv");
        return lost;
    }
    /// Ends all ranks, since no run can end in order without one of them. Those that have been told end themselves, and the launcher ends
    /// the others once it sees this one end without MPI_Finalize; MPI_Abort of Open MPI 4 waits two seconds for its own help text.
    [[noreturn]] void endJob(const Error& error, int lost) {
        const int code = lossHandler_(error);
        for (int r = 0; r < size(); ++r)
            if (r != rank() && r != lost) tellLoss(lost, r);
        const Backoff backoff(0us);
        while (backoff.waited() < 2 * kCheckInterval) {
            (void)reportedLoss();  // makes progress
            backoff.pause();
        }
        std::_Exit(code);
    }

    static constexpr std::chrono::microseconds kFirstPause = 25us, kPollInterval = 4ms, kCheckInterval = 50ms;
    static constexpr std::chrono::seconds kLifeInterval = 1s, kSilence = 30s;

    MpiLibrary library_;  // ends last
    MpiWorld world_;
    std::vector<int> threads_;  // of all ranks
    ExchangeMode mode_ = ExchangeMode::overlapped;
    std::int64_t run_ = 0;
    int otherBuild_ = -1;
    const pid_t parent_ = getppid();
    LocalRanks local_;
    std::atomic<bool> dismissed_ = false;
    std::mutex monitorMutex_;
    MpiRun* watched_ = nullptr;
    bool lossReported_ = false;
    std::vector<std::chrono::steady_clock::time_point> lastHeard_;  // of each rank; of this one: when it last looked
    std::function<int(const Error&)> lossHandler_ = [](const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    };
    std::jthread monitor_;
};

}  // namespace

std::shared_ptr<MpiRanks> startMpi(const std::string& build, const std::string& processor) {
    return std::make_shared<MpiRanksOfJob>(build, processor);
}

}  // namespace parallax
