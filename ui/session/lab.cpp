// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/lab.hpp"

#include <cmath>
#include <functional>
#include <tuple>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/image/encoded_light.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/record/redact.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

const TaskId kMeasure{TaskKind::measure}, kCeilings{TaskKind::ceilings};
constexpr double kShortestShown = 1.5;  // seconds

QString timeLeft(const std::optional<double>& seconds) {
    if (!seconds || *seconds < kShortestShown) return {};
    return *seconds < 90 ? Lab::tr("about %1 s left").arg(std::lround(*seconds))
                         : Lab::tr("about %1 min left").arg(std::lround(*seconds / 60));
}

/// Measures the points of a sweep in the background.
struct SweepWork {
    explicit SweepWork(const Engine& e) : engine(e) {}
    Engine engine;
    std::string text;  ///< "size=512,1024"
    SweepPoint base;
    bool encoded = false;  ///< colours of the input as encoded values
    MeasureOptions options;
    std::shared_ptr<Progress> progress;
    std::function<void(const QString& name, const SweepPosition& at)> onPoint;            ///< before each point
    std::function<void(const std::shared_ptr<const LabRecords>& pointsSoFar)> onRecords;  ///< after it

    /// Returns the failure of a point, such as one that is too large: it must not discard the points before it.
    std::optional<Message> operator()(const std::stop_token& stop) {
        options.stop = stop;
        std::vector<RunRecord> records;
        const auto visit = [&](const SweepPoint& point, const SweepPosition& at) {
            if (at.index == 0) progress->start(static_cast<std::int64_t>(at.count));
            onPoint(QString::fromStdString(point.name()), at);
            std::vector<MeasuredRow> rows = rowsOf(1, point.targets);
            addSerialBaseline(engine.catalog(), point.recipes, rows);
            RunRecord record = measureRecipes(engine, point.recipes, point.input, rows, options);
            // Discard an incomplete point.
            if (stop.stop_requested()) return false;
            if (point.input->source.medical) record = redacted(std::move(record));
            record.sweep = point.at;
            records.push_back(std::move(record));
            progress->add();
            onRecords(makeLabRecords(records));
            return true;
        };
        if (encoded) base.input = std::make_shared<const Image>(withEncodedColours(*base.input));
        try {
            forEachPoint(text, base, visit, stop);
        } catch (const Error& e) {
            if (records.empty() || e.code() == ErrorCode::cancelled) throw;
            return toMessage(e, sourceOf(kMeasure));
        }
        return {};
    }
};

/// Measures the CPU and each other device, which have equal shares of the progress, and saves their ceilings for other sessions.
std::vector<CeilingRecord> measureAllCeilings(const Catalog& catalog, Progress& progress, const std::stop_token& stop) {
    std::vector<std::pair<const Backend*, DeviceInfo>> devices;
    for (const auto& backend : catalog.backends())
        if (backend->availability().yes)
            for (const DeviceInfo& device : backend->devices())
                if (!isProcessor(device)) devices.emplace_back(backend.get(), device);
    constexpr double kSteps = 1000;
    progress.start(static_cast<std::int64_t>(kSteps * static_cast<double>(1 + devices.size())));
    double before = 0;
    std::int64_t done = 0;
    const auto show = [&](const std::string&, double fraction) {
        const auto now = static_cast<std::int64_t>((before + fraction) * kSteps);
        progress.add(now - done);
        done = now;
    };
    CeilingOptions options;
    options.stop = stop;
    options.onProgress = show;
    std::vector<CeilingRecord> ceilings = measureCeilings(options);
    (void)saveCeilings(ceilings, ceilingsFile());  // shown even if they cannot be saved
    for (const auto& [backend, device] : devices) {
        ++before;
        CeilingProbe probe;
        probe.stop = stop;
        probe.onProgress = show;
        const std::vector<CeilingRecord> list = backend->measureCeilings(device.index, probe);
        if (!list.empty()) (void)saveCeilings(list, ceilingsFile(backend->id(), device));
        ceilings.insert(ceilings.end(), list.begin(), list.end());
    }
    return ceilings;
}

}  // namespace

Lab::Lab(Session& session)
    : session_(session), store_(HistoryStore::standardFolder()), baselines_(HistoryStore::baselineFolder().toStdString()) {
    HistoryStore::moveOldFolder();
    limitHistory();
    connect(&Settings::instance(), &Settings::changed, this, &Lab::limitHistory);
    // Notices every end of a sweep: done, cancelled, or replaced.
    connect(&session_, &Session::busyChanged, this, [this] {
        if (sweeping_ && !session_.measuring()) endSweep();
    });
    connect(&session_, &Session::originalChanged, this, [this] {
        // The benchmark of the previous image is gone; sweeps stay until another one replaces them.
        rooflineParts_[0] = {};
        makeRoofline();
    });
    connect(&session_.benchmark(), &Benchmark::measured, this, [this](const std::shared_ptr<const RunRecord>& record) {
        addToRoofline({{*record}, {}});
        keep({*record});
    });
}

std::vector<SweepAxis> Lab::axes() const {
    const ImagePtr input = session_.comparison().inputOf(Side::a);
    std::size_t devices = 1;
    for (const auto& backend : session_.catalog().backends())
        if (backend->availability().yes) devices = std::max(devices, backend->devices().size());
    if (runsOnlyWhenNamed(session_.pipeline().setup().pane(Side::a).target.backend))
        devices = std::max(devices, static_cast<std::size_t>(effectiveThreads({})));
    return input ? sweepAxes(session_.pipeline().setup().stepsOf(Side::a), *input, static_cast<int>(devices)) : std::vector<SweepAxis>{};
}

void Lab::sweep(const QString& text, const QString& effort) {
    const std::vector<Target> targets = session_.benchmark().targets();
    if (targets.empty()) return;
    SweepWork work(session_.engine());
    work.text = text.toStdString();
    work.base.recipes = {{{}, session_.pipeline().setup().stepsOf(Side::a)}};
    work.base.input = session_.comparison().inputOf(Side::a);
    work.base.targets = targets;
    work.encoded = session_.pipeline().setup().pane(Side::a).encoded;
    try {
        checkSweep(work.text, work.base.recipes);
    } catch (const Error& e) {
        return session_.tasks().raise(toMessage(e, sourceOf(kMeasure)));
    }
    work.options.protocol = session_.benchmark().protocol(effort);
    work.options.command = session_.benchmark().command(targets, effort) + " --sweep '" + work.text + "'";
    work.progress = session_.tasks().progress();
    work.onPoint = [this, update = session_.tasks().updatesOfNext(kMeasure)](const QString& name, const SweepPosition& at) {
        update([this, name, at] {
            if (!sweeping_) return;
            const QString where = tr("Point %1 of %2 (%3)").arg(at.index + 1).arg(at.count).arg(name);
            const QString left = timeLeft(at.secondsLeft);
            sweepState_ = left.isEmpty() ? where : tr("%1, %2").arg(where, left);
            session_.tasks().setTitle(kMeasure, tr("Sweep: point %1 of %2").arg(at.index + 1).arg(at.count));
            emit sweepChanged();
        });
    };
    work.onRecords = [this, update = session_.tasks().updatesOfNext(kMeasure)](const std::shared_ptr<const LabRecords>& lab) {
        update([this, lab] {
            if (!sweeping_) return;
            sweepDone_ = lab->records.size();
            running_ = lab;
            take(lab);
        });
    };
    running_.reset();
    const std::string axis = text.section(QLatin1Char('='), 0, 0).toStdString();
    (isScaling(axis) ? scalingOrigin_ : sweepOrigin_) = {session_.original(), recipe()};
    sweepDone_ = 0;
    sweepPlanned_ = static_cast<std::size_t>(text.count(QLatin1Char(',')) + 1);
    session_.tasks().submit(kMeasure, tr("Sweep over %1").arg(text.section(QLatin1Char('='), 0, 0)), std::move(work),
                            [this](const std::optional<Message>& failure) {
                                if (failure) session_.tasks().raise(*failure);
                                else session_.tasks().clear(sourceOf(kMeasure));
                            });
    // The previous sweep is shown until the first point is done.
    sweeping_ = true;
    sweepState_ = tr("Preparing the sweep");
    emit sweepChanged();
}

std::vector<std::string> Lab::recipe() const {
    std::vector<std::string> steps;
    for (const Step& step : session_.pipeline().pipeline().steps)
        if (step.enabled) steps.push_back(toText(step));
    return steps;
}

bool Lab::inReport(const LabRecords& sweep) const {
    const std::shared_ptr<const RunRecord> record = session_.record();
    if (!sweep.source.isEmpty() || !recordSource().isEmpty()) return record && sweep.source == recordSource();
    const std::string light = record ? record->input.light : session_.pipeline().setup().pane(Side::a).encoded ? "encoded" : "";
    if (sweep.records.front().input.light != light) return false;
    const Origin& origin = sweep.isScaling() ? scalingOrigin_ : sweepOrigin_;
    return session_.original() && origin.image.lock() == session_.original() && origin.recipe == (record ? record->recipe : recipe());
}

std::vector<RunRecord> Lab::reportRecords() const {
    std::vector<RunRecord> records;
    if (session_.record()) records.push_back(*session_.record());
    for (const auto& sweep : {scaling_, sweep_})
        if (sweep && inReport(*sweep)) records.insert(records.end(), sweep->records.begin(), sweep->records.end());
    // Measured before the ceilings of this machine were known.
    if (recordSource().isEmpty())
        for (RunRecord& r : records)
            if (r.machine.ceilings.empty()) r.machine.ceilings = ceilings_;
    return records;
}

void Lab::take(const std::shared_ptr<const LabRecords>& lab) {
    (lab->isScaling() ? scaling_ : sweep_) = lab;
    emit sweepChanged();
}

void Lab::endSweep() {
    sweeping_ = false;
    sweepState_ = sweepDone_ < sweepPlanned_ ? tr("Stopped after %1 of %2 points").arg(sweepDone_).arg(sweepPlanned_) : QString();
    if (running_) {
        addToRoofline({running_->records, {}});
        keep(running_->records);
    }
    running_.reset();
    emit sweepChanged();
}

bool Lab::measuringCeilings() const { return session_.tasks().pending(kCeilings); }

void Lab::measureCeilings() {
    session_.tasks().submit(
        kCeilings, tr("Measuring the ceilings of this machine"),
        [progress = session_.tasks().progress(), catalog = &session_.catalog()](const std::stop_token& stop) {
            return measureAllCeilings(*catalog, *progress, stop);
        },
        [this](const std::vector<CeilingRecord>& ceilings) {
            session_.tasks().clear(sourceOf(kCeilings));
            ceilings_ = ceilings;
            // Earlier records of this session lack ceilings.
            for (RooflineChartPart& part : rooflineParts_)
                if (part.source.empty())
                    for (RunRecord& r : part.records) r.machine.ceilings = ceilings;
            if (scaling_ && scaling_->source.isEmpty()) {
                auto updated = std::make_shared<LabRecords>(*scaling_);
                for (RunRecord& r : updated->records) r.machine.ceilings = ceilings;
                take(updated);
            }
            makeRoofline();
        });
}

void Lab::addToRoofline(RooflineChartPart part) {
    sweepIsNewer_ = part.isSweep();
    rooflineParts_[sweepIsNewer_ ? 1 : 0] = std::move(part);
    makeRoofline();
}

void Lab::makeRoofline() {
    std::vector<RooflineChartPart> parts(rooflineParts_.begin(), rooflineParts_.end());
    if (sweepIsNewer_) std::swap(parts[0], parts[1]);
    std::erase_if(parts, [](const RooflineChartPart& p) { return p.records.empty(); });
    if (parts.empty()) {
        session_.tasks().drop({TaskKind::roofline});
        rooflineRecords_.clear();
        roofline_.reset();
        return emit rooflineChanged();
    }
    session_.tasks().submit(
        {TaskKind::roofline}, tr("Preparing the view"),
        [parts = std::move(parts), catalog = &session_.catalog()](const std::stop_token&) {
            std::vector<RunRecord> records;  // of the points
            for (const RooflineChartPart& part : parts)
                if (part.sameMachine(parts.front())) records.insert(records.end(), part.records.begin(), part.records.end());
            return std::pair(std::move(records),
                             std::make_shared<const RooflineChartData>(rooflineChartData(parts, knownCeilings(*catalog))));
        },
        [this](std::pair<std::vector<RunRecord>, std::shared_ptr<const RooflineChartData>> made) {
            std::tie(rooflineRecords_, roofline_) = std::move(made);
            emit rooflineChanged();
        },
        Tasks::ignore);
}

void Lab::setBaseline(const QString& label) {
    const std::shared_ptr<const RunRecord> before = session_.record();
    if (!before || session_.measuring() || QString::fromStdString(before->baseline) == label) return;
    RunRecord record = *before;
    record.baseline = label.toStdString();
    if (recordSource().isEmpty()) session_.benchmark().setBaseline(record.baseline);
    session_.tasks().submit(
        {TaskKind::baseline}, tr("Preparing the view"),
        [record = std::move(record)](const std::stop_token&) { return summariseTimings(record); },
        [this, before](const std::shared_ptr<const TimingSummary>& summary) {
            if (session_.record() != before) return;  // a newer record is shown
            if (!recordSource().isEmpty()) loaded_ = summary->record;
            session_.benchmark().show(summary, session_.benchmark().outdated());
        },
        Tasks::ignore);
}

}  // namespace parallax::ui
