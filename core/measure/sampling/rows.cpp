// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/rows.hpp"

#include <algorithm>

#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"

namespace parallax {

std::vector<MeasuredRow> rowsOf(std::size_t recipes, const std::vector<Target>& targets) {
    std::vector<MeasuredRow> rows;
    for (std::size_t i = 0; i < recipes; ++i)
        for (const Target& target : targets) rows.push_back({i, target});
    return rows;
}

std::string entryLabel(const Target& target, const std::string& recipe) {
    std::string label = (recipe.empty() ? "" : recipe + "/") + target.label();
    // The reference always runs serially.
    if (target.threads > 0 && target.backend != kReferenceBackend) label += ":" + std::to_string(target.threads) + "t";
    if (target.device > 0 || !target.otherDevices.empty()) label += "#" + std::to_string(target.device);
    for (const int device : target.otherDevices) label += "," + std::to_string(device);
    return label;
}

namespace {

constexpr const char *kSerialBackend = "openmp", *kSerialVariant = "scalar";

bool isReference(const MeasuredRow& row) { return row.target.backend == kReferenceBackend; }
bool isSerial(const MeasuredRow& row, const std::string& variant) {
    const Target& t = row.target;
    return t.backend == kSerialBackend && t.variant == variant && t.threads == 1 && t.modes.empty() && t.parts == 1;
}

bool hasVariant(const Catalog& catalog, const Pipeline& pipeline, const std::string& variant) {
    return std::all_of(pipeline.steps.begin(), pipeline.steps.end(), [&](const Step& step) {
        const auto known = catalog.implementations(step.operation->id(), kSerialBackend);
        return !step.enabled ||
               std::any_of(known.begin(), known.end(), [&](const Implementation* i) { return variant.empty() || i->variant() == variant; });
    });
}

}  // namespace

std::size_t defaultBaseline(const std::vector<MeasuredRow>& rows) {
    const auto first = [&](const auto& suits) {
        return static_cast<std::size_t>(std::find_if(rows.begin(), rows.end(), suits) - rows.begin());
    };
    for (const std::size_t i :
         {first([](const MeasuredRow& r) { return isSerial(r, kSerialVariant); }),
          first([](const MeasuredRow& r) { return isSerial(r, {}); }), first([](const MeasuredRow& r) { return !isReference(r); })})
        if (i < rows.size()) return i;
    return 0;
}

void addSerialBaseline(const Catalog& catalog, const std::vector<NamedPipeline>& recipes, std::vector<MeasuredRow>& rows) {
    const auto reference = std::find_if(rows.begin(), rows.end(), isReference);
    if (reference == rows.end() || std::all_of(rows.begin(), rows.end(), isReference)) return;
    const auto& backends = catalog.backends();
    if (std::none_of(backends.begin(), backends.end(), [](const auto& b) { return b->id() == kSerialBackend && b->availability().yes; }))
        return;
    for (const std::string variant : {kSerialVariant, ""}) {
        if (std::any_of(rows.begin(), rows.end(), [&](const MeasuredRow& r) { return isSerial(r, variant); })) return;
        if (!hasVariant(catalog, recipes[reference->recipe].pipeline, variant)) continue;
        const MeasuredRow added{reference->recipe, Target{.backend = kSerialBackend, .variant = variant, .threads = 1}};
        rows.insert(std::find_if(reference, rows.end(), [&](const MeasuredRow& r) { return r.recipe != added.recipe; }), added);
        return;
    }
}

Target targetOfLabel(const std::string& label) {
    const auto slash = label.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const auto end = label.find_first_of(":#", begin);
    Target target = parseTarget(label.substr(begin, end == std::string::npos ? end : end - begin));
    for (std::size_t at = end; at != std::string::npos;) {
        const std::size_t next = label.find_first_of(":#,", at + 1);
        const bool threads = label[at] == ':', isOther = label[at] == ',';
        std::string digits = label.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        const bool wrongUnit = threads && (digits.empty() || digits.back() != 't');
        if (threads && !wrongUnit) digits.pop_back();
        // Four digits suffice, and no number overflows.
        if (wrongUnit || digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos)
            throw Error(ErrorCode::usage, "'" + label + "' is not a label of a measurement");
        if (isOther) target.otherDevices.push_back(std::stoi(digits));
        else (threads ? target.threads : target.device) = std::stoi(digits);
        at = next;
    }
    if (!target.otherDevices.empty() && static_cast<int>(target.otherDevices.size()) != target.parts - 1)
        throw Error(ErrorCode::usage, "'" + label + "' is not a label of a measurement", "it needs a device for each part");
    return target;
}

std::string labelFromThreads(const std::string& label) {
    const auto slash = label.rfind('/');
    const auto at = label.find('@', slash == std::string::npos ? 0 : slash);
    if (at == std::string::npos) return label;
    const auto end = std::min(label.find_first_not_of("0123456789", at + 1), label.size());
    if (end == at + 1) return label;
    return label.substr(0, at) + ":" + label.substr(at + 1, end - at - 1) + "t" + label.substr(end);
}

}  // namespace parallax
