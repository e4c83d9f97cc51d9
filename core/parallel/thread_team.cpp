// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/thread_team.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace parallax {
namespace {

/// Samples that a rank has sent. They are copied by the receiver, outside the mutex.
struct Message {
    View<const float> samples;
    int to = 0;
    std::shared_ptr<SampleTransport::Moment> moment;  // with a transport
    enum { prepared, posted, taken, done } state = prepared;
};

void copySamples(const View<const float>& from, const View<float>& to) {
    const Shape& shape = from.shape;
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                std::memcpy(to.row(y, z, c), from.row(y, z, c), static_cast<std::size_t>(shape.width) * sizeof(float));
}

template <class T>
T valueAt(const std::vector<std::byte>& bytes, std::size_t i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}

double reduced(double a, double b, Reduce how) {
    switch (how) {
        case Reduce::minimum: return b < a ? b : a;
        case Reduce::maximum: return b > a ? b : a;
        default: return a + b;
    }
}

/// Waits some microseconds for a part that is about to come: waking a thread takes longer.
template <class F>
void spin(F&& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (!done() && std::chrono::steady_clock::now() < end) {}
}

}  // namespace

/// Memory and wake-ups that the ranks share; one mutex guards everything but samples.
class ThreadTeam::State {
public:
    State(int size, std::shared_ptr<SampleTransport> transport)
        : size_(size), transport_(std::move(transport)), boxes_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
        for (auto& all : shared_) all.resize(static_cast<std::size_t>(size));
    }

    int size() const { return size_; }
    SampleTransport* transport() const { return transport_.get(); }
    std::stop_token stop() {
        const std::scoped_lock lock(mutex_);
        return stop_.get_token();
    }

    void startRun(const std::function<void(Communicator&)>& work) {
        {
            const std::scoped_lock lock(mutex_);
            stop_ = std::stop_source();
            cancelled_ = false;
            error_ = nullptr;
            arrived_ = 0;
            work_ = &work;
            running_ = size_;
            ++job_;
        }
        changed_.notify_all();
    }
    /// Returns the error of the run, or null.
    std::exception_ptr waitForEnd() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return running_ == 0; });
        return std::exchange(error_, nullptr);
    }
    void quit() {
        {
            const std::scoped_lock lock(mutex_);
            quit_ = true;
        }
        changed_.notify_all();
    }
    /// The next work of a thread that has done `jobs`; null at the end.
    const std::function<void(Communicator&)>* nextWork(std::uint64_t jobs) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return quit_ || job_ != jobs; });
        return quit_ ? nullptr : work_;
    }
    void workEnds() {
        {
            const std::scoped_lock lock(mutex_);
            --running_;
        }
        changed_.notify_all();
    }

    void fail(const std::exception_ptr& error) {
        std::stop_source stop;
        {
            const std::scoped_lock lock(mutex_);
            if (!cancelled_) error_ = error;
            cancelled_ = true;
            stop = stop_;
        }
        changed_.notify_all();
        stop.request_stop();
    }

    /// Hands `own` to all ranks and returns what all of them handed over, which stays valid until the rank calls this again.
    const std::vector<std::vector<std::byte>>& share(int rank, std::span<const std::byte> own) {
        std::unique_lock lock(mutex_);
        throwIfCancelled();
        const std::uint64_t round = round_;
        // Two in turn: no rank writes to those of this round before all have come to the next one.
        std::vector<std::vector<std::byte>>& all = shared_[round % 2];
        lock.unlock();
        all[static_cast<std::size_t>(rank)].assign(own.begin(), own.end());
        lock.lock();
        if (++arrived_ == size_) {
            arrived_ = 0;
            ++round_;
            changed_.notify_all();
        } else {
            lock.unlock();
            spin([&] { return round_ != round || cancelled_; });
            lock.lock();
            changed_.wait(lock, [&] { return round_ != round || cancelled_; });
            if (round_ == round) throwIfCancelled();
        }
        return all;
    }

    void post(int from, std::vector<Message>& messages) {
        {
            const std::scoped_lock lock(mutex_);
            throwIfCancelled();
            for (Message& m : messages) {
                box(from, m.to).push_back(&m);
                m.state = Message::posted;
            }
        }
        changed_.notify_all();
    }
    void receive(int rank, const HaloReceive& to, SampleTransport::Moment* own) {
        std::unique_lock lock(mutex_);
        std::deque<Message*>& from = box(to.from, rank);
        changed_.wait(lock, [&] { return !from.empty() || cancelled_; });
        throwIfCancelled();
        Message& message = *from.front();
        from.pop_front();
        message.state = Message::taken;
        lock.unlock();
        // The sender waits for it, also if the copy fails.
        const auto release = [&] {
            lock.lock();
            message.state = Message::done;
            lock.unlock();
            changed_.notify_all();
        };
        try {
            copy(message, to, own);
        } catch (...) {
            release();
            throw;
        }
        release();
    }
    void waitUntilSent(const std::vector<Message>& messages) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] {
            return cancelled_ || std::all_of(messages.begin(), messages.end(), [](const Message& m) { return m.state == Message::done; });
        });
        throwIfCancelled();
    }
    /// Takes back what no rank has begun to copy, and waits for the rest.
    void withdraw(int from, const std::vector<Message>& messages) {
        std::unique_lock lock(mutex_);
        for (const Message& m : messages)
            if (m.state == Message::posted) std::erase(box(from, m.to), &m);
        changed_.wait(lock, [&] {
            return std::none_of(messages.begin(), messages.end(), [](const Message& m) { return m.state == Message::taken; });
        });
    }

private:
    std::deque<Message*>& box(int from, int to) {
        if (to < 0 || to >= size_ || from < 0 || from >= size_) throw Error(ErrorCode::failed, "There is no such part to exchange with");
        return boxes_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(to)];
    }
    void copy(const Message& message, const HaloReceive& to, SampleTransport::Moment* own) const {
        if (message.samples.shape != to.samples.shape)
            throw Error(ErrorCode::failed, "Two parts disagree on the samples that they exchange");
        if (transport_) transport_->copy(*message.moment, message.samples, *own, to.samples);
        else copySamples(message.samples, to.samples);
    }
    /// With the mutex held.
    void throwIfCancelled() const {
        if (cancelled_) throw Error(ErrorCode::cancelled, "Cancelled");
    }

    const int size_;
    const std::shared_ptr<SampleTransport> transport_;
    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void(Communicator&)>* work_ = nullptr;
    std::uint64_t job_ = 0;
    int running_ = 0;
    bool quit_ = false;
    std::atomic<bool> cancelled_ = false;
    std::exception_ptr error_;  // the first one
    std::stop_source stop_;
    std::array<std::vector<std::vector<std::byte>>, 2> shared_;  // of even and odd rounds, one for each rank
    int arrived_ = 0;
    std::atomic<std::uint64_t> round_ = 0;
    std::vector<std::deque<Message*>> boxes_;  // of each pair: those that wait to be received

public:
    std::vector<std::jthread> threads;
};

namespace {

template <class State>
class ThreadExchange final : public HaloExchange {
public:
    ThreadExchange(State& state, int rank, const std::vector<HaloSend>& sends, std::vector<HaloReceive> receives)
        : state_(state), rank_(rank), receives_(std::move(receives)), exceptions_(std::uncaught_exceptions()) {
        for (const HaloSend& s : sends) messages_.push_back({.samples = s.samples, .to = s.to});
    }
    ~ThreadExchange() override {
        if (finished_) return;
        // An error on its way is the one to report.
        if (std::uncaught_exceptions() == exceptions_)
            state_.fail(std::make_exception_ptr(Error(ErrorCode::failed, "A part has left an exchange unfinished")));
        state_.withdraw(rank_, messages_);
    }
    ThreadExchange(const ThreadExchange&) = delete;
    ThreadExchange& operator=(const ThreadExchange&) = delete;

    void start() {
        if (SampleTransport* const transport = state_.transport()) {
            moment_ = transport->start(rank_);
            for (Message& m : messages_) m.moment = moment_;
        }
        state_.post(rank_, messages_);
    }
    void finish() override {
        for (const HaloReceive& r : receives_) state_.receive(rank_, r, moment_.get());
        state_.waitUntilSent(messages_);
        if (moment_) state_.transport()->finish(*moment_);
        finished_ = true;
    }

private:
    State& state_;
    int rank_;
    std::vector<Message> messages_;
    std::vector<HaloReceive> receives_;
    std::shared_ptr<SampleTransport::Moment> moment_;
    int exceptions_;
    bool finished_ = false;
};

template <class State>
class ThreadCommunicator final : public Communicator {
public:
    ThreadCommunicator(State& state, int rank) : state_(state), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return state_.size(); }
    std::stop_token stop() const override { return state_.stop(); }

    std::unique_ptr<HaloExchange> startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) override {
        auto exchange = std::make_unique<ThreadExchange<State>>(state_, rank_, sends, std::move(receives));
        exchange->start();
        return exchange;
    }
    void allReduce(std::span<double> values, Reduce how) override {
        const auto& all = share(std::as_bytes(values), values.size_bytes());
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = valueAt<double>(all[0], i);
            for (std::size_t r = 1; r < all.size(); ++r) values[i] = reduced(values[i], valueAt<double>(all[r], i), how);
        }
    }
    void allReduce(std::span<std::int64_t> counts) override {
        const auto& all = share(std::as_bytes(counts), counts.size_bytes());
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] = 0;
            for (const std::vector<std::byte>& of : all) counts[i] += valueAt<std::int64_t>(of, i);
        }
    }
    void broadcast(std::span<std::byte> data, int root) override {
        const auto& all = state_.share(rank_, rank_ == root ? data : std::span<std::byte>());
        const std::vector<std::byte>& from = all[static_cast<std::size_t>(root)];
        requireSame(from.size(), data.size());
        if (rank_ != root) std::copy(from.begin(), from.end(), data.begin());
    }
    void gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) override {
        const auto& parts = state_.share(rank_, own);
        if (root != kEveryRank && root != rank_) return;
        requireSame(all.size(), static_cast<std::size_t>(places.units()));
        for (int r = 0; r < size(); ++r) {
            const std::vector<std::byte>& part = parts[static_cast<std::size_t>(r)];
            requireSame(part.size(), static_cast<std::size_t>(places[r].count()));
            std::copy(part.begin(), part.end(), all.begin() + places[r].first);
        }
    }
    void barrier() override { (void)state_.share(rank_, {}); }
    void cancel(const Error& error) override { state_.fail(std::make_exception_ptr(error)); }

private:
    const std::vector<std::vector<std::byte>>& share(std::span<const std::byte> own, std::size_t bytes) {
        const auto& all = state_.share(rank_, own);
        for (const std::vector<std::byte>& of : all) requireSame(of.size(), bytes);
        return all;
    }
    static void requireSame(std::size_t a, std::size_t b) {
        if (a != b) throw Error(ErrorCode::failed, "Two parts disagree on the numbers that they exchange");
    }

    State& state_;
    int rank_;
};

}  // namespace

ThreadTeam::ThreadTeam(int parts, std::shared_ptr<SampleTransport> transport)
    : state_(std::make_unique<State>(parts, std::move(transport))) {
    const auto work = [](State& state, int rank) {
        ThreadCommunicator<State> communicator(state, rank);
        std::uint64_t jobs = 0;
        while (const std::function<void(Communicator&)>* next = state.nextWork(jobs++)) {
            try {
                (*next)(communicator);
            } catch (...) {
                state.fail(std::current_exception());
            }
            state.workEnds();
        }
    };
    try {
        for (int rank = 0; rank < parts; ++rank) state_->threads.emplace_back(work, std::ref(*state_), rank);
    } catch (...) {
        state_->quit();
        throw;
    }
}

ThreadTeam::~ThreadTeam() { state_->quit(); }

int ThreadTeam::parts() const { return state_->size(); }

void ThreadTeam::run(const std::function<void(Communicator&)>& work, const std::stop_token& stop) {
    state_->startRun(work);
    std::exception_ptr error;
    {
        const std::stop_callback cancel(stop, [this] { state_->fail(std::make_exception_ptr(Error(ErrorCode::cancelled, "Cancelled"))); });
        error = state_->waitForEnd();
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace parallax
