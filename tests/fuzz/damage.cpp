// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/damage.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string_view>

#include "core/image/error.hpp"
#include "core/io/loader.hpp"
#include "tests/support/promptness.hpp"

// Leaks of libraries.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libgdcm\nleak:libfontconfig\nleak:libopenjp2\n"; }

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

/// Extreme values.
constexpr std::uint32_t kEvil[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
constexpr std::string_view kEvilTexts[] = {"-1",
                                           "0",
                                           "-0.0",
                                           "1e-320",
                                           "1e308",
                                           "-1e308",
                                           "1e999",
                                           "NaN",
                                           "nan",
                                           "inf",
                                           "null",
                                           "true",
                                           "\"\"",
                                           "[]",
                                           "{}",
                                           "[[[[[[[[",
                                           "0x7fffffff",
                                           "2147483648",
                                           "4294967296",
                                           "9007199254740993",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "18446744073709551615",
                                           "1152921504606846976",
                                           "99999999999999999999999999",
                                           "\"\\ud800\"",
                                           "\xff\xfe",
                                           "\"<script>&\\\\{}$%_^~#\""};

std::size_t place(std::mt19937& random, std::size_t size, std::size_t most) {
    return static_cast<std::size_t>(random()) % std::max<std::size_t>(1, std::min(size, most));
}

auto at(Bytes& b, std::size_t i) { return b.begin() + static_cast<std::ptrdiff_t>(i); }

/// End of the range from `i` whose characters belong.
std::size_t end(const Bytes& b, std::size_t i, const std::function<bool(char)>& belongs) {
    while (i < b.size() && belongs(static_cast<char>(b[i]))) ++i;
    return i;
}

bool inNumber(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'; }
bool inValue(char c) { return c != ',' && c != '\n' && c != ':' && c != '=' && c != '}' && c != ']' && c != ';'; }
bool inLine(char c) { return c != '\n'; }

}  // namespace

Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Bytes damaged(Bytes b, std::mt19937& random) {
    const auto any = [&](std::size_t most) { return place(random, b.size(), most); };
    if (random() % 10 == 0) {
        b.resize(any(b.size()));
        return b;
    }
    for (unsigned k = 0; k < 1 + random() % 6 && !b.empty(); ++k) {
        // Mostly in the header, which has the sizes.
        const std::size_t where = any(random() % 3 ? 900 : b.size());
        switch (random() % 6) {
            case 0: b[where] = static_cast<std::uint8_t>(random()); break;
            case 1: b[where] ^= static_cast<std::uint8_t>(1U << random() % 8); break;
            case 2:
            case 3: {
                const std::uint32_t v = kEvil[random() % std::size(kEvil)];
                const bool big = random() % 2;
                const std::size_t width = random() % 2 ? 4 : 2;
                for (std::size_t i = 0; i < width && where + i < b.size(); ++i)
                    b[where + i] = static_cast<std::uint8_t>(v >> (8 * (big ? width - 1 - i : i)));
                break;
            }
            case 4: {
                const std::size_t n = std::min<std::size_t>(1 + random() % 40, b.size() - where);
                if (random() % 2) b.erase(at(b, where), at(b, where + n));
                else {
                    const Bytes part(at(b, where), at(b, where + n));
                    b.insert(at(b, where), part.begin(), part.end());
                }
                break;
            }
            default: {
                const std::size_t from = any(b.size());
                for (std::size_t i = 0; i < 8 && where + i < b.size() && from + i < b.size(); ++i) b[where + i] = b[from + i];
                break;
            }
        }
    }
    return b;
}

Bytes damagedText(Bytes b, std::mt19937& random) {
    if (random() % 4 == 0) return damaged(std::move(b), random);
    for (unsigned k = 0; k < (random() % 3 ? 1U : 3U) && !b.empty(); ++k) {
        const std::size_t from = place(random, b.size(), b.size());
        const unsigned kind = random() % 4;
        if (kind < 2) {
            const auto belongs = kind == 0 ? inNumber : inValue;
            const std::size_t start = end(b, from, [&](char c) { return !belongs(c); });
            const std::size_t stop = end(b, start, belongs);
            const std::string_view text = kEvilTexts[random() % std::size(kEvilTexts)];
            b.erase(at(b, start), at(b, stop));
            b.insert(at(b, start), text.begin(), text.end());
        } else {
            const auto belongs = kind == 2 ? inLine : inValue;
            const std::size_t start = end(b, from, belongs);
            const std::size_t stop = end(b, std::min(start + 1, b.size()), belongs);
            if (random() % 2) b.erase(at(b, start), at(b, stop));
            else {
                const Bytes part(at(b, start), at(b, stop));
                b.insert(at(b, start), part.begin(), part.end());
            }
        }
    }
    return b;
}

void loadWithPatterns(const std::string& path) {
    const auto load = [&](int pattern) {
        mallopt(M_PERTURB, pattern);
        struct Restore {
            ~Restore() { mallopt(M_PERTURB, 0); }
        } restore;
        return loadImage(path);
    };
    const Image first = load(0x55), second = load(0xaa);
    if (first.samples().bytes() != second.samples().bytes() ||
        std::memcmp(first.samples().data(), second.samples().data(), first.samples().bytes()) != 0)
        throw std::runtime_error("its samples depend on what the memory held before");
}

constexpr double kSoon = 20;  // seconds
/// For all rounds together, with the shadow memory of sanitizers.
constexpr long kMostMemory = 2048;  // MiB

int fuzz(const std::vector<Sample>& samples, long rounds, unsigned seed, const std::function<Bytes(Bytes, std::mt19937&)>& damage,
         const std::function<void(const Sample&)>& take) {
    bool whole = !samples.empty();
    for (const Sample& s : samples) {
        try {
            take(s);
        } catch (const Error& e) {
            std::printf("%s is refused as it is: %s\n", s.name.c_str(), e.what());
            whole = false;
        }
    }
    if (!whole) return 1;
    const std::string last = (fs::temp_directory_path() / ("parallax_fuzz_" + std::to_string(::getpid()) + "_last")).string();
    std::printf("the bytes of the last round: %s\n", last.c_str());
    std::fflush(stdout);
    std::mt19937 random(seed);
    std::map<std::string, std::pair<long, long>> counts;
    double slowest = 0;
    std::string slowestName;
    bool soon = true;
    for (long round = 0; round < rounds; ++round) {
        const Sample& good = samples[static_cast<std::size_t>(round) % samples.size()];
        const Sample bad{good.name, damage(good.bytes, random)};
        write(last, bad.bytes);
        const auto start = std::chrono::steady_clock::now();
        auto& [taken, refused] = counts[good.name];
        try {
            take(bad);
            ++taken;
        } catch (const Error&) {
            ++refused;
        } catch (const std::exception& e) {
            std::printf("%s, round %ld: not an Error of Parallax: %s\n", good.name.c_str(), round, e.what());
            return 1;
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (seconds > slowest) {
            slowest = seconds;
            slowestName = good.name + ", round " + std::to_string(round);
        }
        if (seconds < kSoon) continue;
        // Repeated, since other programs may have delayed it.
        Promptness prompt(1e3 * kSoon);
        while (prompt.again()) {
            prompt.start();
            try {
                take(bad);
            } catch (const Error&) {}
            prompt.stop();
        }
        soon = soon && prompt.held();
    }
    fs::remove(last);
    for (const auto& [name, c] : counts) std::printf("%-32s %7ld taken %7ld refused\n", name.c_str(), c.first, c.second);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("slowest %.3f s (%s), peak memory %ld MiB\n", slowest, slowestName.c_str(), usage.ru_maxrss / 1024);
    const bool small = usage.ru_maxrss / 1024 < kMostMemory;
    if (!small) std::printf("more than the %ld MiB that damaged files may take\n", kMostMemory);
    return soon && small ? 0 : 1;
}

int fuzzingProgram(int argc, char** argv, const std::function<int(long, unsigned)>& body) {
    const long rounds = argc > 1 ? std::atol(argv[1]) : 2000;
    const auto seed = static_cast<unsigned>(argc > 2 ? std::atol(argv[2]) : 1);
    std::printf("%ld rounds, seed %u\n", rounds, seed);
    return body(rounds, seed);
}

}  // namespace parallax::test
