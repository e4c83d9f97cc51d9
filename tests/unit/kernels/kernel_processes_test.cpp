// SPDX-License-Identifier: GPL-3.0-or-later
// Processes of kernels: none stays longer than it is needed, and one that has ended is replaced.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/host/processors.hpp"
#include "core/image/synthetic.hpp"
#include "core/kernels/backend.hpp"
#include "core/kernels/kernel_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

constexpr const char* kKernel = R"(#include <parallax/convolve.h>
const char *parallax_refuses(const parallax_input *in, const parallax_convolve *) { return in->width > 50 ? "it is wide" : nullptr; }
void parallax_kernel(const parallax_input *in, const parallax_output *out, const parallax_convolve *, const parallax_context *) {
    for (int64_t i = 0; i < in->width * in->height; ++i) out->data[i] = in->data[i];
}
)";

/// Numbers of the processes of kernels that this one started.
std::vector<pid_t> runningHosts() {
    std::vector<pid_t> found;
    for (const auto& process : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(process.path() / "stat");
        std::string number, name, state;
        long parent = 0;
        if (file >> number >> name >> state >> parent && parent == getpid() && state != "Z" && name.starts_with("(parallax-kernel"))
            found.push_back(std::stoi(number));
    }
    return found;
}

class KernelProcesses : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            (void)user::kernelHostProgram();
            open();
        } catch (const Error& e) {
            if (e.code() != ErrorCode::unavailable) throw;
            GTEST_SKIP() << e.what();
        }
    }
    void TearDown() override { endKernelProcesses(); }

    void open() {
        const std::string path = folder_ / "copy.cpp";
        std::ofstream(path) << kKernel << "// version " << ++version_ << "\n";
        target_ = openKernel(processCatalog(), path).target();
    }
    std::string run(int width) {
        try {
            const ImagePtr image =
                std::make_shared<const Image>(makeSynthetic(parseSynthetic("synthetic:noise:" + std::to_string(width) + "x8")));
            RunContext context;
            (void)Engine(processCatalog()).run(parsePipeline(processCatalog(), {"convolve"}), image, parseTarget(target_), context);
            return {};
        } catch (const Error& e) {
            return e.what();
        }
    }

private:
    const test::TemporaryFolder folder_;
    std::string target_;
    int version_ = 0;
};

TEST_F(KernelProcesses, EndWithTheVersionThatTheyRan) {
    EXPECT_EQ(run(8), "");
    const std::size_t most = runningHosts().size() + 1;  // a few idle ones are kept
    for (int version = 0; version < 5; ++version) {
        open();
        EXPECT_EQ(run(8), "");
        EXPECT_LE(runningHosts().size(), most);
    }
    endKernelProcesses();
    EXPECT_EQ(runningHosts().size(), 0U);
}

TEST_F(KernelProcesses, AreStartedAgainAfterTheSystemEndedThem) {
    EXPECT_EQ(run(8), "");
    ASSERT_GE(runningHosts().size(), 2U) << "one that runs the kernel and one that is asked what it refuses";
    for (const pid_t host : runningHosts()) kill(host, SIGKILL);
    while (!runningHosts().empty()) usleep(1000);
    EXPECT_EQ(run(8), "");
    EXPECT_NE(run(80).find("it is wide"), std::string::npos);
}

/// "0-1", of all threads of a process, each once.
std::set<std::string> processorsOf(pid_t process) {
    std::set<std::string> found;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        std::ifstream file(thread.path() / "status");
        const std::string name = "Cpus_allowed_list:\t";
        for (std::string line; std::getline(file, line);)
            if (line.starts_with(name)) found.insert(line.substr(name.size()));
    }
    return found;
}

TEST_F(KernelProcesses, RunOnTheProcessorsOfTheThreadThatCalls) {
    const std::vector<int> all = usableProcessors();
    EXPECT_EQ(run(8), "");
    const auto free = processorsOf(getpid());
    ASSERT_EQ(free.size(), 1U);
    const auto runsOn = [&](const std::string& processors) {
        const auto hosts = runningHosts();
        return std::count_if(hosts.begin(), hosts.end(), [&](pid_t host) { return processorsOf(host) == std::set{processors}; });
    };
    const auto hosts = static_cast<std::ptrdiff_t>(runningHosts().size());
    EXPECT_EQ(runsOn(*free.begin()), hosts);
    if (all.size() < 2) GTEST_SKIP() << "there is one processor";
    bindTo({all.back()});
    EXPECT_EQ(run(8), "");
    EXPECT_EQ(runsOn(std::to_string(all.back())), 1) << "the process that runs the kernel";
    bindTo(all);
    EXPECT_EQ(run(8), "");
    EXPECT_EQ(runsOn(*free.begin()), hosts);
}

}  // namespace
}  // namespace parallax
