// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/lab.hpp"

#include <cmath>

#include "core/engine/backend/backend.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/record/redact.hpp"
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

}  // namespace

Lab::Lab(Session& session) : session_(session), store_(HistoryStore::standardFolder()) {
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
    if (!session_.original()) return {};
    return sweepAxes(session_.pipeline().pipeline(), *session_.original());
}

void Lab::sweep(const QString& text, const QString& effort) {
    const std::vector<Target> targets = session_.benchmark().targets();
    if (targets.empty()) return;
    const std::string sweepText = text.toStdString();
    SweepPoint base;
    base.pipeline = session_.pipeline().pipeline();
    base.input = session_.original();
    base.targets = targets;
    try {
        checkSweep(sweepText, base.pipeline);
    } catch (const Error& e) {
        return session_.tasks().raise(toMessage(e, sourceOf(kMeasure)));
    }
    MeasureOptions options;
    options.protocol = protocolFor(effort.toStdString());
    options.command = session_.benchmark().command(targets, effort) + " --sweep '" + sweepText + "'";
    auto broken = std::make_shared<std::optional<Message>>();
    running_.reset();
    sweepDone_ = 0;
    sweepPlanned_ = static_cast<std::size_t>(text.count(QLatin1Char(',')) + 1);
    session_.tasks().submit(
        kMeasure, tr("Sweep over %1").arg(text.section(QLatin1Char('='), 0, 0)),
        [this, update = session_.tasks().updatesOfNext(kMeasure), engine = session_.engine(), base, options, sweepText, broken,
         progress = session_.tasks().progress()](const std::stop_token& stop) {
            const auto post = [&](std::function<void()> then) {
                update([this, then = std::move(then)] {
                    if (sweeping_) then();
                });
            };
            std::vector<RunRecord> records;
            const auto visit = [&](const SweepPoint& point, const SweepPosition& at) {
                if (at.index == 0) progress->start(static_cast<std::int64_t>(at.count));
                post([this, at, name = QString::fromStdString(point.name())] {
                    const QString where = tr("Point %1 of %2 (%3)").arg(at.index + 1).arg(at.count).arg(name);
                    const QString left = timeLeft(at.secondsLeft);
                    sweepState_ = left.isEmpty() ? where : tr("%1, %2").arg(where, left);
                    session_.tasks().setTitle(kMeasure, tr("Sweep: point %1 of %2").arg(at.index + 1).arg(at.count));
                    emit sweepChanged();
                });
                MeasureOptions stoppable = options;
                stoppable.stop = stop;
                RunRecord record = measureTargets(engine, point.pipeline, point.input, point.targets, stoppable);
                // Discard an incomplete point.
                if (stop.stop_requested()) return false;
                if (point.input->source.medical) record = redacted(std::move(record));
                record.sweep = point.at;
                records.push_back(std::move(record));
                progress->add();
                auto lab = std::make_shared<const LabRecords>(makeLabRecords(records, at.count, {}));
                post([this, lab] {
                    sweepDone_ = lab->records.size();
                    take(lab);
                });
                return true;
            };
            try {
                forEachPoint(sweepText, base, visit);
            } catch (const Error& e) {
                // A point that fails, such as one that is too large, must not discard the points before it.
                if (records.empty() || e.code() == ErrorCode::cancelled) throw;
                *broken = toMessage(e, sourceOf(kMeasure));
            }
        },
        [this, broken] {
            if (*broken) session_.tasks().raise(**broken);
            else session_.tasks().clear(sourceOf(kMeasure));
        },
        session_.tasks().raising());
    // The previous sweep is shown until the first point is done.
    sweeping_ = true;
    sweepState_ = tr("Preparing the sweep");
    emit sweepChanged();
}

void Lab::take(const std::shared_ptr<const LabRecords>& lab) {
    running_ = lab;
    (lab->series.axis == "threads" ? scaling_ : sweep_) = lab;
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
    auto ceilings = std::make_shared<std::vector<CeilingRecord>>();
    session_.tasks().submit(
        kCeilings, tr("Measuring the ceilings of this machine"),
        [ceilings, progress = session_.tasks().progress(), catalog = &session_.catalog()](const std::stop_token& stop) {
            // The CPU and each other device have equal shares of the progress.
            std::vector<std::pair<const Backend*, DeviceInfo>> devices;
            for (const auto& backend : catalog->backends())
                if (backend->availability().yes)
                    for (const DeviceInfo& device : backend->devices())
                        if (!isProcessor(device)) devices.emplace_back(backend.get(), device);
            constexpr double kSteps = 1000;
            progress->start(static_cast<std::int64_t>(kSteps * static_cast<double>(1 + devices.size())));
            double before = 0;
            std::int64_t done = 0;
            const auto show = [&](const std::string&, double fraction) {
                const auto now = static_cast<std::int64_t>((before + fraction) * kSteps);
                progress->add(now - done);
                done = now;
            };
            CeilingOptions options;
            options.stop = stop;
            options.onProgress = show;
            *ceilings = parallax::measureCeilings(options);
            (void)saveCeilings(*ceilings, ceilingsFile());  // shown even if they cannot be saved
            for (const auto& [backend, device] : devices) {
                ++before;
                CeilingProbe probe;
                probe.stop = stop;
                probe.onProgress = show;
                const std::vector<CeilingRecord> list = backend->measureCeilings(device.index, probe);
                if (!list.empty()) (void)saveCeilings(list, ceilingsFile(backend->id(), device));
                ceilings->insert(ceilings->end(), list.begin(), list.end());
            }
        },
        [this, ceilings] {
            session_.tasks().clear(sourceOf(kCeilings));
            // Earlier records of this session lack ceilings.
            for (RooflinePart& part : rooflineParts_)
                if (part.source.isEmpty())
                    for (RunRecord& r : part.records) r.machine.ceilings = *ceilings;
            makeRoofline();
        },
        session_.tasks().raising());
}

void Lab::addToRoofline(RooflinePart part) {
    sweepIsNewer_ = part.swept();
    rooflineParts_[sweepIsNewer_ ? 1 : 0] = std::move(part);
    makeRoofline();
}

void Lab::makeRoofline() {
    std::vector<RooflinePart> parts(rooflineParts_.begin(), rooflineParts_.end());
    if (sweepIsNewer_) std::swap(parts[0], parts[1]);
    std::erase_if(parts, [](const RooflinePart& p) { return p.records.empty(); });
    if (parts.empty()) {
        session_.tasks().drop({TaskKind::roofline});
        rooflineRecords_.clear();
        roofline_.reset();
        return emit rooflineChanged();
    }
    struct Made {
        std::shared_ptr<const RooflineData> data;
        std::vector<RunRecord> records;  // of its points
    };
    auto made = std::make_shared<Made>();
    session_.tasks().submit(
        {TaskKind::roofline}, tr("Preparing the view"),
        [made, parts = std::move(parts), catalog = &session_.catalog()](const std::stop_token&) {
            for (const RooflinePart& part : parts)
                if (part.sameMachine(parts.front())) made->records.insert(made->records.end(), part.records.begin(), part.records.end());
            made->data = std::make_shared<const RooflineData>(makeRooflineData(parts, knownCeilings(*catalog)));
        },
        [this, made] {
            roofline_ = made->data;
            rooflineRecords_ = std::move(made->records);
            emit rooflineChanged();
        },
        Tasks::ignoring());
}

void Lab::setBaseline(const QString& label) {
    if (!session_.record() || session_.measuring() || QString::fromStdString(session_.record()->baseline) == label) return;
    auto record = std::make_shared<RunRecord>(*session_.record());
    record->baseline = label.toStdString();
    auto summary = std::make_shared<std::shared_ptr<const TimingSummary>>();
    const bool wasLoaded = !recordSource().isEmpty();
    session_.tasks().submit(
        {TaskKind::baseline}, tr("Preparing the view"),
        [record, summary](const std::stop_token&) { *summary = std::make_shared<const TimingSummary>(summariseTimings(*record)); },
        [this, record, summary, wasLoaded, before = session_.record()] {
            if (session_.record() != before) return;  // a newer record is shown
            if (wasLoaded) loaded_ = record;
            session_.benchmark().show(record, *summary, session_.recordOutdated());
        },
        Tasks::ignoring());
}

}  // namespace parallax::ui
