// SPDX-License-Identifier: GPL-3.0-or-later
// Times of SSIM, FLIP and ULP distance of an RGB image. Usage: bench_metrics [SIZE] [THREADS] [REPETITIONS]
// Prints the best wall-clock time and the CPU time of that repetition.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "core/image/synthetic.hpp"
#include "core/metrics/flip.hpp"
#include "core/metrics/ssim.hpp"
#include "core/metrics/ulp.hpp"

namespace {

template <class F>
void measure(const char* name, int repetitions, F&& f) {
    double best = 1e300, cpu = 0;
    for (int i = 0; i < repetitions; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpuStart = std::clock();
        f();
        const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (wall >= best) continue;
        best = wall;
        cpu = 1e3 * static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC;
    }
    std::printf("%-8s %8.1f ms, %8.1f ms CPU\n", name, best, cpu);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace parallax;
    const std::int64_t size = argc > 1 ? std::atoll(argv[1]) : 4096;
    const int repetitions = argc > 3 ? std::atoi(argv[3]) : 7;
    const Image a = makeSynthetic(parseSynthetic("synthetic:noise:" + std::to_string(size) + "x" + std::to_string(size) + ",channels=3"));
    Image b = a.clone();
    for (std::int64_t i = 0; i < b.shape().samples(); i += 2) b.view().data[i] *= 0.95F;
    RunContext context{.threads = argc > 2 ? std::atoi(argv[2]) : 2};
    const PixelPair pair{a.view(), b.view(), {0, 1, 2}};
    measure("SSIM", repetitions, [&] { (void)structuralSimilarity(pair, {}, {}, context); });
    measure("FLIP", repetitions, [&] { (void)flip(pair, {}, {}, context); });
    measure("ULP", repetitions, [&] { (void)ulpMetrics(a.view(), b.view(), context); });
}
