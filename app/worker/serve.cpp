// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/serve.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/worker/served_pipelines.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/engine/run/translated_errors.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;

/// Serves a client on rank 0. A thread reads what it says, so that it can cancel, and tells it every tenth of a second that a request is
/// being worked on.
class Server {
public:
    Server(MpiRanks& ranks, const std::string& client) : channel_(connectTo(client)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        HelloMessage hello{.build = buildInfo().stamp, .hosts = {}, .processors = {}, .threads = {}};
        for (int r = 0; r < ranks.size(); ++r) {
            hello.hosts.push_back(ranks.host(r));
            hello.processors.push_back(ranks.processor(r));
            hello.threads.push_back(ranks.threads(r));
        }
        channel_.send(FrameKind::hello, bytesOf(hello));
    }

    /// Returns when the client has ended, or on a signal.
    void run() {
        std::thread reader([this] { read(); });
        const std::stop_callback interrupted(cli::interruption(), [this] {
            stop_.request_stop();
            wake();
        });
        while (std::optional<Frame> frame = next()) serve(std::move(*frame));
        reader.join();
        pipelines_.clear();
    }

    /// Tells the client why the job ends. From another thread.
    void tellLoss(const Error& error) noexcept {
        try {
            channel_.send(FrameKind::lost, bytesOf(errorMessage(error)));
        } catch (const std::exception&) {
            // It has ended, too.
        }
    }

private:
    static bool isRequest(FrameKind kind) { return kind != FrameKind::release && kind != FrameKind::forget; }
    void wake() {
        const std::uint64_t one = 1;
        (void)!write(wake_.get(), &one, sizeof one);
    }

    /// The next request; nothing at the end.
    std::optional<Frame> next() {
        std::unique_lock lock(mutex_);
        working_ = false;
        changed_.wait(lock, [&] { return ended_ || !frames_.empty(); });
        if (ended_) return std::nullopt;
        Frame frame = std::move(frames_.front());
        frames_.pop_front();
        if (isRequest(frame.kind)) {
            run_ = std::stop_source();
            if (cancelsNext_) run_.request_stop();
            cancelsNext_ = false;
            working_ = true;
        }
        lock.unlock();
        wake();  // the reader begins to tell that this process works
        return frame;
    }

    void serve(Frame frame) {
        try {
            if (frame.kind == FrameKind::release) return pipelines_.release(idOf(frame));
            if (frame.kind == FrameKind::forget) return pipelines_.forgetMemory(messageOf<IdMessage>(frame.body).id);
            progress_.start(0);
            RunContext context{.stop = stopOfRun(), .progress = &progress_};
            translated("The ranks", [&] { answer(frame, context); });
        } catch (const Error& e) {
            reply(FrameKind::failed, errorMessage(e));
        }
    }

    void answer(Frame& frame, RunContext& context) {
        switch (frame.kind) {
            case FrameKind::prepare:
                return reply(FrameKind::prepared,
                             pipelines_.prepare(messageOf<PrepareMessage>(frame.body), std::move(frame.descriptor), context));
            case FrameKind::run:
                return reply(FrameKind::done, pipelines_.run(messageOf<RunMessage>(frame.body), std::move(frame.descriptor), context));
            case FrameKind::askLaps: return reply(FrameKind::laps, pipelines_.laps(idOf(frame), context));
            default: throw Error(ErrorCode::failed, "The client asks for something that ranks do not do");
        }
    }

    template <class Message>
    void reply(FrameKind kind, const Message& message) {
        {
            const std::scoped_lock lock(mutex_);
            working_ = false;  // nothing comes after the answer
        }
        try {
            channel_.send(kind, bytesOf(message));
        } catch (const Error&) {
            end();
        }
    }

    static std::int64_t idOf(const Frame& frame) { return static_cast<std::int64_t>(messageOf<IdMessage>(frame.body).id); }
    std::stop_token stopOfRun() {
        const std::scoped_lock lock(mutex_);
        if (stop_.stop_requested()) run_.request_stop();
        return run_.get_token();
    }

    void end() {
        {
            const std::scoped_lock lock(mutex_);
            ended_ = true;
            run_.request_stop();
        }
        changed_.notify_all();
    }

    void read() {
        while (!ended()) {
            std::array<pollfd, 2> events{pollfd{channel_.descriptor(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
            (void)poll(events.data(), events.size(), isWorking() ? 100 : -1);
            std::uint64_t count = 0;
            (void)!::read(wake_.get(), &count, sizeof count);
            try {
                if (stop_.stop_requested() || (events[0].revents != 0 && !take(channel_.receive()))) end();
                else if (isWorking()) channel_.send(FrameKind::busy, bytesOf(BusyMessage{progress_.fraction()}));
            } catch (const Error&) {
                end();  // the client is gone, or is none of ours
            }
        }
        endInTime();
    }

    /// False at the end.
    bool take(std::optional<Frame> frame) {
        if (!frame) return false;
        const std::scoped_lock lock(mutex_);
        if (frame->kind == FrameKind::cancel) {
            if (working_) run_.request_stop();
            else cancelsNext_ = std::any_of(frames_.begin(), frames_.end(), [](const Frame& f) { return isRequest(f.kind); });
            return true;
        }
        frames_.push_back(std::move(*frame));
        changed_.notify_all();
        return true;
    }

    /// Ranks that do not leave their run do not outlive the client: the launcher ends them with this one.
    static void endInTime() {
        std::thread([] {
            std::this_thread::sleep_for(1s);
            std::_Exit(cli::kFailed);
        }).detach();
    }

    bool ended() {
        const std::scoped_lock lock(mutex_);
        return ended_;
    }
    bool isWorking() {
        const std::scoped_lock lock(mutex_);
        return working_;
    }

    Channel channel_;
    Descriptor wake_;
    Progress progress_;
    std::stop_source stop_;  // of all runs
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Frame> frames_;
    std::stop_source run_;
    bool working_ = false, cancelsNext_ = false, ended_ = false;
    ServedPipelines pipelines_{processCatalog()};
};

/// Reports why the job cannot go on: on rank 0 to its client.
int reportLoss(Server* server, const Error& error) {
    if (server) server->tellLoss(error);
    else cli::printError(error.what());
    return cli::exitCodeOf(error.code());
}

}  // namespace

void addServe(CLI::App& app, cli::Action& chosen, const std::shared_ptr<MpiRanks>& ranks) {
    auto client = std::make_shared<std::string>();
    CLI::App* const command = app.add_subcommand("serve", "Compute for parallax-cli or the window, which start this themselves");
    command->add_option("--client", *client, "Socket of the program that has started the ranks")->required()->type_name("NAME");
    command->callback([=, &chosen] {
        chosen = [=] {
            Server server(*ranks, *client);
            ranks->setLossHandler([&server](const Error& error) { return reportLoss(&server, error); });
            server.run();
            ranks->setLossHandler([](const Error& error) { return reportLoss(nullptr, error); });
            return cli::kSuccess;
        };
    });
}

}  // namespace parallax
