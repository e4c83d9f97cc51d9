// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/conditions/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "core/image/texts.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {
namespace {

std::uint64_t wholeNumber(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

std::string afterColon(const std::string& line) {
    const auto colon = line.find(':');
    return colon == std::string::npos || colon + 2 > line.size() ? std::string() : line.substr(colon + 2);
}

void readProcessor(const std::string& root, MachineRecord& m) {
    std::ifstream file(root + "proc/cpuinfo");
    std::set<std::string> sockets, cores;
    std::string socket;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name") && m.cpu.empty()) m.cpu = afterColon(line);
        if (line.starts_with("processor")) ++m.hardwareThreads;
        if (line.starts_with("physical id")) sockets.insert(socket = afterColon(line));
        if (line.starts_with("core id")) cores.insert(socket + "/" + afterColon(line));
        if (line.starts_with("flags") && m.simd.empty()) {
            std::istringstream flags(line);
            const std::set<std::string> wanted{"sse4_2",  "avx",      "avx2",     "fma",         "f16c",
                                               "avx512f", "avx512bw", "avx512vl", "avx512_fp16", "amx_tile"};
            for (std::string flag; flags >> flag;) {
                if (wanted.count(flag)) m.simd.push_back(flag);
                m.virtualMachine |= flag == "hypervisor";
            }
        }
    }
    m.sockets = std::max<int>(1, static_cast<int>(sockets.size()));
    m.cores = cores.empty() ? m.hardwareThreads : static_cast<int>(cores.size());
    if (m.cores > 0) m.threadsPerCore = m.hardwareThreads / m.cores;
    // kHz
    const std::string clock = root + "sys/devices/system/cpu/cpu0/cpufreq/";
    m.minMHz = static_cast<double>(wholeNumber(firstLine(clock + "cpuinfo_min_freq"))) / 1000;
    m.maxMHz = static_cast<double>(wholeNumber(firstLine(clock + "cpuinfo_max_freq"))) / 1000;
    m.governor = firstLine(clock + "scaling_governor");
}

void readNodes(const std::string& root, MachineRecord& m) {
    for (int i = 0; i < 1024; ++i) {
        const std::string name = "node" + std::to_string(i), base = root + "sys/devices/system/node/" + name + "/";
        const std::string cpus = firstLine(base + "cpulist");
        std::ifstream file(base + "meminfo");
        if (!file) {
            // Node numbers may have small gaps.
            if (i > 64) return;
            continue;
        }
        std::string text = "node " + std::to_string(i) + ": " + (cpus.empty() ? "no CPUs" : "CPUs " + cpus);
        for (std::string line; std::getline(file, line);)
            if (const auto at = line.find("MemTotal:"); at != std::string::npos)
                text += ", " + std::to_string((wholeNumber(line.substr(at + 9)) + (1U << 19)) >> 20) + " GiB";
        m.numa.push_back(std::move(text));
    }
}

/// "node1 (4 ranks), node2 (4 ranks)".
std::string hostsOf(const Ranks& ranks) {
    std::vector<std::pair<std::string, int>> hosts;
    for (int r = 0; r < ranks.size(); ++r) {
        const auto known = std::find_if(hosts.begin(), hosts.end(), [&](const auto& h) { return h.first == ranks.host(r); });
        if (known == hosts.end()) hosts.emplace_back(ranks.host(r), 1);
        else ++known->second;
    }
    std::string text;
    for (const auto& [host, count] : hosts) text += (text.empty() ? "" : ", ") + host + " (" + counted(count, "rank") + ")";
    return text;
}

}  // namespace

std::string firstLine(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::uint64_t CacheInfo::bytes() const {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), n);
    if (error != std::errc{}) return 0;
    const char unit = end == size.data() + size.size() ? ' ' : *end;
    return unit == 'K' ? n << 10 : unit == 'M' ? n << 20 : unit == 'G' ? n << 30 : n;
}

std::vector<CacheInfo> listCaches(const std::string& root, int processor) {
    std::vector<CacheInfo> caches;
    for (int i = 0; i < 8; ++i) {
        const std::string base = root + "sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(i) + "/";
        CacheInfo cache{firstLine(base + "level"), firstLine(base + "type"), firstLine(base + "size"), firstLine(base + "shared_cpu_list")};
        if (cache.level.empty()) break;
        caches.push_back(std::move(cache));
    }
    return caches;
}

double timerResolution() {
    // Once: the records of a process are of the same clock, however busy the machine is.
    static const double resolution = [] {
        using Clock = std::chrono::steady_clock;
        auto smallest = Clock::duration::max();
        for (int i = 0; i < 300; ++i) {
            const auto start = Clock::now();
            auto end = start;
            while (end == start) end = Clock::now();
            smallest = std::min(smallest, end - start);
        }
        return std::chrono::duration<double, std::nano>(smallest).count();
    }();
    return resolution;
}

MachineRecord describeMachine(const Catalog& catalog, const std::string& root) {
    const std::string from = root.ends_with('/') ? root : root + "/";
    MachineRecord m;
    readProcessor(from, m);
    for (const CacheInfo& c : listCaches(from))
        m.caches.push_back("L" + c.level + (c.type == "Data" ? "d" : c.type == "Instruction" ? "i" : "") + " " + c.size);
    readNodes(from, m);
    m.memory = hostDevice().memoryTotal;
    m.usableThreads = effectiveThreads({});
    const std::shared_ptr<Ranks> ranks = processRanks();
    if (ranks) {
        m.usableThreads = 0;
        for (int r = 0; r < ranks->size(); ++r) m.usableThreads += ranks->threads(r);
    }
    m.timerResolutionNs = timerResolution();
    utsname names{};
    if (uname(&names) == 0) {
        m.kernel = std::string(names.sysname) + " " + names.release;
        m.host = names.nodename;
    }
    if (ranks) m.host = hostsOf(*ranks);
    std::ifstream release("/etc/os-release");
    for (std::string line; std::getline(release, line);)
        if (line.starts_with("PRETTY_NAME=")) {
            m.os = line.substr(12);
            std::erase(m.os, '"');
        }
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes) continue;
        // Backends may share devices, as those of kernels in CUDA.
        const std::vector<GpuRecord> known = m.gpus;
        for (const DeviceInfo& d : backend->devices())
            if (d.name != processorName() && std::none_of(known.begin(), known.end(), [&](const GpuRecord& g) { return g.name == d.name; }))
                m.gpus.push_back({d.name, d.memoryTotal, d.details});
    }
    return m;
}

std::string hexadecimal(std::uint64_t value) {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
    return text;
}

std::string hashSamples(View<const float> v) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    const auto add = [&](std::uint64_t word) {
        hash ^= word;
        hash *= 0x100000001b3ULL;
    };
    for (const std::int64_t extent : {v.shape.width, v.shape.height, v.shape.depth, v.shape.channels})
        add(static_cast<std::uint64_t>(extent));
    for (std::int64_t c = 0; c < v.shape.channels; ++c)
        for (std::int64_t z = 0; z < v.shape.depth; ++z)
            for (std::int64_t y = 0; y < v.shape.height; ++y) {
                const float* row = v.row(y, z, c);
                for (std::int64_t x = 0; x < v.shape.width; ++x) {
                    std::uint32_t bits = 0;
                    std::memcpy(&bits, row + x, sizeof bits);
                    add(bits);
                }
            }
    return hexadecimal(hash);
}

std::string utcNow() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace parallax
