// SPDX-License-Identifier: GPL-3.0-or-later
// Files that keep measured ceilings.
#include <sys/utsname.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/engine/backend/backend.hpp"
#include "core/image/texts.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/conditions/machine.hpp"

namespace parallax {
namespace {

constexpr const char* kHeader = "parallax-ceilings 2";

/// Identifies format and host.
std::string hostText() {
    utsname names{};
    std::string text = kHeader;
    if (uname(&names) == 0) text += std::string("|") + names.nodename + "|" + names.machine;
    return text;
}

std::string hashed(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hexadecimal(hash);
}

/// Folder of saved ceilings; empty without a home folder.
std::string cacheFolder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    // The XDG specification says to ignore relative paths.
    if (cache && cache[0] == '/') return std::string(cache) + "/parallax";
    if (home && home[0] == '/') return std::string(home) + "/.cache/parallax";
    return {};
}

}  // namespace

std::string ceilingsFile() {
    const std::string folder = cacheFolder();
    if (folder.empty()) return folder;
    return folder + "/ceilings-" + hashed(hostText() + "|" + processorName() + "|" + std::to_string(effectiveThreads({}))) + ".tsv";
}

std::string ceilingsFile(const std::string& backend, const DeviceInfo& device) {
    const std::string folder = cacheFolder();
    if (folder.empty()) return folder;
    std::string text = hostText() + "|" + backend + "|" + std::to_string(device.index) + "|" + device.name;
    // A change of slot, driver or power limit may change the ceilings.
    for (const auto& [key, value] : device.details) text += "|" + key + "=" + value;
    return folder + "/ceilings-" + backend + "-" + hashed(text) + ".tsv";
}

bool isProcessor(const DeviceInfo& device) { return device.name == processorName(); }

std::vector<CeilingRecord> loadCeilings(const std::string& backend, const DeviceInfo& device) {
    std::vector<CeilingRecord> list = loadCeilings(ceilingsFile(backend, device));
    for (CeilingRecord& r : list) {
        r.backend = backend;
        r.device = device.name;
        r.deviceIndex = device.index;
    }
    return list;
}

std::vector<CeilingRecord> knownCeilings(const Catalog& catalog) {
    std::vector<CeilingRecord> all = loadCeilings(ceilingsFile());
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes) continue;
        for (const DeviceInfo& device : backend->devices()) {
            if (isProcessor(device)) continue;
            const std::vector<CeilingRecord> kept = loadCeilings(backend->id(), device);
            all.insert(all.end(), kept.begin(), kept.end());
        }
    }
    return all;
}

std::vector<CeilingRecord> loadCeilings(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line != kHeader) return {};
    std::vector<CeilingRecord> all;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        CeilingRecord r;
        std::string threads, value, bytes;
        const bool whole = std::getline(fields, r.name, '\t') && std::getline(fields, r.level, '\t') &&
                           std::getline(fields, threads, '\t') && std::getline(fields, value, '\t') && std::getline(fields, r.unit, '\t') &&
                           std::getline(fields, bytes, '\t');
        if (!whole || !parseNumber(threads, r.threads) || !parseNumber(value, r.value) || !parseNumber(bytes, r.bytes) || r.value <= 0)
            return {};
        all.push_back(std::move(r));
    }
    return all;
}

bool saveCeilings(const std::vector<CeilingRecord>& ceilings, const std::string& path) {
    if (path.empty()) return false;
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    const std::string temporary = path + "." + std::to_string(getpid());
    {
        std::ofstream file(temporary);
        file << kHeader << "\n";
        for (const CeilingRecord& r : ceilings) {
            char value[64];
            // Not with <<: that depends on the locale.
            const auto end = std::to_chars(value, value + sizeof value, r.value).ptr;
            file << r.name << '\t' << r.level << '\t' << std::to_string(r.threads) << '\t' << std::string(value, end) << '\t' << r.unit
                 << '\t' << std::to_string(r.bytes) << "\n";
        }
        if (!file.flush()) {
            std::filesystem::remove(temporary, error);
            return false;
        }
    }
    std::filesystem::rename(temporary, path, error);
    if (error) std::filesystem::remove(temporary, error);
    return !error;
}

}  // namespace parallax
