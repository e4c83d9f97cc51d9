// SPDX-License-Identifier: GPL-3.0-or-later
// The client of the backend `mpi`, without MPI: templates of launchers, frames, shared memory, the process of a launcher.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/backends/mpi/backend.hpp"
#include "core/backends/mpi/job.hpp"
#include "core/backends/mpi/last_words.hpp"
#include "core/engine/backend/rank_launcher.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/image/synthetic.hpp"
#include "tests/support/fake_device.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;

class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) { (void)setenv(name, value, 1); }
    ~Variable() { (void)unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

std::string messageOfError(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

/// A backend with one implementation, whose device can be taken away.
class SometimesAvailable final : public test::FakeBackend {
public:
    explicit SometimesAvailable(std::string id) : FakeBackend(std::move(id)) { implementations_.push_back(&blur_); }
    Availability availability() const override { return {present, present ? "" : "No device", ""}; }

    bool present = true;

private:
    class Blur final : public Implementation {
        std::string operation() const override { return "convolve"; }
        std::string variant() const override { return "blur"; }
        std::string summary() const override { return "Blurs"; }
        Support supports(const Problem&) const override { return {}; }
        MemoryEstimate estimate(const Problem&) const override { return {}; }
        std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override { return nullptr; }
    };
    Blur blur_;
};

TEST(MpiBackend, OffersTheBackendsThatAreAvailable) {
    const auto processor = std::make_shared<SometimesAvailable>("openmp"), device = std::make_shared<SometimesAvailable>("cuda");
    device->present = false;
    const std::vector<std::shared_ptr<Backend>> backends{processor, device};
    const std::shared_ptr<Backend> ranks = makeMpiBackend(backends);
    const auto variants = [&] {
        std::vector<std::string> all;
        for (const Implementation* i : ranks->implementations()) all.push_back(i->variant());
        return all;
    };
    EXPECT_EQ(variants(), std::vector<std::string>{"openmp"});
    device->present = true;
    EXPECT_EQ(variants(), (std::vector<std::string>{"openmp", "cuda"}));
}

TEST(MpiTarget, AlwaysNamesItsRanks) {
    EXPECT_EQ(parseTarget("mpi.openmp@4").parts, 4);
    EXPECT_EQ(parseTarget("mpi.openmp.direct@4").variant, "openmp.direct");
    EXPECT_EQ(parseTarget("mpi.openmp@1").label(), "mpi.openmp@1");
    EXPECT_GE(defaultRanks(), 1);
    EXPECT_EQ(parseTarget("mpi.openmp").parts, defaultRanks());
    EXPECT_EQ(parseTarget(parseTarget("mpi").label()), parseTarget("mpi"));
}

TEST(Launcher, SplitsLikeAShellWithoutExpansion) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(launcherWords("mpiexec -n {ranks}"), (Words{"mpiexec", "-n", "{ranks}"}));
    EXPECT_EQ(launcherWords("  a\\ b 'c  d'\"e \\\" f\"  '' $HOME -n={ranks}\t"), (Words{"a b", "c  de \" f", "", "$HOME", "-n={ranks}"}));
}

TEST(Launcher, RefusesTemplatesThatCannotStartRanks) {
    EXPECT_NE(messageOfError([] { (void)launcherWords("mpiexec -n 4"); }).find("{ranks}"), std::string::npos);
    EXPECT_NE(messageOfError([] { (void)launcherWords("mpiexec -n '{ranks}"); }).find("quote"), std::string::npos);
    EXPECT_NE(messageOfError([] { (void)launcherWords("  "); }).find("no program"), std::string::npos);
    EXPECT_NE(messageOfError([] { (void)launcherWords("'' {ranks}"); }).find("no program"), std::string::npos);
}

TEST(Launcher, TheEnvironmentTakesPrecedence) {
    setMpiLauncher("srun -n {ranks}");
    EXPECT_EQ(mpiLauncher(), "srun -n {ranks}");
    {
        const Variable variable("PARALLAX_MPI_LAUNCHER", "mine {ranks}");
        EXPECT_EQ(mpiLauncher(), "mine {ranks}");
    }
    setMpiLauncher({});
    EXPECT_EQ(mpiLauncher(), kDefaultMpiLauncher);
}

TEST(LastWords, PreferTheMessageOfAWorker) {
    EXPECT_EQ(lastWordsOf("-----\nnoise\nparallax-worker: A rank has ended: rank 2.\nmore\n").text, "A rank has ended: rank 2");
    EXPECT_EQ(lastWordsOf("----\n\n one\n  two \n").text, "one two");
    EXPECT_EQ(lastWordsOf("[node1:00406] plm:rsh: Warning: setpgid(410,410) failed in parent with errno=Permission denied(13)\nbad\n").text,
              "bad");
    EXPECT_EQ(lastWordsOf("").text, "");
    EXPECT_EQ(lastWordsOf("\x1b[31mred").text, "[31mred");
    EXPECT_NE(lastWordsOf("There are not enough slots available").advice.find("--oversubscribe"), std::string::npos);
    const LastWords ssh =
        lastWordsOf("ssh: Could not resolve hostname node3: Temporary failure\n---\nORTE was unable to reliably start one or more\n");
    EXPECT_EQ(ssh.text, "ssh: Could not resolve hostname node3: Temporary failure");
    EXPECT_NE(ssh.advice.find("host file"), std::string::npos);
    EXPECT_EQ(ssh.lost, "");
    EXPECT_EQ(lastWordsOf("---\nmpirun noticed that process rank 12 with PID 263 on node node2 exited on signal 9 (Killed).\n").lost,
              "rank 12 on node2");
    EXPECT_LT(lastWordsOf(std::string(100000, 'x')).text.size(), 400U);
}

/// Two ends of a connection.
struct Ends {
    Ends() {
        std::array<int, 2> sockets{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) throw std::runtime_error("no socket pair");
        one = std::make_unique<Channel>(Descriptor(sockets[0]));
        other = Descriptor(sockets[1]);
    }
    void write(const void* data, std::size_t bytes) const { ASSERT_EQ(::write(other.get(), data, bytes), static_cast<ssize_t>(bytes)); }
    std::unique_ptr<Channel> one;
    Descriptor other;
};

TEST(Channel, CarriesFramesAndDescriptors) {
    Ends ends;
    Channel other(std::move(ends.other));
    const auto memory = SharedMemory::create(100);
    std::memcpy(memory->data(), "samples", 8);
    std::vector<std::byte> large(3 << 20, std::byte{7});
    std::thread sender([&] {
        ends.one->send(FrameKind::run, large, memory->descriptor());
        ends.one->send(FrameKind::cancel, {});
        ends.one->shutdown();
    });
    std::optional<Frame> frame = other.receive();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->kind, FrameKind::run);
    EXPECT_EQ(frame->body, large);
    ASSERT_TRUE(frame->descriptor);
    const auto mapped = SharedMemory::open(std::move(frame->descriptor), 100, 1);
    EXPECT_STREQ(static_cast<const char*>(mapped->data()), "samples");
    frame = other.receive();
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->body.empty());
    EXPECT_FALSE(frame->descriptor);
    EXPECT_FALSE(other.receive()) << "the end";
    sender.join();
}

TEST(Channel, RefusesWhatIsNoFrame) {
    struct Header {
        std::uint32_t magic = 0x4d584c50, kind = 2;
        std::uint64_t bytes = 0;
    };
    const auto error = [](Header header, std::size_t bytes = sizeof(Header)) {
        Ends ends;
        ends.write(&header, bytes);
        ends.other.reset();
        return messageOfError([&] { (void)ends.one->receive(); });
    };
    EXPECT_NE(error({.magic = 1}).find("something else"), std::string::npos);
    EXPECT_NE(error({.kind = 0}).find("something else"), std::string::npos);
    EXPECT_NE(error({.kind = 1000}).find("something else"), std::string::npos);
    EXPECT_NE(error({.bytes = std::uint64_t{1} << 60}).find("too long"), std::string::npos);
    EXPECT_NE(error({.bytes = 10}).find("within a message"), std::string::npos);
    EXPECT_NE(error({}, 5).find("within a message"), std::string::npos);
}

TEST(Channel, ConnectsOnlyToAListener) {
    const Listener listener;
    EXPECT_NE(messageOfError([] { (void)connectTo("parallax-none"); }).find("No program waits"), std::string::npos);
    const Descriptor client = connectTo(listener.name());
    EXPECT_TRUE(listener.accept());
    EXPECT_NE(Listener().name(), listener.name());
}

TEST(SharedMemory, IsRefusedUnlessItKeepsItsSize) {
    const auto memory = SharedMemory::create(4096);
    const auto open = [&](int descriptor, std::size_t bytes) { (void)SharedMemory::open(Descriptor(dup(descriptor)), bytes, 1); };
    EXPECT_NO_THROW(open(memory->descriptor(), 4096));
    EXPECT_THROW(open(memory->descriptor(), 4097), Error) << "smaller than its samples";
    EXPECT_THROW(open(memory->descriptor(), 0), Error);
    EXPECT_THROW((void)SharedMemory::open(Descriptor(), 1, 1), Error);
    const Descriptor unsealed(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    ASSERT_EQ(ftruncate(unsealed.get(), 4096), 0);
    EXPECT_THROW(open(unsealed.get(), 4096), Error) << "its owner could truncate it";
}

TEST(SharedMemory, OfResultsIsFoundByItsAddress) {
    Buffer result(Shape{64, 64}, SampleType::float32, sharedResultMemory());
    const auto memory = sharedResultAt(result.data());
    ASSERT_TRUE(memory);
    EXPECT_GE(memory->bytes(), result.bytes());
    EXPECT_FALSE(sharedResultAt(static_cast<char*>(result.data()) + 4));
}

DoneMessage exampleDone() {
    DoneMessage done;
    StageTimes times;
    times[Stage::compute] = 5;
    times.extendSpan(Stage::compute, 1, 6);
    times.setOrigin(77);
    times.keepPieces({{.stage = Stage::compute, .strip = 0, .span = {1, 6}, .part = 3}});
    done.times = timesMessage(times);
    done.tolerances = {0, 1e-6};
    done.statistics = {{1, "white", "White point", "", 2.5}};
    done.series = {{0, "residual", "R", "converged", {1, 2}, {0.5, 0.25}, 1e-6}};
    done.curves = {{1, {0, 1}, {0, 0.5}}};
    done.warnings = {"a warning"};
    done.onParts = true;
    done.received.bytes = 1000;
    return done;
}

TEST(Messages, AreTheSameAfterTheirWay) {
    const auto done = messageOf<DoneMessage>(bytesOf(exampleDone()));
    EXPECT_EQ(done.tolerances, exampleDone().tolerances);
    EXPECT_EQ(done.statistics.at(0).title, "White point");
    EXPECT_EQ(done.curves.at(0).output, exampleDone().curves[0].output);
    EXPECT_EQ(done.warnings, exampleDone().warnings);
    EXPECT_TRUE(done.onParts);
    const StageTimes times = timesOf(done.times);
    EXPECT_EQ(times.compute(), 5);
    EXPECT_EQ(times.origin(), 77);
    EXPECT_EQ(times.parts(), 4);
    EXPECT_EQ(times.span(Stage::compute).end, 6);
    EXPECT_EQ(done.series[0].end, "converged");
    EXPECT_EQ(done.received.bytes, 1000);
}

TEST(Messages, ThatAreDamagedAreRefused) {
    const std::vector<std::byte> whole = bytesOf(exampleDone());
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_THROW((void)messageOf<DoneMessage>(std::span(whole).first(size)), Error) << size;
    std::vector<std::byte> longer = whole;
    longer.push_back(std::byte{0});
    EXPECT_THROW((void)messageOf<DoneMessage>(longer), Error);
    std::vector<std::byte> huge = bytesOf(PreparedMessage{1, {"a"}, {"b"}});
    const std::uint64_t count = ~std::uint64_t{0};
    std::memcpy(huge.data() + sizeof(int), &count, sizeof count);
    EXPECT_THROW((void)messageOf<PreparedMessage>(huge), Error);
    TimesMessage times = exampleDone().times;
    times.pieces[0].part = kMaxParts;
    EXPECT_THROW((void)timesOf(times), Error);
    EXPECT_EQ(errorOf({static_cast<ErrorCode>(99), "what", "", ""}).code(), ErrorCode::failed);
}

Launch shell(const std::string& script) { return {{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin", "NAME=value"}}; }

TEST(LaunchedProcess, KeepsItsLastWordsAndTellsHowItEnded) {
    const LaunchedProcess process(shell("echo $NAME; echo problem >&2; exit 3"));
    process.waitFor(20s);
    EXPECT_TRUE(process.hasEnded());
    EXPECT_EQ(process.how(), "exit code 3");
    EXPECT_EQ(process.lastWords(), "value\nproblem\n");
    pollfd ended{process.endDescriptor(), POLLIN, 0};
    EXPECT_EQ(poll(&ended, 1, 0), 1);
}

TEST(LaunchedProcess, EndsWithItsOwner) {
    const auto begin = std::chrono::steady_clock::now();
    {
        LaunchedProcess process(shell("trap '' TERM; sleep 100 & wait; sleep 100"));
        process.end(0ms);
        EXPECT_EQ(process.how(), "");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 50s);
}

TEST(LaunchedProcess, SaysThatAProgramCannotBeStarted) {
    EXPECT_NE(messageOfError([] {
                  const LaunchedProcess process({{"/no/such/program"}, {}});
              }).find("/no/such/program"),
              std::string::npos);
}

TEST(Job, TellsWhyItDoesNotStart) {
    const auto start = [](const std::string& launcher) { return messageOfError([&] { const Job job(launcher, 2, {}); }); };
    if (workerPath().empty()) GTEST_SKIP() << "parallax-worker is not beside this program";
    EXPECT_NE(start("/bin/sh -c 'echo last words; exit 5' {ranks}").find("exit code 5: last words"), std::string::npos);
    EXPECT_NE(start("no-such-launcher {ranks}").find("'no-such-launcher' was not found"), std::string::npos);
    const Variable limit("PARALLAX_MPI_START_SECONDS", "1");
    EXPECT_NE(start("/bin/sleep {ranks}0 || true").find("The ranks did not start"), std::string::npos);
    EXPECT_NE(start("/bin/sh -c 'echo hello; exec sleep 100' {ranks}").find("no rank within 1 second: hello"), std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(messageOfError([&] { const Job job("/bin/sh -c 'exec sleep 100' {ranks}", 2, stop.get_token()); }), "Cancelled");
}

}  // namespace
}  // namespace parallax
