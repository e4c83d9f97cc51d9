// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/benchmark.hpp"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/image/encoded_light.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/metrics/image_metrics.hpp"
#include "core/report/record/redact.hpp"

namespace parallax::ui {
namespace {

constexpr qint64 kLiveInterval = 200;  // milliseconds between live updates
const TaskId kMeasure{TaskKind::measure};

std::string shellQuoted(const std::string& text) {
    if (text.find_first_of(" '\"$&|;()<>*?`\\\n") == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

Benchmark::Benchmark(Tasks& tasks, const Document& document, const Comparison& comparison, const Engine& engine)
    : tasks_(tasks), document_(document), comparison_(comparison), engine_(engine), knownSteps_(steps()) {
    // Covers every end: callbacks tell of results and failures alone, not that it was cancelled or dropped.
    connect(&tasks_, &Tasks::busyChanged, this, [this] {
        if (running_ && !measuring()) endWithoutResult();
    });
}

std::vector<Target> Benchmark::targets() {
    std::vector<Target> targets;
    const bool image = comparison_.inputOf(Side::a) != nullptr;
    if (!image || !steps().hasEnabledSteps()) {
        tasks_.raise({Message::Kind::information, tr("Nothing to measure"), image ? tr("all steps are off") : tr("no image is open"),
                      image ? tr("Enable or add a step in the Pipeline panel") : tr("Open an image or the sample"), sourceOf(kMeasure)});
        return targets;
    }
    const auto add = [&](const Target& target) {
        if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
    };
    const Catalog& catalog = engine_.catalog();
    for (const auto& backend : catalog.backends())
        if (!runsOnlyWhenNamed(backend->id()) && backend->availability().yes) add(Target{.backend = backend->id()});
    for (const Side side : comparison_.sides()) {
        if (!computesAsA(side)) continue;
        const Target& target = comparison_.side(side).target;
        if (catalog.backend(target.backend).availability().yes) add(target);
    }
    return targets;
}

std::vector<MeasuredRow> Benchmark::rowsFor(const std::vector<Target>& targets) const {
    std::vector<MeasuredRow> rows = rowsOf(1, targets);
    addSerialBaseline(engine_.catalog(), {{{}, steps()}}, rows);
    return rows;
}

std::string Benchmark::command(const std::vector<Target>& targets, const QString& effort) const {
    std::string command = "parallax-cli bench -i " + shellQuoted(inputName().toStdString());
    if (setup().pane(Side::a).encoded) command += " --light encoded";
    for (const Step& step : steps().steps)
        if (step.enabled) command += " --op " + shellQuoted(toText(step));
    for (const Target& target : targets) command += " --backend " + target.label();
    return command + " --effort " + effort.toStdString() + (coldCaches_ ? " --cache cold" : "") + (measuresEnergy() ? " --energy" : "");
}

ProtocolRecord Benchmark::protocol(const QString& effort) const {
    ProtocolRecord protocol = protocolFor(effort.toStdString());
    protocol.coldCaches = coldCaches_;
    return protocol;
}

void Benchmark::findEnergyCounters() {
    if (std::exchange(looksForCounters_, true)) return;
    tasks_.submit(
        {TaskKind::history, QStringLiteral("energy")}, tr("Looking for energy counters"),
        [engine = engine_](const std::stop_token&) { return energyCounters(engine.catalog()); },
        [this](const EnergyCounters& found) {
            counters_ = found;
            emit energyCountersFound();
        },
        Tasks::ignore);
}

void Benchmark::show(std::shared_ptr<const TimingSummary> summary, bool outdated) {
    summary_ = std::move(summary);
    outdated_ = outdated;
    isLive_ = false;
    emit recordChanged();
}

void Benchmark::showLive(std::shared_ptr<const TimingSummary> summary) {
    if (!isLive_) beforeLive_ = {std::move(summary_), std::move(pictures_), outdated_};
    isLive_ = true;
    summary_ = std::move(summary);
    pictures_.reset();
    outdated_ = false;
    emit recordChanged();
}

void Benchmark::endWithoutResult() {
    running_ = false;
    if (std::exchange(isLive_, false)) {
        summary_ = std::move(beforeLive_.summary);
        pictures_ = std::move(beforeLive_.pictures);
        outdated_ = beforeLive_.outdated;
    }
    emit recordChanged();
}

void Benchmark::reset() {
    pictures_.reset();
    summary_.reset();
    outdated_ = false;
    isLive_ = false;
}

QString Benchmark::inputName() const {
    const QString& own = setup().pane(Side::a).input;
    return own.isEmpty() ? document_.inputName() : own;
}

bool Benchmark::computesAsA(Side side) const {
    const bool sameInput =
        comparison_.inputOf(side) == comparison_.inputOf(Side::a) && setup().pane(side).encoded == setup().pane(Side::a).encoded;
    return sameInput && sameSteps(setup().stepsOf(side), steps());
}

void Benchmark::tellOthers() {
    QStringList others;
    for (const Side side : comparison_.sides())
        if (!computesAsA(side)) others << letterOf(side);
    const QString source = QStringLiteral("measured panes");
    if (others.isEmpty()) return tasks_.clear(source);
    tasks_.raise({Message::Kind::information,
                  tr("Not measured: %1").arg(others.join(QStringLiteral(", "))),
                  tr("a benchmark compares backends on the input and steps of A"),
                  {},
                  source});
}

void Benchmark::checkProblem() {
    const PaneSetup& a = setup().pane(Side::a);
    if (sameSteps(knownSteps_, steps()) && knownInput_ == a.input && knownEncoded_ == a.encoded) return;
    knownSteps_ = steps();
    knownInput_ = a.input;
    knownEncoded_ = a.encoded;
    markOutdated();
}

void Benchmark::markOutdated() {
    // Emits only once: charts must not be redrawn while a slider moves.
    const bool changed = measuring() || (summary_ && !outdated_);
    cancel();
    if (summary_) outdated_ = true;
    if (changed) emit recordChanged();
}

void Benchmark::measure(const QString& effort) {
    const std::vector<Target> chosen = targets();
    if (chosen.empty()) return;
    cancel();
    const std::vector<MeasuredRow> rows = rowsFor(chosen);
    live_ = std::make_shared<LiveSeries>();
    MeasureOptions options;
    options.live = live_;
    options.protocol = protocol(effort);
    options.energy = measuresEnergy();
    options.command = command(chosen, effort);
    const auto baseline =
        std::find_if(rows.begin(), rows.end(), [this](const MeasuredRow& row) { return entryLabel(row.target) == baseline_; });
    if (baseline != rows.end()) {
        options.baseline = baseline_;
        // Without this option bench takes the same default.
        if (&*baseline != &rows[defaultBaseline(rows)]) options.command += " --baseline " + baseline->target.label();
    }
    auto pictures = std::make_shared<ReportPictures>();
    // File names and pictures may identify a patient.
    const ImagePtr input = comparison_.inputOf(Side::a);
    const bool medical = input->source.medical;
    tellOthers();
    tasks_.submit(
        kMeasure, tr("Measuring %1 backends").arg(rows.size()),
        [this, update = tasks_.updatesOfNext(kMeasure), pictures, medical, options, engine = engine_, pipeline = steps(), image = input,
         encoded = setup().pane(Side::a).encoded, rows](const std::stop_token& stop) mutable {
            options.stop = stop;
            if (encoded) image = std::make_shared<const Image>(withEncodedColours(*image));
            options.metrics = [image](const View<const float>& reference, const View<const float>& result, RunContext& context) {
                return computeResultMetrics(*image, reference, result, context);
            };
            const int side = pictureSide(1);
            if (!medical) {
                *pictures = picturesOf(*image, side);
                options.onResult = [&, side](std::size_t entry, const View<const float>& result, const View<const float>& reference) {
                    addPictures(*pictures, entryLabel(rows[entry].target), *image, result, reference, side);
                };
            }
            QElapsedTimer sinceUpdate;
            sinceUpdate.start();
            options.onProgress = [&](const RunRecord& record) {
                if (sinceUpdate.elapsed() < kLiveInterval) return;
                update([this, live = summariseTimings(record)] { showLive(live); });
                sinceUpdate.restart();
            };
            RunRecord measured = measureRecipes(engine, {{{}, pipeline}}, image, rows, options);
            return summariseTimings(medical ? redacted(std::move(measured)) : std::move(measured));
        },
        [this, pictures, medical](const std::shared_ptr<const TimingSummary>& summary) {
            running_ = false;
            pictures_ = medical ? nullptr : pictures;
            show(summary, false);
            emit measured(summary->record);
            tasks_.clear(sourceOf(kMeasure));
        });
    running_ = true;
    emit recordChanged();
}

}  // namespace parallax::ui
