// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/batch/batch_items.hpp"

#include <glob.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/image/texts.hpp"
#include "core/io/formats/input_files.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "core/io/saver.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlaceholders = "{name}, {ext}, {folder}, {number}, {op} or {backend}";

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The digits from a position on, without leading zeros.
std::string_view numberAt(std::string_view text, std::size_t& at) {
    std::size_t from = at;
    while (at < text.size() && isDigit(text[at])) ++at;
    while (from + 1 < at && text[from] == '0') ++from;
    return text.substr(from, at - from);
}

/// Compares numbers by value, and letters regardless of case.
int compareNaturally(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const std::string_view x = numberAt(a, i), y = numberAt(b, j);
            if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
            if (const int order = x.compare(y); order != 0) return order;
            continue;
        }
        const int x = std::tolower(static_cast<unsigned char>(a[i++])), y = std::tolower(static_cast<unsigned char>(b[j++]));
        if (x != y) return x - y;
    }
    return i < a.size() ? 1 : j < b.size() ? -1 : 0;
}

void sortNaturally(std::vector<std::string>& names) {
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        const int order = compareNaturally(a, b);
        return order != 0 ? order < 0 : a < b;
    });
}

std::vector<std::string> filesOfPattern(const std::string& pattern) {
    glob_t found{};
    const int status = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
    std::vector<std::string> files;
    for (std::size_t i = 0; status == 0 && i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
    globfree(&found);
    if (status == GLOB_NOSPACE) throw Error(ErrorCode::memory, "Too many files match '" + pattern + "'");
    if (files.empty())
        throw Error(ErrorCode::input, "No file matches '" + pattern + "'", {}, "Check the name of the folder and the ending of the files");
    sortNaturally(files);
    return files;
}

bool isLoadable(const fs::path& path) {
    const std::string extension = lowerExtension(path.string());
    return std::any_of(loaders().begin(), loaders().end(), [&](const Loader& loader) {
        return std::find(loader.extensions.begin(), loader.extensions.end(), extension) != loader.extensions.end();
    });
}

std::vector<std::string> inputsOfFolder(const std::string& folder, const LoadOptions& options) {
    std::vector<std::string> inputs;
    const bool series = mayHoldSeries(folder);
    if (series)
        for (const SeriesSummary& each : listSeries(folder, options)) inputs.push_back(each.input);
    std::error_code error;
    const std::vector<std::string> images = imagesInFolder(folder, error);
    std::set<std::string> samples;
    for (const std::string& image : images)
        if (const std::vector<std::string> files = filesOfInput(image); files.front() == image)
            samples.insert(files.begin() + 1, files.end());
    for (const std::string& image : images)
        if (!samples.contains(image) && !(series && isDicomFile(image))) inputs.push_back(image);
    if (error) throw Error(ErrorCode::input, "Cannot read the folder '" + folder + "'", error.message(), "Check its permissions");
    if (inputs.empty())
        throw Error(ErrorCode::input, "The folder '" + folder + "' has no image", "none of its files has the ending of a known format",
                    "Name the files, or use a pattern such as '" + (fs::path(folder) / "*").string() + "'");
    return inputs;
}

/// What generated images and the choice of an image in a file have is no good in a name.
std::string asName(std::string text) {
    for (char& c : text)
        if (c == '/' || c == ':' || c == '#' || c == ',' || c == '=') c = '_';
    return text;
}

std::map<std::string, std::string> placeholdersOf(const std::string& input, std::size_t number, std::size_t count,
                                                  const BatchNames& names) {
    const std::string digits = std::to_string(count), own = std::to_string(number);
    std::map<std::string, std::string> values{{"op", names.operations},
                                              {"backend", asName(names.backend)},
                                              {"number", std::string(digits.size() - std::min(digits.size(), own.size()), '0') + own}};
    if (isSynthetic(input)) {
        values.insert({{"name", asName(input)}, {"ext", ""}, {"folder", ""}});
        return values;
    }
    const ChosenPath chosen = isRaw(input) ? ChosenPath{fileOfInput(input), {}} : splitChoice(input);
    fs::path file = fs::path(chosen.path).lexically_normal();
    if (!file.has_filename()) file = file.parent_path();
    std::string name = file.filename().string(), extension;
    std::error_code error;
    if (!fs::is_directory(file, error)) {
        extension = lowerExtension(file.string());
        if (!extension.empty()) name.resize(name.size() - extension.size() - 1);
    }
    if (!chosen.choice.empty()) name += "_" + asName(chosen.choice);
    values.insert({{"name", name}, {"ext", extension}, {"folder", file.parent_path().filename().string()}});
    return values;
}

std::string filled(const std::string& pattern, const std::map<std::string, std::string>& values) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t open = pattern.find('{', at), close = open == std::string::npos ? open : pattern.find('}', open);
        text += pattern.substr(at, open - at);
        if (open == std::string::npos) break;
        const std::string name = close == std::string::npos ? pattern.substr(open + 1) : pattern.substr(open + 1, close - open - 1);
        const auto value = values.find(name);
        if (close == std::string::npos || value == values.end())
            throw Error(ErrorCode::usage, "The output '" + pattern + "' has an unknown placeholder", "{" + name + "} stands for nothing",
                        std::string("Use ") + kPlaceholders);
        text += value->second;
        at = close + 1;
    }
    return text;
}

}  // namespace

bool isFilePattern(const std::string& text) {
    std::error_code error;
    return text.find_first_of("*?[") != std::string::npos && !fs::exists(splitChoice(text).path, error);
}

std::vector<std::string> imagesInFolder(const std::string& folder, std::error_code& error) {
    std::vector<std::string> files;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        if (entry->path().filename().string().starts_with('.') || !entry->is_regular_file(unknown) || !isLoadable(entry->path())) continue;
        files.push_back(entry->path().string());
    }
    sortNaturally(files);
    return files;
}

std::vector<std::string> expandInputs(const std::vector<std::string>& names, const LoadOptions& options) {
    std::vector<std::string> inputs;
    for (const std::string& name : names) {
        std::error_code error;
        std::vector<std::string> some{name};
        if (isSynthetic(name) || isRaw(name)) some = {name};
        else if (isFilePattern(name)) some = filesOfPattern(name);
        else if (fs::is_directory(name, error)) some = inputsOfFolder(name, options);
        inputs.insert(inputs.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    return inputs;
}

bool isOutputPattern(const std::string& output) { return output.find('{') != std::string::npos; }

std::vector<BatchItem> planBatch(const std::vector<std::string>& inputs, const std::string& output, const BatchNames& names) {
    std::vector<BatchItem> items;
    std::map<std::string, std::string> outputOf;  // by the identity of a file
    std::set<std::string> opened, read;           // identities of the files of the inputs
    for (std::size_t i = 0; i < inputs.size(); ++i)
        items.push_back({inputs[i], filled(output, placeholdersOf(inputs[i], i + 1, inputs.size(), names))});
    // Samples of headers and slices are looked up only if an output could replace one of them.
    const bool replaces = std::any_of(items.begin(), items.end(), [](const BatchItem& item) {
        const std::vector<std::string> files = filesOf(item.output);
        std::error_code error;
        return std::any_of(files.begin(), files.end(), [&](const std::string& file) { return fs::exists(file, error); });
    });
    for (const std::string& input : inputs)
        if (opened.insert(identityOf(fileOfInput(input))).second && replaces)
            for (const std::string& file : filesOfInput(input)) read.insert(identityOf(file));
    for (const BatchItem& item : items) {
        const std::string identity = identityOf(item.output);
        if (const auto [other, isNew] = outputOf.emplace(identity, item.input); !isNew)
            throw Error(ErrorCode::usage, "'" + other->second + "' and '" + item.input + "' have the same output '" + item.output + "'", {},
                        isOutputPattern(output) ? "Add {folder} or {number} to the name of the output"
                                                : "Add {name} to the name of the output, as in out/{name}.png");
        for (const std::string& file : filesOf(item.output))
            if (const std::string written = identityOf(file); opened.contains(written) || read.contains(written))
                throw Error(ErrorCode::usage, "The output '" + file + "' is an input of the batch", {}, "Write to another folder");
    }
    return items;
}

}  // namespace parallax
