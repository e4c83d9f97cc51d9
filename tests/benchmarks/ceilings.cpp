// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the measured bandwidths of one memory level with one number of threads as JSON, best and median of the repetitions, for
// stream_ratio.py. Same code as `parallax-cli ceilings`; needs only the core. Usage: bench_ceilings THREADS [LEVEL [SECONDS]]
#include "core/measure/ceilings/ceilings.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv) {
    using namespace parallax;
    if (argc < 2 || argc > 4) {
        std::fprintf(stderr, "Usage: bench_ceilings THREADS [LEVEL [SECONDS]]\n");
        return 2;
    }
    CeilingOptions options;
    options.threads = {std::atoi(argv[1])};
    options.levels = {argc > 2 ? argv[2] : "memory"};
    if (argc > 3) options.seconds = std::atof(argv[3]);
    const char* separator = "{";
    options.onMeasured = [&](const CeilingRecord& c, std::vector<double> rates) {
        const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
        std::nth_element(rates.begin(), middle, rates.end());
        std::printf("%s\"%s\": {\"best\": %.6f, \"median\": %.6f, \"repetitions\": %zu, \"bytes\": %llu}", separator, c.name.c_str(),
                    c.value, *middle, rates.size(), static_cast<unsigned long long>(c.bytes));
        separator = ", ";
    };
    try {
        if (measureCeilings(options).empty()) {
            std::fprintf(stderr, "There is no level '%s'\n", options.levels[0].c_str());
            return 1;
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    std::printf("}\n");
    return 0;
}
