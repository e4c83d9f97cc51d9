// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/measure/sampling/measurement.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/reference_cost.hpp"
#include "core/measure/sampling/verify.hpp"

namespace parallax {
namespace {

/// Rows of a recipe that can be verified.
std::vector<std::size_t> activeRows(const Measurement& m, std::size_t recipe) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        if (m.rows[i].recipe == recipe && m.active(i)) rows.push_back(i);
    return rows;
}

/// "of recipe B ", empty for the only one.
std::string ofRecipe(const Measurement& m, std::size_t recipe) {
    return m.recipes[recipe].name.empty() ? std::string() : "of recipe " + m.recipes[recipe].name + " ";
}

void showResults(const Measurement& m, std::size_t recipe, const View<const float>& reference) {
    if (!m.options.onResult) return;
    for (const std::size_t i : activeRows(m, recipe)) m.options.onResult(i, m.runs[i]->output(), reference);
}

double secondsOfReference(const PreparedRun& run) { return run.plan().front().referenceFlops / kReferenceFlopsPerSecond; }
/// Whether results are judged without the reference: it would take too long, and the operation can tell.
bool judgesAlone(PreparedRun& run) { return secondsOfReference(run) > longestReferenceSeconds() && !run.judgements().empty(); }

/// The judgement of the operation itself comes first: a residual above its tolerance is wrong, whatever the reference says.
void judgeItself(Measurement& m, std::size_t row) {
    RunEntry& e = m.record.entries[row];
    e.judgements = m.runs[row]->judgements();
    for (const JudgementRecord& j : e.judgements)
        if (!(j.value <= j.bound)) e.verification = Verification::disagrees;
}

void judgeWithoutReference(Measurement& m, std::size_t recipe, const std::vector<std::size_t>& rows) {
    const double seconds = secondsOfReference(*m.runs[rows.front()]);
    const std::string duration = seconds < 90     ? counted(std::lround(seconds), "second")
                                 : seconds < 5400 ? counted(std::lround(seconds / 60), "minute")
                                                  : counted(std::lround(seconds / 3600), "hour");
    m.record.warnings.push_back("verify: The results " + ofRecipe(m, recipe) +
                                "were judged by the operation itself and not compared with the reference, which would take about " +
                                duration + ". Add the backend '" + kReferenceBackend + "' to wait for it");
    for (const std::size_t i : rows) {
        RunEntry& e = m.record.entries[i];
        e.tolerance = m.runs[i]->tolerance().absolute;
        judgeItself(m, i);
        if (e.verification != Verification::disagrees) e.verification = judgeAlone(e.judgements);
        m.report();
    }
}

void judgeByStep(Measurement& m, std::size_t row) {
    RunEntry& e = m.record.entries[row];
    try {
        const auto found = judgeSteps(m.engine, m.recipeOf(row).pipeline, m.input, m.targetOf(row), m.runs[row]->output(), m.context);
        if (!found || found->verification == Verification::inconclusive) return;
        e.verification = found->verification;
        e.judgedStep = found->step;
        e.difference = found->difference;
        e.tolerance = found->tolerance.absolute;
        e.ambiguous = found->tolerance.ambiguous;
        e.toleranceReason =
            "each step alone, since the tolerance of the pipeline allows any result; " + found->step + ": " + found->tolerance.reason;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::cancelled)
            e.warnings.push_back(std::string("verify: The steps could not be verified one by one: ") + error.what());
    }
}

void addMetrics(Measurement& m, std::size_t row, const View<const float>& reference) {
    RunEntry& e = m.record.entries[row];
    try {
        e.metrics = m.options.metrics(reference, m.runs[row]->output(), m.context);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::cancelled)
            e.warnings.push_back(std::string("metrics: SSIM, FLIP and ULP distance are missing: ") + error.what());
    }
}

void judgeByReference(Measurement& m, std::size_t row, PreparedRun& reference) {
    RunEntry& e = m.record.entries[row];
    PreparedRun& run = *m.runs[row];
    DifferenceOptions options;
    options.borderWidth = run.borderWidth();
    // Final only after a run, since it may depend on the data.
    e.tolerance = run.tolerance().absolute;
    options.tolerance = e.tolerance;
    options.localTolerance = run.localTolerance();
    e.difference = compareViews(reference.output(), run.output(), options);
    e.verification = judge(e.difference, e.tolerance, e.ambiguous, run.inputPeak());
    if (e.verification == Verification::inconclusive && stepsOfEntry(m.record, e).size() > 1) judgeByStep(m, row);
    judgeItself(m, row);
    if (m.options.metrics && &run != &reference) addMetrics(m, row, reference.output());
    m.report();
}

/// Verifies the rows of a recipe. Returns the run of the reference, which is the row of the reference or `extra`; null without one.
PreparedRun* verifyRecipe(Measurement& m, std::size_t recipe, std::optional<PreparedRun>& extra) {
    const std::vector<std::size_t> rows = activeRows(m, recipe);
    PreparedRun* reference = nullptr;
    for (const std::size_t i : rows)
        if (m.targetOf(i).backend == kReferenceBackend && m.targetOf(i).parts == 1) reference = &*m.runs[i];
    if (!reference && judgesAlone(*m.runs[rows.front()])) {
        judgeWithoutReference(m, recipe, rows);
        return nullptr;
    }
    try {
        if (!reference) {
            extra = m.engine.prepare(m.recipes[recipe].pipeline, m.input, Target{.backend = kReferenceBackend, .variant = {}}, m.context);
            (void)extra->run(m.context);
            reference = &*extra;
        }
    } catch (const Error& e) {
        if (e.code() != ErrorCode::cancelled)
            m.record.warnings.push_back("verify: The results " + ofRecipe(m, recipe) + "could not be verified: " + e.what());
        return nullptr;
    }
    for (const std::size_t i : rows) {
        if (m.options.stop.stop_requested()) return nullptr;
        judgeByReference(m, i, *reference);
    }
    return reference;
}

}  // namespace

void verifyRows(Measurement& m) {
    for (std::size_t recipe = 0; recipe < m.recipes.size(); ++recipe) {
        std::optional<PreparedRun> extra;
        const bool verifies = m.options.verify && !activeRows(m, recipe).empty();
        PreparedRun* const reference = verifies ? verifyRecipe(m, recipe, extra) : nullptr;
        showResults(m, recipe, reference ? reference->output() : View<const float>{});
    }
}

}  // namespace parallax
