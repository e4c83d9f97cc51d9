// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/step_summary.hpp"
#include "core/image/texts.hpp"
#include "core/measure/sampling/entry_times.hpp"
#include "core/measure/sampling/recipes.hpp"

namespace parallax {
namespace {

std::optional<Speedup> speedupOf(const RunEntry& baseline, const RunEntry& e, Time time) {
    const auto top = timesOf(baseline, time), bottom = timesOf(e, time);
    if (top.values.empty() || bottom.values.empty() || median(bottom.values) <= 0) return std::nullopt;
    Speedup s;
    s.ratio = median(top.values) / median(bottom.values);
    const RatioIntervals intervals = ratioIntervals(top, bottom, Measured::together);
    s.interval = intervals.shown;
    s.verdict = judge(intervals.sure);
    return s;
}

std::string lowerCaseBegin(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// The judgement of the operation that comes closest to its bound, where it decides.
std::optional<JudgementRecord> decisiveJudgement(const RunEntry& e) {
    const auto share = [](const JudgementRecord& j) { return j.value <= j.bound ? j.value / std::max(j.bound, 1e-300) : HUGE_VAL; };
    const auto worst = std::max_element(e.judgements.begin(), e.judgements.end(),
                                        [&](const JudgementRecord& a, const JudgementRecord& b) { return share(a) < share(b); });
    if (worst == e.judgements.end()) return std::nullopt;
    const bool fails = e.verification == Verification::disagrees && !(worst->value <= worst->bound);
    return fails || (e.verification != Verification::notDone && !e.isCompared()) ? std::optional(*worst) : std::nullopt;
}

std::string whereItDisagrees(const RunRecord& record, const RunEntry& e, const Signs& signs) {
    if (e.verification != Verification::disagrees) return {};
    if (const auto j = decisiveJudgement(e))
        return fmt::format("{}: {}, allowed {} ({})", j->criterion, formatNumber(j->value, signs), formatNumber(j->bound, signs),
                           j->reason);
    if (e.difference.worst.empty()) return {};
    // Of local tolerances the sample that exceeds its own by most; a NaN counts more.
    const auto& closest = e.difference.closest;
    const bool local = closest && closest->share > 1 && e.difference.mismatches() == 0;
    const WorstPixel& w = local ? closest->pixel : e.difference.worst.front();
    const double tolerance = local ? closest->tolerance() : e.tolerance;
    std::string place = fmt::format("x {}, y {}", w.x, w.y);
    if (record.input.shape.depth > 1) place += fmt::format(", z {}", w.z);
    const auto channel = static_cast<std::size_t>(w.channel);
    if (record.input.channels.size() > 1 && channel < record.input.channels.size()) place += ", channel " + record.input.channels[channel];
    return fmt::format("maximum difference{} at {}: {}, reference {}, tolerance {}", e.judgedStep.empty() ? "" : " of step " + e.judgedStep,
                       place, formatNumber(w.b, signs), formatNumber(w.a, signs), formatNumber(tolerance, signs));
}

/// " (rank 1: 14 instead of 49 multiply-adds a sample)" if the backend chose the variant for a reason.
std::string whyChosen(const RunEntry& e) {
    std::string reasons;
    for (const std::string& choice : e.choices)
        if (choice != kAskedFor && choice != kFirstListed) reasons += (reasons.empty() ? " (" : "; ") + choice;
    return reasons.empty() ? reasons : reasons + ")";
}

std::string formatMetrics(const ResultMetrics& m) {
    std::string text;
    if (m.ssim) text += fmt::format("SSIM {:.6f}, ", *m.ssim);
    if (m.ssimLinear) text += fmt::format("SSIM of linear values {:.6f}, ", *m.ssimLinear);
    if (m.flip) text += fmt::format("{} {:.6f}, ", m.highDynamicRange ? "HDR-FLIP" : "FLIP", *m.flip);
    return text + fmt::format("at most {} ULP", m.largestUlp);
}

}  // namespace

std::vector<std::string> stepsOf(const RunRecord& record) {
    std::vector<std::string> lines;
    const auto inWords = [](const std::string& text) { return summaryOf(processCatalog(), text); };
    for (const RecipeSteps& recipe : recipesOf(record)) {
        if (recipe.name.empty())
            for (const std::string& text : recipe.steps) lines.push_back(inWords(text));
        else lines.push_back(recipe.name + ": " + joined(recipe.steps, " | ", inWords));
    }
    return lines;
}

std::vector<SummaryRow> summarise(const RunRecord& record, const Signs& signs) {
    const RunEntry* baseline = nullptr;
    for (const RunEntry& e : record.entries)
        if (e.label == record.baseline && e.status == RunStatus::done && e.verification != Verification::disagrees) baseline = &e;
    std::vector<SummaryRow> rows;
    for (const RunEntry& e : record.entries) {
        SummaryRow r;
        r.signs = signs;
        r.label = e.label;
        r.status = e.status;
        r.reason = e.reason;
        r.ranOn = e.variant.empty() ? e.device : e.variant + whyChosen(e) + " on " + e.device;
        if (e.threads > 0) r.ranOn += e.threads == 1 ? ", 1 thread" : ", " + std::to_string(e.threads) + " threads";
        r.compute = summarise(timesOf(e, Time::compute));
        r.endToEnd = summarise(timesOf(e, Time::endToEnd));
        for (const Stage stage : kAllStages) {
            std::vector<double> times;
            for (const StageTimes& sample : e.samples) times.push_back(static_cast<double>(sample[stage]));
            r.stages[static_cast<std::size_t>(stage)] = median(times);
        }
        r.isBaseline = &e == baseline;
        r.isOracle = e.backend == kReferenceBackend && !(baseline && baseline->backend == kReferenceBackend);
        r.verification = e.verification;
        r.judgement = decisiveJudgement(e);
        r.maxAbsError = e.difference.maxAbs;
        r.psnr = e.difference.psnr;
        r.mismatches = e.difference.mismatches();
        if (e.verification == Verification::agrees && e.difference.maxAbs > e.tolerance)
            r.ambiguousBeyond = e.difference.beyond.value_or(0);
        r.tolerance = e.tolerance;
        if (e.difference.closest) r.toleranceShare = e.difference.closest->share;
        r.judgedStep = e.judgedStep;
        if (e.metrics) r.metrics = formatMetrics(*e.metrics);
        if (e.bits) r.metrics += (r.metrics.empty() ? "" : ", ") + formatBits(*e.bits);
        if (e.energy) {
            r.energy = formatNumber(e.energy->perRun(), signs) + " J";
            r.metrics += (r.metrics.empty() ? "" : ", ") + formatEnergy(*e.energy, signs);
        }
        r.memory = formatMemory(e.memory, signs);
        r.firstRun = static_cast<double>(e.prepare.endToEnd() + e.cold.endToEnd());
        r.statistics = formatStatistics(e.statistics, signs);
        if (!e.hosts.empty()) r.statistics += (r.statistics.empty() ? "" : "; ") + formatHosts(e.hosts);
        if (e.traffic && e.traffic->times.size() > 1) r.statistics += (r.statistics.empty() ? "" : "; ") + formatParts(*e.traffic, signs);
        r.disagreement = whereItDisagrees(record, e, signs);
        r.warnings = e.warnings;
        for (std::string& w : r.warnings)
            for (std::size_t at = 0; (at = w.find(kAsciiSigns.plusMinus, at)) != std::string::npos; at += signs.plusMinus.size())
                w.replace(at, kAsciiSigns.plusMinus.size(), signs.plusMinus);
        if (r.compute.median > 0) {
            r.gigaflops = e.flops / r.compute.median;
            r.gigabytesPerSecond = e.bytes / r.compute.median;
            r.megapixelsPerSecond = static_cast<double>(record.input.shape.pixels()) / r.compute.median * 1e3;
        }
        if (baseline && !r.isBaseline && !r.isOracle && e.status == RunStatus::done && e.verification != Verification::disagrees) {
            r.computeSpeedup = speedupOf(*baseline, e, Time::compute);
            r.endToEndSpeedup = speedupOf(*baseline, e, Time::endToEnd);
        }
        rows.push_back(std::move(r));
    }
    return rows;
}

double SummaryRow::stackedTime() const {
    return std::accumulate(kStackedStages.begin(), kStackedStages.end(), 0.0, [this](double sum, Stage s) { return sum + stage(s); });
}

std::string formatNumber(double value, const Signs& signs) {
    if (std::isinf(value)) return value > 0 ? "inf" : std::string(signs.minus) + "inf";
    const double magnitude = std::fabs(value);
    // Bounds in which three digits do not round to four.
    const int decimals = magnitude >= 99.95 || value == 0 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2 : 3;
    std::string text =
        value != 0 && (magnitude < 1e-3 || magnitude >= 1e6) ? fmt::format("{:.2e}", value) : fmt::format("{:.{}f}", value, decimals);
    for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += signs.minus.size()) text.replace(at, 1, signs.minus);
    return text;
}

std::string formatChannels(const InputRecord& input) {
    return counted(input.shape.channels, "channel") + (input.light.empty() ? "" : " as encoded values");
}

std::string formatSize(const Shape& s, const Signs& signs) {
    return fmt::format("{} {} {}", s.width, signs.times, s.height) + (s.depth > 1 ? fmt::format(" {} {}", signs.times, s.depth) : "");
}

std::string formatTime(double ns, const Signs& signs) {
    if (ns <= 0) return "0";
    // Bounds in which three digits do not round to 1000.
    if (ns < 999.5) return formatNumber(ns) + " ns";
    if (ns < 999.5e3) return fmt::format("{} {}s", formatNumber(ns / 1e3), signs.micro);
    if (ns < 999.5e6) return formatNumber(ns / 1e6) + " ms";
    return formatNumber(ns / 1e9) + " s";
}

std::string formatTimes(const Interval& ns, const Signs& signs) {
    return fmt::format("{} {} {}", formatTime(ns.low, signs), signs.range, formatTime(ns.high, signs));
}

std::string formatError(const SummaryRow& r) {
    if (r.status != RunStatus::done) return std::string(r.signs.range);
    if (const auto& j = r.judgement) {
        const char* const outcome = r.verification == Verification::holds       ? "ok"
                                    : r.verification == Verification::disagrees ? "DISAGREES"
                                                                                : "inconclusive";
        return fmt::format("{} {}: {}", formatNumber(j->value, r.signs), outcome, lowerCaseBegin(j->criterion));
    }
    switch (r.verification) {
        case Verification::notDone: return "not verified";
        case Verification::agrees:
            if (r.ambiguousBeyond > 0) return fmt::format("{} ok, {} ambiguous", formatNumber(r.maxAbsError, r.signs), r.ambiguousBeyond);
            return formatNumber(r.maxAbsError, r.signs) + (r.judgedStep.empty() ? " ok" : " ok, step " + r.judgedStep);
        case Verification::disagrees:
            return formatNumber(r.maxAbsError, r.signs) + (r.mismatches ? ", " + std::to_string(r.mismatches) + " NaN/Inf" : "") +
                   " DISAGREES" + (r.judgedStep.empty() ? "" : ", step " + r.judgedStep);
        case Verification::inconclusive: return formatNumber(r.maxAbsError, r.signs) + " inconclusive: tolerance too large";
        case Verification::holds: return "ok";  // a record without its judgements
    }
    return {};
}

std::string formatAllowed(const SummaryRow& r) {
    if (r.judgement) return "bound " + formatNumber(r.judgement->bound, r.signs);
    if (r.verification == Verification::inconclusive) return "no usable tolerance";
    // The tolerance of each sample follows its surroundings.
    if (r.toleranceShare) return "at most " + formatNumber(*r.toleranceShare, r.signs) + " of the local tolerance";
    return "tolerance " + formatNumber(r.tolerance, r.signs);
}

std::string formatLargest(const SummaryRow& r) {
    if (!r.judgedStep.empty()) return {};
    return ", maximum " + formatNumber(r.maxAbsError, r.signs) + ", " + formatAllowed(r);
}

std::string formatSpeedup(const SummaryRow& row, const std::optional<Speedup>& s) {
    if (row.isBaseline) return "baseline";
    if (row.isOracle) return "oracle";
    if (!s) return std::string(row.signs.range);
    return fmt::format("{}{} ({}{}{}) {}", formatNumber(s->ratio), row.signs.times, formatNumber(s->interval.low), row.signs.range,
                       formatNumber(s->interval.high), verdictName(s->verdict));
}

std::string formatHosts(const std::vector<RankHost>& hosts) {
    return joined(hosts, ", ", [](const RankHost& h) {
        return fmt::format("{} on {} ({}{})", counted(h.ranks, "rank"), h.name.empty() ? "a machine" : h.name, counted(h.threads, "thread"),
                           h.processor.empty() ? "" : ", " + h.processor);
    });
}

std::string formatParts(const TrafficRecord& traffic, const Signs& signs) {
    std::vector<double> compute, exchange;
    for (const PartTimes& t : traffic.times) {
        compute.push_back(static_cast<double>(t.compute));
        exchange.push_back(static_cast<double>(t.exchange));
    }
    const double slowest = *std::max_element(compute.begin(), compute.end());
    const double mean = std::accumulate(compute.begin(), compute.end(), 0.0) / static_cast<double>(compute.size());
    std::string text =
        fmt::format("compute of the slowest part {}, median {}", formatTime(slowest, signs), formatTime(median(compute), signs));
    if (mean > 0) text += fmt::format(", imbalance {:.1f} %", 100 * (slowest / mean - 1));
    text += fmt::format(", longest exchange {}, median {}", formatTime(*std::max_element(exchange.begin(), exchange.end()), signs),
                        formatTime(median(exchange), signs));
    const std::int64_t bytes = traffic.received.bytes + traffic.received.collectiveBytes;
    const std::int64_t transfers = traffic.received.messages + traffic.received.collectives;
    return text + fmt::format(", up to {} KiB received in {}", formatNumber(static_cast<double>(bytes) / 1024, signs),
                              counted(transfers, "transfer"));
}

std::string formatBits(const BitsRecord& bits) {
    if (bits.others == 0) return fmt::format("same bits in {} (hash {})", counted(bits.runs, "run"), bits.hash);
    return fmt::format("OTHER BITS in {} of {}", bits.others, counted(bits.runs, "run"));
}

std::string formatEnergy(const EnergyRecord& energy, const Signs& signs) {
    return fmt::format("{} J a run ({} W, {})", formatNumber(energy.perRun(), signs), formatNumber(energy.watts(), signs), energy.source);
}

std::string formatMemory(const RunMemory& memory, const Signs& signs) {
    const auto bytes = [&](std::uint64_t n) {
        constexpr std::uint64_t kKibi = 1U << 10, kMebi = kKibi << 10, kGibi = kMebi << 10;
        const auto [unit, name] = n < kMebi ? std::pair(kKibi, "KiB") : n < kGibi ? std::pair(kMebi, "MiB") : std::pair(kGibi, "GiB");
        return formatNumber(static_cast<double>(n) / static_cast<double>(unit), signs) + " " + name;
    };
    const auto both = [&](std::uint64_t most, std::uint64_t estimated) {
        const std::string before = bytes(estimated) + " estimated";
        return most > 0 ? bytes(most) + " (" + before + ")" : before;
    };
    std::string text;
    if (memory.host > 0 || memory.estimatedHost > 0) text = both(memory.host, memory.estimatedHost);
    if (memory.device > 0 || memory.estimatedDevice > 0)
        text += (text.empty() ? "on the device " : ", on the device ") + both(memory.device, memory.estimatedDevice);
    return text;
}

std::string formatCaches(const RunRecord& record) {
    return record.protocol.coldCaches ? "cold caches: emptied before each timing sample" : "warm caches: as the runs before left them";
}

std::vector<std::string> checksumLines(const RunRecord& record) {
    std::vector<std::string> lines;
    if (!record.input.sha256.empty()) lines.push_back("SHA-256 of the input: " + record.input.sha256);
    std::vector<std::pair<std::string, std::vector<std::string>>> results;
    for (const RunEntry& e : record.entries) {
        if (e.sha256.empty()) continue;
        const auto same = std::find_if(results.begin(), results.end(), [&](const auto& r) { return r.first == e.sha256; });
        (same == results.end() ? results.emplace_back(e.sha256, std::vector<std::string>{}) : *same).second.push_back(e.label);
    }
    for (const auto& [sha, labels] : results) lines.push_back("SHA-256 of the result of " + joined(labels) + ": " + sha);
    return lines;
}

std::string formatStatistics(const std::vector<StatisticRecord>& statistics, const Signs& signs) {
    std::string text;
    bool severalSteps = false;
    for (const StatisticRecord& f : statistics) severalSteps = severalSteps || f.step != statistics.front().step;
    for (const StatisticRecord& f : statistics) {
        const bool count = f.value == std::round(f.value) && std::fabs(f.value) < 1e6;
        text += (text.empty() ? "" : "; ") + (severalSteps ? f.operation + " " : std::string()) + lowerCaseBegin(f.title) + ": " +
                (count ? fmt::format("{:.0f}", f.value) : formatNumber(f.value, signs)) + (f.unit.empty() ? "" : " " + f.unit);
    }
    return text;
}

}  // namespace parallax
