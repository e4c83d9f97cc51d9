// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of a kept job do not grow when runs fail, as in a window that cancels one for each move of a slider.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

constexpr int kRanks = 3;

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The parent of a process; 0 if it has ended.
int parentOf(int process) {
    const std::string text = textOf("/proc/" + std::to_string(process) + "/stat");
    const std::size_t end = text.rfind(')');
    return end == std::string::npos ? 0 : std::atoi(text.c_str() + end + 4);
}

bool descendsFromThis(int process) {
    while (process > 1 && process != getpid()) process = parentOf(process);
    return process == getpid();
}

/// Processes of the ranks that this program has started.
std::vector<int> ranks() {
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const int process = std::atoi(entry.path().filename().c_str());
        const std::string command = process > 0 ? textOf(entry.path() / "cmdline") : "";
        const std::string program = command.c_str();
        if (program.ends_with("parallax-worker") && command.substr(program.size()).starts_with(std::string("\0serve\0", 7)) &&
            descendsFromThis(process))
            found.push_back(process);
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// KiB of memory that belong to a process alone, without that of shared images.
std::int64_t ownMemory(int process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/smaps_rollup");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("Anonymous:")) return std::atoll(line.c_str() + 10);
    return -1;
}

std::vector<std::int64_t> memoryOf(const std::vector<int>& processes) {
    std::vector<std::int64_t> all;
    for (const int p : processes) all.push_back(ownMemory(p));
    return all;
}

/// Prepares a solver on ranks and cancels its run after some time; every third one is cancelled while it is prepared, or before.
void cancelOne(int turn, const ImagePtr& image) {
    using namespace std::chrono_literals;
    const Pipeline pipeline = parsePipeline(processCatalog(), {"poisson"});
    const Target target{.backend = "mpi", .variant = "openmp.cg", .parts = kRanks};
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    std::jthread canceller;
    const auto cancelAfter = [&](std::chrono::milliseconds pause) {
        canceller = std::jthread([&stop, pause] {
            std::this_thread::sleep_for(pause);
            stop.request_stop();
        });
    };
    try {
        if (turn % 3 == 2) cancelAfter(std::chrono::milliseconds(turn % 5));
        PreparedRun run = Engine(processCatalog()).prepare(pipeline, image, target, context);
        if (turn % 3 != 2) cancelAfter(std::chrono::milliseconds(1 + turn % 17));
        run.run(context);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
    }
}

TEST(KeptJob, DoesNotGrowWhenRunsAreCancelled) {
    const auto image = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:300x200")));
    // A busy machine may not answer a cancel in time, which ends the job: the next one is measured then.
    for (int attempt = 0; attempt < 4; ++attempt) {
        for (int i = 0; i < 60; ++i) cancelOne(i, image);
        const std::vector<int> processes = ranks();
        const std::vector<std::int64_t> before = memoryOf(processes);
        for (int i = 0; i < 200; ++i) cancelOne(i, image);
        if (processes.size() != kRanks || ranks() != processes) continue;
        const std::vector<std::int64_t> after = memoryOf(processes);
        for (std::size_t r = 0; r < before.size(); ++r) {
            std::cout << "  rank " << r << ": " << before[r] << " KiB, " << after[r] << " KiB after 200 cancelled runs\n";
            ASSERT_GT(before[r], 0);
            EXPECT_LT(after[r], before[r] + 1024);
        }
        return;
    }
    FAIL() << "no job was kept";
}

}  // namespace
}  // namespace parallax
