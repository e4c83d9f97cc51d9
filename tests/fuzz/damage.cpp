// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/damage.hpp"

#include <malloc.h>
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
#include <tuple>
#include <utility>

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
    LoadOptions options;
    options.unpacked = kUnpackedToDescribe;
    const auto load = [&](int pattern) {
        mallopt(M_PERTURB, pattern);
        struct Restore {
            ~Restore() { mallopt(M_PERTURB, 0); }
        } restore;
        return loadImage(path, options);
    };
    const Image first = load(0x55);
#ifndef __SANITIZE_ADDRESS__
    const Image second = load(0xaa);
    if (first.samples().bytes() != second.samples().bytes() ||
        std::memcmp(first.samples().data(), second.samples().data(), first.samples().bytes()) != 0)
        throw std::runtime_error("its samples depend on what the memory held before");
#endif
}

namespace {

constexpr double kSeconds = 5;     // of a file, divided by the slowness of the machine
constexpr long kMebibytes = 1024;  // of a file: samples of 256 MiB twice, and what decoders need

/// A value in MiB of /proc/self/status.
long statusMebibytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key)) return std::atol(line.c_str() + key.size() + 1) / 1024;
    return 0;
}

/// By how much the memory of the process rises above what it is now.
class MemoryRise {
public:
    MemoryRise() {
        std::ofstream("/proc/self/clear_refs") << 5;  // begins a new peak
        before_ = statusMebibytes("VmRSS");
    }
    long mebibytes() const { return statusMebibytes("VmHWM") - before_; }

private:
    long before_;
};

std::string readerOf(const Sample& s) {
    const std::string extension = lowerExtension(s.name);
    return extension.empty() ? s.name.substr(0, s.name.find(' ')) : extension;
}

/// Damages samples one after another and counts what happens.
class Rounds {
public:
    Rounds(const std::function<Bytes(Bytes, std::mt19937&)>& damage, const std::function<void(const Sample&)>& take, unsigned seed)
        : damage_(damage), take_(take), random_(seed) {
        last_ = (fs::temp_directory_path() / ("parallax_fuzz_" + std::to_string(::getpid()) + "_last")).string();
        std::printf("the bytes of the last round: %s\n", last_.c_str());
        std::fflush(stdout);
    }
    /// Returns whether all kept the limits; stops at the first exception of another type.
    bool run(const std::vector<Sample>& samples, long rounds) {
        for (long round = 0; round < rounds; ++round)
            if (!one(samples[static_cast<std::size_t>(round) % samples.size()], round)) return false;
        fs::remove(last_);
        return true;
    }
    void print() const {
        for (const auto& [name, c] : counts_) std::printf("%-32s %7ld taken %7ld refused\n", name.c_str(), c.first, c.second);
        std::printf("slowest %.3f s (%s), most memory %ld MiB (%s)\n", slowest_, slowestName_.c_str(), most_, mostName_.c_str());
    }

private:
    bool one(const Sample& whole, long round) {
        const std::string name = whole.name + ", round " + std::to_string(round);
        const Sample bad{whole.name, damage_(whole.bytes, random_)};
        write(last_, bad.bytes);
        const MemoryRise memory;
        const auto start = std::chrono::steady_clock::now();
        auto& [taken, refused] = counts_[readerOf(whole)];
        try {
            take_(bad);
            ++taken;
        } catch (const Error&) {
            ++refused;
        } catch (const std::exception& e) {
            std::printf("%s: not an Error of Parallax: %s\n", name.c_str(), e.what());
            return false;
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (seconds > slowest_) std::tie(slowest_, slowestName_) = std::pair(seconds, name);
        if (const long mebibytes = memory.mebibytes(); mebibytes > most_) std::tie(most_, mostName_) = std::pair(mebibytes, name);
        if (most_ > kMebibytes) {
            std::printf("%s: it takes %ld MiB\n", name.c_str(), most_);
            return false;
        }
        if (seconds >= kSeconds && !prompt(bad)) {
            std::printf("%s: it takes %.1f s\n", name.c_str(), seconds);
            return false;
        }
        return true;
    }
    /// Repeated, since other programs may have delayed it.
    bool prompt(const Sample& bad) const {
        Promptness prompt(1e3 * kSeconds);
        while (prompt.again()) {
            prompt.start();
            try {
                take_(bad);
            } catch (const Error&) {}
            prompt.stop();
        }
        return prompt.held();
    }

    const std::function<Bytes(Bytes, std::mt19937&)>& damage_;
    const std::function<void(const Sample&)>& take_;
    std::mt19937 random_;
    std::string last_;
    std::map<std::string, std::pair<long, long>> counts_;
    double slowest_ = 0;
    long most_ = 0;
    std::string slowestName_, mostName_;
};

}  // namespace

int fuzz(const std::vector<Sample>& samples, const FuzzArguments& arguments, const std::function<Bytes(Bytes, std::mt19937&)>& damage,
         const std::function<void(const Sample&)>& take) {
    bool whole = !samples.empty();
    std::map<std::string, std::vector<Sample>> readers;
    for (const Sample& s : samples) {
        const std::string reader = arguments.reader.empty() ? "all" : readerOf(s);
        if (arguments.reader.empty() || arguments.reader == "each" || arguments.reader == reader) readers[reader].push_back(s);
        try {
            take(s);
        } catch (const Error& e) {
            std::printf("%s is refused as it is: %s\n", s.name.c_str(), e.what());
            whole = false;
        }
    }
    if (!whole) return 1;
    if (readers.empty()) {
        std::printf("there is no reader '%s'\n", arguments.reader.c_str());
        return 1;
    }
    bool good = true;
    for (const auto& [reader, its] : readers) {
        Rounds rounds(damage, take, arguments.seed);
        good = rounds.run(its, arguments.rounds) && good;
        rounds.print();
        std::fflush(stdout);
    }
    return good ? 0 : 1;
}

int fuzzingProgram(int argc, char** argv, const std::function<int(const FuzzArguments&)>& body) {
    FuzzArguments arguments;
    if (argc > 1) arguments.rounds = std::atol(argv[1]);
    if (argc > 2) arguments.seed = static_cast<unsigned>(std::atol(argv[2]));
    if (argc > 3) arguments.reader = argv[3];
    std::printf("%ld rounds, seed %u\n", arguments.rounds, arguments.seed);
    return body(arguments);
}

}  // namespace parallax::test
