// SPDX-License-Identifier: GPL-3.0-or-later
// The same work of a team of OpenMP in two processes in turns, in random order: how much does it take longer in one of them because of the
// threads of the other? With `quiet` each run waits until they sleep, with `warm` an untimed run precedes each one, as in comparisons of
// backends (core/measure/sampling).
//   bench_two_processes [THREADS [MICROSECONDS [ROUNDS]]]     default: all processors, 1000, 60
#include <omp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "core/measure/processors/quiet_processors.hpp"

namespace {

using Clock = std::chrono::steady_clock;
volatile float sink;

double microseconds(Clock::time_point from) { return std::chrono::duration<double, std::micro>(Clock::now() - from).count(); }

/// `steps` dependent multiply-adds in each thread.
[[gnu::noinline]] void work(int threads, int steps) {
    float sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
    for (int t = 0; t < threads; ++t) {
        volatile float factor = 0.999F;
        const float f = factor;
        float value = static_cast<float>(t);
        for (int i = 0; i < steps; ++i) value = value * f + 0.5F;
        sum += value;
    }
    sink = sum;
}

double timed(int threads, int steps, bool warm) {
    if (warm) work(threads, steps);
    const auto start = Clock::now();
    work(threads, steps);
    return microseconds(start);
}

double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

void compare(int threads, int steps, int rounds, bool quiet, bool warm) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) std::exit(1);
    if (fork() == 0) {
        close(ends[0]);
        char request = 0;
        while (recv(ends[1], &request, 1, 0) == 1) {
            const double time = timed(threads, steps, warm);
            if (send(ends[1], &time, sizeof time, MSG_NOSIGNAL) < 0) break;
        }
        _exit(0);
    }
    close(ends[1]);
    std::vector<double> here, there;
    std::mt19937 random(1);
    for (int i = 0; i < 2 * rounds + 10; ++i) {
        parallax::QuietProcessors processors;
        if (quiet) processors.wait({});
        double time = 0;
        const bool other = i < 10 ? i % 2 == 1 : random() % 2 == 1;
        if (!other) {
            time = timed(threads, steps, warm);
        } else if (send(ends[0], "", 1, MSG_NOSIGNAL) != 1 || recv(ends[0], &time, sizeof time, 0) != sizeof time) {
            std::exit(1);
        }
        if (i >= 10) (other ? there : here).push_back(time);
    }
    close(ends[0]);
    std::printf("%-5s %-4s here %7.0f us (%.0f to %.0f), there %7.0f us (%.0f to %.0f), ratio %.3f\n", quiet ? "quiet" : "",
                warm ? "warm" : "", quantile(here, 0.5), quantile(here, 0.25), quantile(here, 0.75), quantile(there, 0.5),
                quantile(there, 0.25), quantile(there, 0.75), quantile(there, 0.5) / quantile(here, 0.5));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : omp_get_num_procs(), length = argc > 2 ? std::atoi(argv[2]) : 1000,
              rounds = argc > 3 ? std::atoi(argv[3]) : 60;
    if (threads < 1 || length < 1 || rounds < 1) {
        std::fputs("usage: bench_two_processes [THREADS [MICROSECONDS [ROUNDS]]]\n", stderr);
        return 2;
    }
    // Steps in that time, found by one thread: a process that has a team must not fork.
    constexpr int kTrial = 1'000'000;
    double fastest = 1e300;
    for (int i = 0; i < 5; ++i) {
        const auto start = Clock::now();
        float value = 1;
        volatile float factor = 0.999F;
        const float f = factor;
        for (int k = 0; k < kTrial; ++k) value = value * f + 0.5F;
        sink = value;
        fastest = std::min(fastest, microseconds(start));
    }
    const int steps = static_cast<int>(length / fastest * kTrial);
    std::printf("%d threads, runs of %d us\n", threads, length);
    std::fflush(stdout);  // before fork()
    for (const bool quiet : {false, true})
        for (const bool warm : {false, true}) {
            // Each comparison in processes of its own, since a team stays.
            const pid_t child = fork();
            if (child == 0) {
                compare(threads, steps, rounds, quiet, warm);
                _exit(0);
            }
            int status = 0;
            (void)!waitpid(child, &status, 0);
        }
    return 0;
}
