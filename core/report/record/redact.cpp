// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/redact.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/image/synthetic.hpp"
#include "core/image/texts.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/kernels/kernel_record.hpp"
#include "core/measure/sampling/recipes.hpp"

namespace parallax {
namespace {

/// "folder/name.exr" -> "redacted.exr". Only extensions of known formats: others may be a part of a name, as in DOE.JOHN.
std::string anonymous(const std::string& path) {
    static const std::set<std::string> kKnown = [] {
        std::set<std::string> known{"json", "csv", "html", "md", "tex", "pdf", "parallax", "cpp", "cu"};
        for (const Loader& loader : loaders()) known.insert(loader.extensions.begin(), loader.extensions.end());
        for (const SavableFormat& format : savableFormats()) known.insert(format.extension);
        return known;
    }();
    const std::string extension = lowerExtension(path);
    return "redacted" + (kKnown.contains(extension) ? "." + extension : "");
}

void replaceAll(std::string& text, const std::string& what, const std::string& with) {
    if (what.empty()) return;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) text.replace(at, what.size(), with);
}

/// Words of a shell line, with their quotes.
std::vector<std::string> words(const std::string& line) {
    std::vector<std::string> all;
    std::string word;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\\' && !quoted && i + 1 < line.size()) {
            word += c;
            word += line[++i];
        } else if (c == ' ' && !quoted) {
            if (!word.empty()) all.push_back(std::exchange(word, {}));
        } else {
            if (c == '\'') quoted = !quoted;
            word += c;
        }
    }
    if (!word.empty()) all.push_back(word);
    return all;
}

std::string unquoted(std::string word) {
    std::erase(word, '\'');
    std::erase(word, '\\');
    return word;
}

bool namesAFile(const std::string& word) {
    if (isSynthetic(word)) return false;
    // No parameter of an operation contains '/'.
    return word.find('/') != std::string::npos;
}

/// Ids of the operations that the record measured.
std::set<std::string> operationsOf(const RunRecord& r) {
    std::set<std::string> ids;
    for (const RecipeSteps& recipe : recipesOf(r))
        for (const std::string& step : recipe.steps) ids.insert(step.substr(0, step.find(':')));
    return ids;
}

/// The file that a value of --recipe names: "smith.json" of "soft=smith.json"; empty for "soft=convolve:size=9".
std::string fileOfRecipe(const std::string& text, const std::set<std::string>& operations) {
    const std::string rest = splitRecipeName(text).second;
    const bool steps = operations.contains(rest.substr(0, rest.find_first_of(" :|"))) && rest.find('/') == std::string::npos;
    return steps ? std::string() : rest;
}

bool isReportFile(const std::string& baseline) { return lowerExtension(baseline) == "json" || namesAFile(baseline); }

/// The file that a value of --compare-with names: "smith.json" of "mine=smith.json"; empty for the name of a saved baseline.
std::string fileOfBaseline(const std::string& text) {
    const auto equals = text.find('=');
    const std::string rest = equals == std::string::npos ? text : text.substr(equals + 1);
    return equals != std::string::npos || isReportFile(rest) ? rest : std::string();
}

std::string redactedCommand(const std::string& command, const std::set<std::string>& operations) {
    static const std::set<std::string> kOptions{"-i", "--input", "-o", "--output", "--report", "--from", "--kernel"};
    static const std::set<std::string> kNames{"--baseline", "--backend", "--require-backend"};  // "B/openmp" is no file
    std::string option;
    bool follows = false;  // the word is directly behind an option
    std::vector<std::string> line;
    for (const std::string& word : words(command)) {
        std::string shown = word;
        const std::string plain = unquoted(word);
        const bool isValue = follows || !plain.starts_with('-');
        const auto equals = plain.find('=');
        const std::string key = equals == std::string::npos ? std::string() : plain.substr(0, equals);
        const bool joined = kOptions.contains(key);
        const bool attached = plain.size() > 2 && (plain.starts_with("-i") || plain.starts_with("-o")) && plain[1] != '-';
        if (kNames.contains(option) || kNames.contains(key)) shown = word;
        else if (option == "--recipe" || key == "--recipe") {
            const std::string file = fileOfRecipe(option == "--recipe" ? plain : plain.substr(equals + 1), operations);
            if (!file.empty()) shown = plain.substr(0, plain.size() - file.size()) + anonymous(file);
        } else if (option == "--compare-with" || key == "--compare-with") {
            const std::string file = fileOfBaseline(option == "--compare-with" ? plain : plain.substr(equals + 1));
            if (!file.empty()) shown = plain.substr(0, plain.size() - file.size()) + anonymous(file);
        } else if (joined && !isSynthetic(plain.substr(equals + 1)))
            shown = plain.substr(0, equals + 1) + anonymous(plain.substr(equals + 1));
        else if (attached && !isSynthetic(plain.substr(2))) shown = plain.substr(0, 2) + anonymous(plain.substr(2));
        else if ((kOptions.contains(option) && isValue && !isSynthetic(plain)) || namesAFile(plain)) shown = anonymous(plain);
        line.push_back(shown);
        // An option may take several values.
        if (!isValue || !kOptions.contains(option)) option = plain;
        follows = !isValue;
    }
    return joined(line, " ");
}

/// "-O3 -I/home/user/include" -> "-O3 -I.../redacted".
std::string redactedFlags(const std::string& flags) {
    return joined(words(flags), " ", [](const std::string& word) {
        const auto slash = word.find('/');
        return slash == std::string::npos ? word : word.substr(0, slash) + ".../redacted";
    });
}

/// Names of the machines of a record, long ones first: one may begin with another. MachineRecord::host is a name, or
/// "node1 (4 ranks), node2 (4 ranks)".
std::vector<std::string> hostNames(const RunRecord& r) {
    std::set<std::string> names;
    for (std::size_t begin = 0; begin < r.machine.host.size();) {
        const std::size_t end = std::min(r.machine.host.find(", ", begin), r.machine.host.size());
        const std::string one = r.machine.host.substr(begin, end - begin);
        names.insert(one.substr(0, one.find(" (")));
        begin = end + 2;
    }
    for (const RunEntry& e : r.entries)
        for (const RankHost& host : e.hosts) names.insert(host.name);
    std::vector<std::string> sorted(names.begin(), names.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    return sorted;
}

}  // namespace

RunRecord redacted(RunRecord r) {
    const std::string name = r.input.name;
    const std::vector<std::string> hosts = hostNames(r);
    const bool secret = !isSynthetic(name);
    const auto clean = [&](std::string& text) {
        if (secret) replaceAll(text, name, anonymous(name));
        for (const std::string& host : hosts) replaceAll(text, host, "redacted");
    };
    r.machine.host.clear();
    if (secret) r.input.name = anonymous(name);
    r.command = redactedCommand(r.command, operationsOf(r));
    r.flags = redactedFlags(r.flags);
    redactKernels(r);
    for (BackendBuild& b : r.backends)
        for (auto& [key, value] : b.details) value = redactedFlags(value);
    for (auto& w : r.warnings) clean(w);
    for (RunEntry& e : r.entries) {
        clean(e.reason);
        for (RankHost& host : e.hosts) host.name.clear();
        for (auto& w : e.warnings) clean(w);
    }
    return r;
}

NamedComparison redacted(NamedComparison c) {
    c.result.warnings.clear();
    if (isReportFile(c.name)) c.name = anonymous(c.name);
    return c;
}

}  // namespace parallax
