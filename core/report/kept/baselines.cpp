// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kept/baselines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/report/kept/data_folder.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuseUnknown(const std::string& name, const Baselines& baselines) {
    const std::vector<std::string> names = baselines.names();
    throw Error(ErrorCode::usage, "There is no baseline '" + name + "'",
                names.empty() ? "none has been saved" : "saved are " + joined(names),
                "Save one with 'bench --save-baseline NAME' or in the History of the window");
}

}  // namespace

void checkBaselineName(const std::string& name) {
    constexpr std::size_t kMaxBytes = 80;
    const bool control = std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (name.empty() || name.size() > kMaxBytes || name.front() == '.' || control || name.find_first_of("/=") != std::string::npos)
        throw Error(ErrorCode::usage, "'" + name + "' does not suit as the name of a baseline",
                    "it must have 1 to 80 bytes, without '/', '=' and control characters, and not begin with '.'");
}

std::string Baselines::standardFolder() { return dataFolder("baselines"); }

std::vector<std::string> Baselines::names() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error))
        if (const std::string stem = entry.path().stem().string(); entry.path().extension() == ".json" && !stem.starts_with('.'))
            names.push_back(stem);
    std::sort(names.begin(), names.end());
    return names;
}

bool Baselines::has(const std::string& name) const {
    std::error_code error;
    return fs::exists(pathOf(name), error);
}

std::vector<RunRecord> Baselines::load(const std::string& name) const {
    if (!has(name)) refuseUnknown(name, *this);
    return loadRecords(pathOf(name));
}

void Baselines::save(const std::string& name, const std::vector<RunRecord>& records, bool replace) const {
    checkBaselineName(name);
    if (!createFolder(folder_))
        throw Error(ErrorCode::output, "The baseline '" + name + "' is not saved", "the folder '" + folder_ + "' cannot be created",
                    "Check XDG_DATA_HOME");
    if (!replace && has(name))
        throw Error(ErrorCode::output, "There is a baseline '" + name + "' already", {}, "Choose another name, or remove that one first");
    AtomicFile file(pathOf(name), replace);
    file.write(toJson(records));
    file.commit();
}

void Baselines::rename(const std::string& name, const std::string& newName) const {
    checkBaselineName(newName);
    if (!has(name)) refuseUnknown(name, *this);
    std::error_code error;
    // A hard link fails if the name is taken.
    fs::create_hard_link(pathOf(name), pathOf(newName), error);
    if (error && has(newName)) throw Error(ErrorCode::usage, "There is a baseline '" + newName + "' already", {}, "Choose another name");
    if (error) fs::rename(pathOf(name), pathOf(newName), error);  // a file system without links
    else fs::remove(pathOf(name), error);
    if (error) throw Error(ErrorCode::output, "The baseline '" + name + "' cannot be renamed", error.message());
}

void Baselines::remove(const std::string& name) const {
    if (!has(name)) refuseUnknown(name, *this);
    std::error_code error;
    if (!fs::remove(pathOf(name), error)) throw Error(ErrorCode::output, "The baseline '" + name + "' cannot be removed", error.message());
}

NamedRecords baselineFor(const std::string& text, const Baselines& baselines) {
    if (const auto equals = text.find('='); equals != std::string::npos) {
        checkBaselineName(text.substr(0, equals));
        return {text.substr(0, equals), loadRecords(text.substr(equals + 1))};
    }
    const bool isFile = text.find('/') != std::string::npos || text.ends_with(".json");
    if (!isFile) return {text, baselines.load(text)};
    return {fs::path(text).filename().string(), loadRecords(text)};
}

NamedComparison compareWith(const NamedRecords& baseline, const std::vector<RunRecord>& current, double limitPercent) {
    NamedComparison all{baseline.name, {}};
    for (const RunRecord& now : current) {
        const auto same = std::find_if(baseline.records.begin(), baseline.records.end(), [&](const RunRecord& r) {
            return r.sweep.axis == now.sweep.axis && r.sweep.value == now.sweep.value;
        });
        if (same == baseline.records.end()) {
            all.result.warnings.push_back(now.sweep.axis.empty() ? "It has no benchmark"
                                                                 : "It has no point " + now.sweep.axis + " = " + now.sweep.value);
            continue;
        }
        RecordComparison one = compareRecords(*same, now, limitPercent);
        for (ComparedEntry& e : one.entries) {
            if (!now.sweep.axis.empty()) e.label += ", " + now.sweep.value;
            all.result.entries.push_back(std::move(e));
        }
        for (std::string& w : one.warnings)
            if (std::find(all.result.warnings.begin(), all.result.warnings.end(), w) == all.result.warnings.end())
                all.result.warnings.push_back(std::move(w));
    }
    return all;
}

std::string toText(const std::vector<NamedComparison>& comparisons) {
    std::vector<std::string> labels;
    for (const NamedComparison& c : comparisons)
        for (const ComparedEntry& e : c.result.entries)
            if (std::find(labels.begin(), labels.end(), e.label) == labels.end()) labels.push_back(e.label);
    std::vector<std::vector<std::string>> rows{{"time now / before", "now"}};
    for (const NamedComparison& c : comparisons) rows.front().push_back(c.name);
    for (const std::string& label : labels) {
        std::vector<std::string>& row = rows.emplace_back(std::vector<std::string>{label, ""});
        for (const NamedComparison& c : comparisons) {
            const auto e = std::find_if(c.result.entries.begin(), c.result.entries.end(), [&](const auto& x) { return x.label == label; });
            if (e == c.result.entries.end()) {
                row.emplace_back("-");
                continue;
            }
            row[1] = formatTime(e->newNs);
            row.push_back(fmt::format("{}x ({}-{}) {}{}{}", formatNumber(e->ratioOfMedians()), formatNumber(e->ratio.low),
                                      formatNumber(e->ratio.high), verdictName(e->verdict), e->regression ? " REGRESSION" : "",
                                      e->sameResult && !*e->sameResult ? ", other bits" : ""));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            std::size_t width = 0;
            for (const auto& other : rows) width = std::max(width, other[c].size());
            line += row[c] + std::string(width - row[c].size() + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    for (const NamedComparison& c : comparisons)
        for (const std::string& w : c.result.warnings) text += fmt::format("note: {}: {}\n", c.name, w);
    return text;
}

}  // namespace parallax
