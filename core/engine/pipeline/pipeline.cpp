// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pipeline/pipeline.hpp"

#include <algorithm>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

/// Quoted text is one value, including its commas and colons.
std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> parts(1);
    char quote = 0;
    for (const char c : text) {
        if (quote) {
            if (c == quote) quote = 0;
            else parts.back() += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == ',') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    if (quote) throw Error(ErrorCode::usage, "A quote is not closed in '" + std::string(text) + "'");
    return parts;
}

using Values = std::vector<std::pair<std::string, std::string>>;
constexpr char kPreset[] = "preset";

/// Parameters after the colon, in order.
Values writtenValues(std::string_view text) {
    Values values;
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return values;
    for (const std::string& part : splitAtCommas(text.substr(colon + 1))) {
        const auto equals = part.find('=');
        if (equals == std::string::npos)
            throw Error(ErrorCode::usage, "'" + part + "' is not a parameter", "it is written name=value",
                        "Values that hold commas need quotes, as in weights='1,2,1'");
        // Blanks after a comma are ignored.
        const auto first = part.find_first_not_of(' ');
        const auto last = part.find_last_not_of(' ', equals > 0 ? equals - 1 : 0);
        const std::string key = first < equals && last != std::string::npos ? part.substr(first, last - first + 1) : std::string();
        if (std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == key; }))
            throw Error(ErrorCode::usage, "Parameter '" + key + "' is given twice in '" + std::string(text) + "'", {},
                        "Remove one of them");
        values.emplace_back(key, part.substr(equals + 1));
    }
    return values;
}

ParameterPreset presetOf(const Operation& operation, const std::string& key) {
    const std::vector<ParameterPreset> presets = presetsOf(operation);
    for (const ParameterPreset& preset : presets)
        if (preset.key == key) return preset;
    throw Error(ErrorCode::usage, "There is no preset '" + key + "' of '" + operation.id() + "'",
                presets.empty() ? "it has none" : "known are " + joined(presets, ", ", &ParameterPreset::key));
}

std::string quoted(const std::string& value) {
    if (value.find_first_of(",:'\" \n;[]") == std::string::npos && !value.empty()) return value;
    const char quote = value.find('\'') == std::string::npos ? '\'' : '"';
    return quote + value + quote;
}

}  // namespace

bool Pipeline::hasEnabledSteps() const {
    return std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.enabled; });
}

bool Pipeline::approximatesInput() const {
    int encoded = 0;
    bool any = false;
    for (const Step& s : steps) {
        if (!s.enabled) continue;
        any = true;
        const auto* represents = capability<RepresentsInput>(*s.operation);
        if (!represents) return false;
        switch (represents->representation()) {
            case Representation::approximation: break;
            case Representation::encoding: ++encoded; break;
            case Representation::decoding:
                if (--encoded < 0) return false;
        }
    }
    return any && encoded == 0;
}

bool Pipeline::changesQuantity() const {
    const auto last = std::find_if(steps.rbegin(), steps.rend(), [](const Step& s) { return s.enabled; });
    return last != steps.rend() && parallax::changesQuantity(*last->operation, last->parameters);
}

Step parseStep(const Catalog& catalog, std::string_view text) {
    const auto colon = text.find(':');
    Step step;
    step.operation = &catalog.operation(text.substr(0, colon));
    step.parameters = ParameterBlock(step.operation->parameters());
    const Values values = writtenValues(text);
    // A preset is applied first, wherever it is written: explicit values override it.
    for (const auto& [key, value] : values)
        if (key == kPreset) applyPreset(step.parameters, presetOf(*step.operation, value));
    for (const auto& [key, value] : values)
        if (key != kPreset) step.parameters.setText(key, value);
    return step;
}

Pipeline parsePipeline(const Catalog& catalog, const std::vector<std::string>& steps) {
    Pipeline pipeline;
    for (const std::string& step : steps) pipeline.steps.push_back(parseStep(catalog, step));
    return pipeline;
}

std::vector<std::string> notesOnText(const Catalog& catalog, std::string_view text) {
    const Step step = parseStep(catalog, text);
    std::vector<std::string> notes;
    for (const auto& [key, value] : writtenValues(text)) {
        if (key == kPreset || step.parameters.isShown(key)) continue;
        const ParameterInfo& info = step.parameters.table().infos()[static_cast<std::size_t>(step.parameters.table().find(key))];
        notes.push_back("Parameter '" + key + "' of " + step.operation->id() + " has no effect here: it matters only with " +
                        info.shownIfKey + " = " + joined(info.shownIfValues) + ", and " + info.shownIfKey + " is " +
                        step.parameters.text(info.shownIfKey));
    }
    return notes;
}

std::string toText(const Step& step) {
    std::string text = step.operation->id();
    char separator = ':';
    for (const ParameterInfo& info : step.parameters.table().infos()) {
        const ParameterValue value = step.parameters.get(info.key);
        if (value == info.defaultValue) continue;
        text += separator + info.key + "=" + quoted(step.parameters.text(info.key));
        separator = ',';
    }
    return text;
}

}  // namespace parallax
