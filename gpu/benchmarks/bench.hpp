// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of the benchmarks in this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/engine/run/stages.hpp"
#include "gpu/runtime/device.hpp"

namespace parallax::gpu {

/// Arguments of the form `--name` or `--name N`.
class Arguments {
public:
    Arguments(int argc, char** argv) : all_(argv + 1, argv + argc) {}
    bool has(const char* name) const { return find(name) != all_.end(); }
    template <class T>
    T number(const char* name, T otherwise) const {
        const auto at = find(name);
        return at == all_.end() || at + 1 == all_.end() ? otherwise : static_cast<T>(std::atoll((at + 1)->c_str()));
    }

    std::string text(const char* name, std::string otherwise) const {
        const auto at = find(name);
        return at == all_.end() || at + 1 == all_.end() ? std::move(otherwise) : *(at + 1);
    }
    /// Returns the numbers of all arguments with this name.
    std::vector<std::int64_t> numbers(const char* name, std::vector<std::int64_t> otherwise) const {
        std::vector<std::int64_t> all;
        for (std::size_t i = 0; i + 1 < all_.size(); ++i)
            if (all_[i] == name) all.push_back(std::atoll(all_[i + 1].c_str()));
        return all.empty() ? otherwise : all;
    }

private:
    std::vector<std::string>::const_iterator find(const char* name) const { return std::find(all_.begin(), all_.end(), name); }
    std::vector<std::string> all_;
};

/// Returns the exit status of a benchmark: that of `bench`, 1 after an error, 5 without a device.
template <class F>
int benchmarkMain(F&& bench) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (const Availability& a = cudaAvailability(); !a.yes) {
        std::printf("CUDA is not available: %s. %s\n", a.reason.c_str(), a.whatToDo.c_str());
        return 5;
    }
    try {
        return bench();
    } catch (const Error& e) {
        std::printf("failed: %s (%s)\n", e.what(), e.why().c_str());
        return 1;
    }
}

/// Returns 0 if there are no values.
inline double quantile(std::vector<double> v, double q) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
}
inline double median(std::vector<double> v) { return quantile(std::move(v), 0.5); }

/// Uniform in [0, 1), the same on every machine.
inline float pseudoRandom(std::uint64_t i) {
    std::uint64_t z = i * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24F;
}

/// Returns the milliseconds of a call, of `calls` calls between two events.
template <class F>
double millisecondsOf(StageClock& clock, int calls, F&& call) {
    clock.begin(Stage::compute);
    for (int i = 0; i < calls; ++i) call();
    clock.end();
    return static_cast<double>(clock.finish().compute()) * 1e-6 / calls;
}

/// Times trials (members `run` and `ms`) in turns. The first samples of each are dropped; the others are sorted.
template <class Trial>
void timeInTurns(StageClock& clock, std::vector<Trial>& trials, int samples, int dropped, int calls) {
    for (int i = 0; i < samples + dropped; ++i)
        for (Trial& t : trials) {
            const double ms = millisecondsOf(clock, calls, t.run);
            if (i >= dropped) t.ms.push_back(ms);
        }
    for (Trial& t : trials) std::sort(t.ms.begin(), t.ms.end());
}

}  // namespace parallax::gpu
