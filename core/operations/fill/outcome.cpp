// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/fill/outcome.hpp"

#include <algorithm>

#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax::filling {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

Outcome::Outcome(const Problem& problem, const FillPlan& plan)
    : channelNames_(problem.channelNames), plan_(plan), largest_(problem.statistics.maxAbs()) {}

void Outcome::clear() {
    filled_ = unfilled_ = 0;
    dataTolerance_ = 0;
    histories_.clear();
    solved_.clear();
    unsolvable_.clear();
}

void Outcome::addUnsolved(int channel, std::int64_t missing) {
    unfilled_ += missing;
    if (missing > 0) unsolvable_.push_back(nameOf(channel));
}

void Outcome::addSolved(int channel, std::int64_t missing, std::int64_t unknowns, solvers::SolveHistory history) {
    if (history.end == solvers::SolveEnd::stagnated)
        dataTolerance_ = std::max(dataTolerance_, solvers::maskedErrorBound(plan_.stencil, unknowns, history.trueResidual) * largest_);
    keep(channel, missing, std::move(history));
}

void Outcome::addBiharmonic(int channel, std::int64_t missing, const solvers::CompactSystem& unknowns, solvers::SolveHistory history,
                            const RunContext& context) {
    double residual = plan_.options.tolerance * solvers::SolveHistory::kSlack + kReferenceShareOfFill;
    if (history.end == solvers::SolveEnd::stagnated) residual = std::max(residual, history.trueResidual);
    const solvers::InverseBounds bounds = solvers::inverseBounds(plan_.stencil, unknowns, context);
    const double ofResidual = solvers::biharmonicErrorBound(plan_.stencil, unknowns.count(), bounds, residual),
                 ofRounding = 0x1p-23 * solvers::biharmonicGain(plan_.stencil, unknowns.count(), bounds);
    dataTolerance_ = std::max(dataTolerance_, (ofResidual + ofRounding) * largest_);
    keep(channel, missing, std::move(history));
}

void Outcome::keep(int channel, std::int64_t missing, solvers::SolveHistory history) {
    filled_ += missing;
    histories_.push_back(std::move(history));
    solved_.push_back(nameOf(channel));
}

std::vector<Statistic> Outcome::statistics() const {
    std::vector<Statistic> all{{"filled", static_cast<double>(filled_), {}, {}}, {"unfilled", static_cast<double>(unfilled_), {}, {}}};
    for (Statistic& s : solvers::statisticsOf(histories_, solved_)) all.push_back(std::move(s));
    return all;
}

std::vector<RunSeries> Outcome::series() const { return solvers::seriesOf(histories_, solved_); }

std::vector<std::string> Outcome::warnings() const {
    std::vector<std::string> sentences = solvers::warningsOf(histories_, plan_.options);
    if (!unsolvable_.empty())
        sentences.push_back(std::to_string(unfilled_) +
                            " missing samples keep their values, since no sample of the channel is known: " + joined(unsolvable_) + ".");
    return sentences;
}

double Outcome::dataTolerance() const { return dataTolerance_; }

std::vector<StatisticInfo> statisticInfos() {
    std::vector<StatisticInfo> all = solvers::statisticInfos();
    std::erase_if(all, [](const StatisticInfo& info) { return info.key == "removed-mean"; });
    all.insert(all.begin(),
               {{"filled", "Filled samples", "", "Missing samples that were replaced, in all channels."},
                {"unfilled", "Unfilled samples", "", "Missing samples that keep their values, since their channel has no known sample."}});
    return all;
}

}  // namespace parallax::filling
