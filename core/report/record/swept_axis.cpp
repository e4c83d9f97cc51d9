// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/swept_axis.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "core/operations/catalog.hpp"

namespace parallax {
namespace {

constexpr const char* kThreads = "Threads";

bool allEqual(const std::vector<std::string>& texts) {
    return std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end();
}

/// Parameters of each step of a recipe: "0 convolve: size" -> "7". Values may be quoted and hold commas.
std::map<std::string, std::string> parametersOf(const RunRecord& record) {
    std::map<std::string, std::string> all;
    for (std::size_t i = 0; i < record.recipe.size(); ++i) {
        const std::string& step = record.recipe[i];
        const auto colon = step.find(':');
        const std::string name = step.substr(0, colon);
        all[std::to_string(i) + " " + name] = "";
        if (colon == std::string::npos) continue;
        std::string part;
        char quote = 0;
        const auto finish = [&] {
            const auto equals = part.find('=');
            if (equals != std::string::npos) all[std::to_string(i) + " " + name + ": " + part.substr(0, equals)] = part.substr(equals + 1);
            part.clear();
        };
        for (std::size_t k = colon + 1; k < step.size(); ++k) {
            const char c = step[k];
            if (quote) {
                if (c == quote) quote = 0;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == ',') {
                finish();
                continue;
            }
            part += c;
        }
        finish();
    }
    return all;
}

/// Of a key of parametersOf(): a recipe leaves out what has its default.
std::string defaultOf(const std::string& key) {
    static const auto operations = makeOperations();
    const std::size_t start = key.find(' ') + 1, colon = key.find(": ", start);
    if (colon != std::string::npos)
        for (const auto& operation : operations) {
            if (operation->id() != key.substr(start, colon - start)) continue;
            for (const ParameterInfo& info : operation->parameters().infos())
                if (info.key == key.substr(colon + 2)) return toText(info.defaultValue);
        }
    return "default";
}

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

SweptAxis overTexts(const std::string& title, const std::vector<std::string>& texts) {
    SweptAxis axis{title, {}, {}};
    for (const auto& t : texts)
        if (const auto v = numberOf(t)) axis.values.push_back(*v);
    if (axis.values.size() == texts.size()) return axis;
    axis.values.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) axis.values.push_back(static_cast<double>(i));
    axis.texts = texts;
    return axis;
}

/// Those of the first entry with a number of its own, which stands in its label.
std::string threadsOf(const RunRecord& record) {
    for (const RunEntry& e : record.entries)
        if (const auto at = e.label.find('@'); at != std::string::npos) return e.label.substr(at + 1, e.label.find('#', at) - at - 1);
    return {};
}

}  // namespace

std::optional<SweptAxis> sweptAxisOf(const std::vector<RunRecord>& records) {
    if (records.size() < 2) return std::nullopt;
    std::vector<std::string> sizes, recipes, threads;
    std::set<std::string> keys;
    bool square = true;
    for (const RunRecord& r : records) {
        const Shape& s = r.input.shape;
        square = square && s.width == s.height && s.depth <= 1;
        sizes.push_back(std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.depth) + " x " +
                        std::to_string(s.channels));
        std::string recipe;
        for (const auto& step : r.recipe) recipe += step + "\n";
        recipes.push_back(recipe);
        threads.push_back(threadsOf(r));
        for (const auto& [key, value] : parametersOf(r)) keys.insert(key);
    }
    const bool bySize = !allEqual(sizes), byRecipe = !allEqual(recipes), byThreads = !allEqual(threads);
    if (bySize + byRecipe + byThreads != 1) return std::nullopt;
    if (bySize) {
        SweptAxis axis{square ? "Edge of the image, pixels" : "Pixels", {}, {}};
        for (const RunRecord& r : records)
            axis.values.push_back(static_cast<double>(square ? r.input.shape.width : r.input.shape.pixels()));
        return axis;
    }
    if (byThreads) return overTexts(kThreads, threads);
    std::optional<SweptAxis> found;
    for (const std::string& key : keys) {
        std::vector<std::string> values;
        for (const RunRecord& r : records) {
            const auto parameters = parametersOf(r);
            const auto it = parameters.find(key);
            values.push_back(it == parameters.end() ? defaultOf(key) : it->second);
        }
        if (allEqual(values)) continue;
        if (found) return std::nullopt;
        found = overTexts(key.substr(key.find(' ') + 1), values);
    }
    return found;
}

std::string seriesName(const RunEntry& entry, const SweptAxis& axis) {
    if (axis.title != kThreads) return entry.label;
    const auto at = entry.label.find('@');
    if (at == std::string::npos) return entry.label;
    const auto end = entry.label.find('#', at);
    return entry.label.substr(0, at) + (end == std::string::npos ? "" : entry.label.substr(end));
}

}  // namespace parallax
