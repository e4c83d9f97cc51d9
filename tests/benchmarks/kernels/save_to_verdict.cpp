// SPDX-License-Identifier: GPL-3.0-or-later
// Time from saving a kernel of the convolution until its verdict, as in the window, which does the same: it is compiled, checked on all
// problems, and timed quickly. The first save, which also starts the driver, is told apart. Exit code 1 if the median of the others exceeds
// the limit.
//   bench_save_to_verdict [c++|cuda] [RUNS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "core/kernels/kernel_text.hpp"
#include "core/measure/kernel_check/kernel_check.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace parallax;

struct Seconds {
    double compile = 0, load = 0, check = 0, time = 0;
    double all() const { return compile + load + check + time; }
};

double median(std::vector<Seconds> runs, double (*of)(const Seconds&)) {
    std::sort(runs.begin(), runs.end(), [&](const Seconds& a, const Seconds& b) { return of(a) < of(b); });
    return of(runs[runs.size() / 2]);
}

template <class F>
double secondsOf(F&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Seconds save(const std::string& path, int number) {
    std::ofstream(path, std::ios::app) << "enum { kSaved" << number << " = " << number << " };\n";  // a compiler cache does not know it
    const Catalog& catalog = processCatalog();
    OpenedKernel kernel;
    KernelCheck check;
    RunEntry entry;
    Seconds s;
    s.load = secondsOf([&] { kernel = openKernel(catalog, path, {}); });
    s.check = secondsOf([&] { check = checkKernel(Engine(catalog), kernel.operation, parseTarget(kernel.target()), {}); });
    s.time = secondsOf([&] { entry = timeKernel(catalog, kernel, {}); });
    if (!check.passed() || entry.samples.empty()) throw Error(ErrorCode::failed, "The kernel did not pass, or was not timed");
    s.compile = kernel.seconds;
    s.load -= kernel.seconds;
    return s;
}

}  // namespace

int main(int count, char** arguments) {
    const bool cuda = count > 1 && std::string(arguments[1]) == "cuda";
    const int runs = std::max(1, count > 2 ? std::atoi(arguments[2]) : 9);
    const double limit = cuda ? 1.5 : 2.5;
    try {
        const test::TemporaryFolder folder;
        const std::string path = folder / (cuda ? "mine.cu" : "mine.cpp");
        std::ofstream(path) << user::newKernel(processCatalog().operation("convolve"), "",
                                               cuda ? user::KernelLanguage::cuda : user::KernelLanguage::cpp);
        const Seconds first = save(path, 0);
        std::vector<Seconds> all;
        for (int i = 1; i <= runs; ++i) all.push_back(save(path, i));
        const double total = median(all, [](const Seconds& s) { return s.all(); });
        std::printf(
            "%.2f s from saving to the verdict, median of %d saves (limit %.1f s; first save %.2f s): compile %.2f s, load %.2f s, "
            "check %.2f s, time %.2f s\n",
            total, runs, limit, first.all(), median(all, [](const Seconds& s) { return s.compile; }),
            median(all, [](const Seconds& s) { return s.load; }), median(all, [](const Seconds& s) { return s.check; }),
            median(all, [](const Seconds& s) { return s.time; }));
        return total > limit ? 1 : 0;
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_save_to_verdict: %s\n", e.what());
        return 2;
    }
}
