// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/engine/backend/backend.hpp"
#include "core/image/texts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

/// A text that a spreadsheet would take as a formula gets an apostrophe in front.
std::string field(std::string text) {
    if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, 1, '\'');
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

using Values = std::map<std::string, std::string, std::less<>>;

/// A row of the columns that a header names; those without a value are empty.
std::string rowOf(std::string_view header, const Values& values) {
    std::string row;
    for (std::size_t begin = 0; begin <= header.size();) {
        const std::size_t end = std::min(header.find(',', begin), header.size());
        const auto value = values.find(header.substr(begin, end - begin));
        row += (begin == 0 ? "" : ",") + (value == values.end() ? std::string() : field(value->second));
        begin = end + 1;
    }
    return row + "\r\n";
}

Values valuesOf(const std::string& baseline, const ComparedEntry& e) {
    const auto number = [](double v) { return fmt::format("{}", v); };
    const auto yesOrNo = [](bool yes) { return yes ? "yes" : "no"; };
    return {{"label", e.label},
            {"kind", "comparison"},
            {"baseline", baseline},
            {"base_ns", number(e.baseNs)},
            {"new_ns", number(e.newNs)},
            {"ratio", number(e.ratioOfMedians())},
            {"ratio_low", number(e.ratio.low)},
            {"ratio_high", number(e.ratio.high)},
            {"verdict", std::string(verdictName(e.verdict))},
            {"regression", yesOrNo(e.regression)},
            {"same_result", e.sameResult ? yesOrNo(*e.sameResult) : ""}};
}

}  // namespace

std::string toCsv(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons) {
    std::string header =
        "record,when,input,width,height,depth,channels,recipe,label,backend,variant,device,threads,status,reason,kind,sample";
    for (const Stage s : kAllStages) header += fmt::format(",{}_ns", stageName(s));
    header +=
        ",end_to_end_ns,verification,max_abs_error,tolerance,flops,bytes,modes,block,recipe_name,ssim,ssim_linear,flip,max_ulp,series,"
        "series_label,series_end,x,y,caches,energy_j,input_sha256,result_sha256,estimated_host_bytes,peak_host_bytes,"
        "estimated_device_bytes,peak_device_bytes,baseline,base_ns,new_ns,ratio,ratio_low,ratio_high,verdict,regression,same_result";
    std::string csv = header + "\r\n";
    for (std::size_t r = 0; r < records.size(); ++r) {
        const RunRecord& record = records[r];
        for (const RunEntry& e : record.entries) {
            const std::string steps = joined(stepsOfEntry(record, e), " | ");
            const auto row = [&](const char* kind, const std::string& sample, const StageTimes* times, const std::string& block = {},
                                 const std::string& series = ",,,,") {
                csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", r, field(record.when), field(record.input.name),
                                   record.input.shape.width, record.input.shape.height, record.input.shape.depth,
                                   record.input.shape.channels, field(steps), field(e.label), field(e.backend), field(e.variant),
                                   field(e.device), e.threads, statusName(e.status), field(e.reason), kind, sample);
                for (const Stage s : kAllStages) csv += times ? fmt::format(",{}", (*times)[s]) : ",";
                csv += times ? fmt::format(",{}", times->endToEnd()) : ",";
                csv += fmt::format(",{},{},{},{},{},{},{},{}", kVerificationNames[static_cast<std::size_t>(e.verification)],
                                   e.isCompared() ? fmt::format("{}", e.difference.maxAbs) : "", e.tolerance, e.flops, e.bytes,
                                   field(toText(e.modes)), block, field(recipeOfLabel(e.label)));
                const ResultMetrics none, &m = e.metrics ? *e.metrics : none;
                for (const auto& value : {m.ssim, m.ssimLinear, m.flip}) csv += value ? fmt::format(",{}", *value) : ",";
                csv += e.metrics ? fmt::format(",{}", m.largestUlp) : ",";
                csv += fmt::format(",{},{},{},{},{}", series, record.protocol.coldCaches ? "cold" : "warm",
                                   e.energy ? fmt::format("{}", e.energy->perRun()) : "", record.input.sha256, e.sha256);
                for (const std::uint64_t bytes : {e.memory.estimatedHost, e.memory.host, e.memory.estimatedDevice, e.memory.device})
                    csv += bytes > 0 ? fmt::format(",{}", bytes) : ",";
                csv += ",,,,,,,,,\r\n";
            };
            if (e.samples.empty() && e.cold.endToEnd() == 0) {
                row("none", "", nullptr);
                continue;
            }
            StageTimes cold = e.cold;
            cold += e.prepare;
            row("cold", "", &cold);
            for (std::size_t i = 0; i < e.samples.size(); ++i) {
                const auto after = std::upper_bound(e.blocks.begin(), e.blocks.end(), i);
                row("sample", std::to_string(i), &e.samples[i], e.blocks.empty() ? "" : std::to_string(after - e.blocks.begin() - 1));
            }
            for (const SeriesRecord& s : e.series)
                for (std::size_t i = 0; i < s.x.size(); ++i)
                    row("series", std::to_string(i), nullptr, {},
                        fmt::format("{},{},{},{},{}", field(s.key), field(s.label), field(s.end), s.x[i], s.y[i]));
        }
    }
    for (const NamedComparison& c : comparisons)
        for (const ComparedEntry& e : c.result.entries) csv += rowOf(header, valuesOf(c.name, e));
    return csv;
}

}  // namespace parallax
