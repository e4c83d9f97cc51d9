// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/job.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <stop_token>
#include <utility>

#include "core/backends/mpi/last_words.hpp"
#include "core/backends/mpi/shared_images.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kSilence = 30s;           // rank 0 speaks ten times a second while it works
constexpr auto kAnswerToCancel = 900ms;  // of a second that cancelling may take
constexpr const char* kAgain = "The next run starts them again";

std::chrono::seconds startLimit() {
    const char* const text = std::getenv("PARALLAX_MPI_START_SECONDS");
    int seconds = 0;
    return std::chrono::seconds(text && parseNumber(text, seconds) && seconds > 0 ? seconds : 60);
}

/// A descriptor that becomes readable when a stop is requested.
class StopEvent {
public:
    explicit StopEvent(const std::stop_token& stop)
        : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(stop, Signal{event_.get()}) {}
    int get() const { return event_.get(); }

private:
    struct Signal {
        int descriptor;
        void operator()() const {
            const std::uint64_t one = 1;
            (void)!write(descriptor, &one, sizeof one);
        }
    };
    Descriptor event_;
    std::stop_callback<Signal> callback_;
};

/// Which of the descriptors are readable after at most so long; -1 is never.
std::array<bool, 3> waitForAny(const std::array<int, 3>& descriptors, int milliseconds) {
    std::array<pollfd, 3> events{};
    for (std::size_t i = 0; i < events.size(); ++i) events[i] = {descriptors[i], POLLIN, 0};
    (void)poll(events.data(), events.size(), milliseconds);
    return {events[0].revents != 0, events[1].revents != 0, events[2].revents != 0};
}

[[noreturn]] void throwCancelled() { throw Error(ErrorCode::cancelled, "Cancelled"); }

}  // namespace

Job::Job(const std::string& launcher, int ranks, const std::stop_token& stop) : launcher_(launcher) {
    const Listener listener;
    process_ = std::make_unique<LaunchedProcess>(launchOf(launcher, ranks, listener.name()), [this] { onTick(); });
    try {
        connect(listener, stop);
        greet(stop);
    } catch (const Error&) {
        if (channel_) channel_->shutdown();
        process_->end(0ms);
        throw;
    }
    if (static_cast<int>(hello_.hosts.size()) != ranks || hello_.threads.size() != hello_.hosts.size() ||
        hello_.processors.size() != hello_.hosts.size())
        failToStart("the launcher started " + counted(static_cast<std::int64_t>(hello_.hosts.size()), "rank") + " instead of " +
                        std::to_string(ranks),
                    "Check '" + launcher + "'");
    alive_ = true;
}

Job::~Job() { end(); }

bool Job::isAlive() noexcept {
    if (!alive_) return false;
    const std::unique_lock lock(requesting_, std::try_to_lock);
    if (!lock) return true;  // a request finds out
    try {
        // An idle job sends nothing but what was on its way with the last answer.
        while (waitForAny({channel_->descriptor(), -1, -1}, 0)[0]) {
            const std::optional<Frame> frame = channel_->receive();
            if (!frame || frame->kind != FrameKind::busy) {
                end();
                return false;
            }
        }
    } catch (const std::exception&) {
        end();
        return false;
    }
    if (process_->hasEnded()) end();
    return alive_;
}

void Job::failToStart(const std::string& why, const std::string& whatToDo) {
    process_->end(0ms);
    throw Error(ErrorCode::unavailable, "The ranks did not start", why, whatToDo);
}

void Job::connect(const Listener& listener, const std::stop_token& stop) {
    const StopEvent stopped(stop);
    const auto limit = startLimit();
    const auto deadline = Clock::now() + limit;
    while (!channel_) {
        const auto [connected, ended, cancelled] = waitForAny({listener.descriptor(), process_->endDescriptor(), stopped.get()}, 200);
        if (stop.stop_requested()) throwCancelled();
        if (connected) {
            if (std::optional<Descriptor> socket = listener.accept()) channel_ = std::make_unique<Channel>(std::move(*socket));
        } else if (ended) {
            const LastWords words = lastWordsOf(process_->lastWords());
            failToStart("'" + launcher_ + "' has ended with " + process_->how() + (words.text.empty() ? "" : ": " + words.text),
                        words.advice);
        } else if (Clock::now() > deadline) {
            const LastWords words = lastWordsOf(process_->lastWords());
            failToStart("'" + launcher_ + "' has started no rank within " + counted(limit.count(), "second") +
                            (words.text.empty() ? "" : ": " + words.text),
                        words.advice.empty() ? "Set PARALLAX_MPI_START_SECONDS if it has to wait longer" : words.advice);
        }
    }
}

void Job::greet(const std::stop_token& stop) {
    const StopEvent stopped(stop);
    std::optional<Frame> frame;
    const auto deadline = Clock::now() + kSilence;
    do {
        if (stop.stop_requested()) throwCancelled();
        if (Clock::now() > deadline) failToStart("rank 0 does not answer", {});
        frame = waitForFrame(stop, 200, stopped.get());
    } while (!frame);
    try {
        if (frame->kind == FrameKind::hello) hello_ = messageOf<HelloMessage>(frame->body);
    } catch (const Error&) {
        hello_ = {};
    }
    if (hello_.build != buildInfo().stamp)
        failToStart(workerPath() + " is of another build than this program", "Install the same version of both");
}

/// The next frame if it comes in this time. Ends the job if the other end has closed.
std::optional<Frame> Job::waitForFrame(const std::stop_token& stop, int milliseconds, int wake) {
    const bool stopped = stop.stop_requested();
    const bool launcherEnded = process_->hasEnded();
    const auto [readable, ended, woken] =
        waitForAny({channel_->descriptor(), launcherEnded ? -1 : process_->endDescriptor(), stopped ? -1 : wake}, milliseconds);
    if (!readable) {
        // The ranks notice the end of the launcher, too, and rank 0 says so.
        if (launcherEnded) dieAtEnd(true);
        if (ended) (void)waitForAny({channel_->descriptor(), -1, -1}, 500);
        return std::nullopt;
    }
    std::optional<Frame> frame;
    try {
        frame = channel_->receive();
    } catch (const Error& e) {
        die(e);
    }
    if (!frame) dieAtEnd(launcherEnded);
    if (frame->kind == FrameKind::lost) die(errorOf(messageOf<ErrorMessage>(frame->body)));
    return frame;
}

void Job::die(const Error& error) {
    alive_ = false;
    channel_->shutdown();
    process_->end(500ms);
    throw Error(error.code() == ErrorCode::cancelled ? ErrorCode::failed : error.code(), error.summary(), error.why(), kAgain);
}

/// The socket has closed, or the launcher has ended: the launcher, or another rank, says why.
void Job::dieAtEnd(bool launcherEnded) {
    process_->waitFor(1500ms);
    process_->end(0ms);
    const LastWords words = lastWordsOf(process_->lastWords());
    if (!words.ofRank && !words.lost.empty())
        die(Error(ErrorCode::failed, "A rank has ended unexpectedly", words.lost + " was killed or has crashed"));
    const std::string why = words.ofRank    ? words.text
                            : launcherEnded ? "their launcher ended with " + process_->how()
                                            : "rank 0 on " + hello_.hosts.front() + " was killed or has crashed";
    die(Error(ErrorCode::failed, "The ranks have ended", why));
}

void Job::cancelHard() {
    alive_ = false;
    channel_->shutdown();
    process_->end(0ms);
    throwCancelled();
}

Frame Job::request(FrameKind kind, const std::vector<std::byte>& body, const std::shared_ptr<SharedMemory>& memory, FrameKind answer,
                   const std::stop_token& stop, const std::function<void(double)>& onBusy) {
    std::unique_lock lock(requesting_, std::defer_lock);
    while (!lock.try_lock_for(20ms))
        if (stop.stop_requested()) throwCancelled();
    if (stop.stop_requested()) throwCancelled();
    if (!alive_) throw Error(ErrorCode::failed, "The ranks have ended", {}, kAgain);
    const StopEvent stopped(stop);
    try {
        forgetMemory();
        bool isNew = false;
        if (memory) {
            const std::scoped_lock known(knownMutex_);
            isNew = known_.emplace(memory->id(), memory).second;
        }
        channel_->send(kind, body, isNew ? memory->descriptor() : -1);
    } catch (const Error&) {
        dieAtEnd(process_->hasEnded());
    }
    auto heard = Clock::now();
    std::optional<Clock::time_point> cancelled;
    for (;;) {
        const std::optional<Frame> frame = waitForFrame(stop, 100, stopped.get());
        const auto now = Clock::now();
        if (frame) {
            heard = now;
            if (frame->kind == FrameKind::failed) throw errorOf(messageOf<ErrorMessage>(frame->body));
            if (frame->kind == FrameKind::busy && onBusy) onBusy(messageOf<BusyMessage>(frame->body).fraction);
            if (frame->kind == answer) return {frame->kind, frame->body, Descriptor()};
        }
        if (stop.stop_requested() && !cancelled) {
            cancelled = now;
            tell(FrameKind::cancel, 0);
        }
        if (cancelled && now - *cancelled > kAnswerToCancel) cancelHard();
        if (now - heard > kSilence)
            die(Error(ErrorCode::failed, "The ranks do not answer", "rank 0 on " + hello_.hosts.front() + " has been silent for 30 s"));
    }
}

void Job::tell(FrameKind kind, std::uint64_t id) noexcept {
    try {
        if (alive_) channel_->send(kind, bytesOf(IdMessage{id}));
    } catch (const std::exception&) {
        channel_->shutdown();  // the next request finds out
    }
}

void Job::end() noexcept {
    alive_ = false;
    if (channel_) channel_->shutdown();
    process_->end(2s);
}

/// Tells rank 0 what memory is gone here.
void Job::forgetMemory() {
    std::vector<std::uint64_t> gone;
    {
        const std::scoped_lock lock(knownMutex_);
        for (const auto& [id, memory] : known_)
            if (memory.expired()) gone.push_back(id);
        for (const std::uint64_t id : gone) known_.erase(id);
    }
    for (const std::uint64_t id : gone) tell(FrameKind::forget, id);
}

void Job::onTick() {
    if (!alive_) return;
    dropSharedSamples();
    forgetMemory();
}

}  // namespace parallax
