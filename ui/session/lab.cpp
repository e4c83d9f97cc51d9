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

const QString kMeasure = QStringLiteral("measure");
const QString kRoofs = QStringLiteral("roofs");
constexpr double kShortestTold = 1.5;  // seconds: less is over before it is read

QString timeLeft(const std::optional<double>& seconds) {
    if (!seconds || *seconds < kShortestTold) return {};
    return *seconds < 90 ? Lab::tr("about %1 s left").arg(std::lround(*seconds))
                         : Lab::tr("about %1 min left").arg(std::lround(*seconds / 60));
}

}  // namespace

Lab::Lab(Session& session) : session_(session), store_(HistoryStore::standardFolder()) {
    // The end of a sweep is seen here, however it came: done, cancelled, or pushed out by something newer.
    connect(&session_, &Session::busyChanged, this, [this] {
        if (sweeping_ && !session_.measuring()) endSweep();
    });
    connect(&session_, &Session::originalChanged, this, [this] {
        // Its measurements are gone with the image before; sweeps stay until another one takes their place.
        rooflineParts_[0] = {};
        makeRoofline();
    });
}

std::vector<SweepAxis> Lab::axes() const {
    if (!session_.original()) return {};
    return sweepAxes(session_.pipeline_.pipeline(), *session_.original());
}

void Lab::sweep(const QString& text, const QString& effort) {
    const std::vector<Target> targets = session_.measuredTargets();
    if (targets.empty()) return;
    const std::string sweepText = text.toStdString();
    SweepPoint base;
    base.pipeline = session_.pipeline_.pipeline();
    base.input = session_.original();
    base.targets = targets;
    try {
        checkSweep(sweepText, base.pipeline);
    } catch (const Error& e) {
        return emit session_.messageRaised(toMessage(e, kMeasure));
    }
    MeasureOptions options;
    options.protocol = protocolFor(effort.toStdString());
    options.command = session_.benchCommand(targets, effort) + " --sweep '" + sweepText + "'";
    const quint64 number = session_.newest_.value(kMeasure) + 1;
    auto broken = std::make_shared<std::optional<Message>>();
    running_.reset();
    sweepDone_ = 0;
    sweepPlanned_ = static_cast<std::size_t>(text.count(QLatin1Char(',')) + 1);
    session_.submit(
        session_.computeQueue_, kMeasure, tr("Sweep over %1").arg(text.section(QLatin1Char('='), 0, 0)),
        [this, address = session_.inbox_.address(), number, engine = session_.engine_, base, options, sweepText, broken,
         progress = session_.progress_](const std::stop_token& stop) {
            const auto post = [&](std::function<void()> then) {
                address.post([this, number, then = std::move(then)] {
                    // A newer request may have come in between.
                    if (sweeping_ && session_.newest_.value(kMeasure) == number) then();
                });
            };
            std::vector<RunRecord> records;
            const auto visit = [&](const SweepPoint& point, const SweepPosition& at) {
                if (at.index == 0) progress->start(static_cast<std::int64_t>(at.count));
                post([this, at, name = QString::fromStdString(point.name())] {
                    const QString where = tr("Point %1 of %2 (%3)").arg(at.index + 1).arg(at.count).arg(name);
                    const QString left = timeLeft(at.secondsLeft);
                    sweepState_ = left.isEmpty() ? where : tr("%1, %2").arg(where, left);
                    session_.titles_[kMeasure] = tr("Sweep: point %1 of %2").arg(at.index + 1).arg(at.count);
                    emit sweepChanged();
                });
                MeasureOptions here = options;
                here.stop = stop;
                RunRecord record = measureTargets(engine, point.pipeline, point.input, point.targets, here);
                // A point that was broken off says nothing that one could compare.
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
                // A point that is too large must not cost what the ones before it took.
                if (records.empty() || e.code() == ErrorCode::cancelled) throw;
                *broken = toMessage(e, kMeasure);
            }
        },
        [this, broken] {
            if (*broken) emit session_.messageRaised(**broken);
            else emit session_.messageCleared(kMeasure);
        },
        [this](ErrorCode code, const Message& message) {
            if (code != ErrorCode::cancelled) emit session_.messageRaised(message);
        },
        JobQueue::Pace::asProcess);
    // What is shown of the last sweep goes with the first point of this one.
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

bool Lab::measuringRoofs() const { return session_.pending_.contains(kRoofs); }

void Lab::measureRoofs() {
    auto roofs = std::make_shared<std::vector<CeilingRecord>>();
    session_.submit(
        session_.computeQueue_, kRoofs, tr("Measuring the ceilings of this machine"),
        [roofs, progress = session_.progress_, catalog = &session_.catalog()](const std::stop_token& stop) {
            // The processor and each device of every backend have an equal share of the bar.
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
            *roofs = measureCeilings(options);
            (void)saveCeilings(*roofs, ceilingsFile());  // not kept is no reason not to show them
            for (const auto& [backend, device] : devices) {
                ++before;
                CeilingProbe probe;
                probe.stop = stop;
                probe.onProgress = show;
                const std::vector<CeilingRecord> list = backend->measureCeilings(device.index, probe);
                if (!list.empty()) (void)saveCeilings(list, ceilingsFile(backend->id(), device));
                roofs->insert(roofs->end(), list.begin(), list.end());
            }
        },
        [this, roofs] {
            emit session_.messageCleared(kRoofs);
            // Records of this session from before have none of their own.
            for (RooflinePart& part : rooflineParts_)
                if (part.source.isEmpty())
                    for (RunRecord& r : part.records) r.machine.ceilings = *roofs;
            makeRoofline();
        },
        [this](ErrorCode code, const Message& message) {
            if (code != ErrorCode::cancelled) emit session_.messageRaised(message);
        },
        JobQueue::Pace::asProcess);
}

void Lab::addToRoofline(RooflinePart part) {
    sweepIsNewer_ = part.swept();
    rooflineParts_[sweepIsNewer_ ? 1 : 0] = std::move(part);
    makeRoofline();
}

void Lab::makeRoofline() {
    const QString key = QStringLiteral("view roofline");
    std::vector<RooflinePart> parts(rooflineParts_.begin(), rooflineParts_.end());
    if (sweepIsNewer_) std::swap(parts[0], parts[1]);
    std::erase_if(parts, [](const RooflinePart& p) { return p.records.empty(); });
    if (parts.empty()) {
        session_.drop(session_.viewQueue_, key);
        rooflineRecords_.clear();
        roofline_.reset();
        return emit rooflineChanged();
    }
    struct Made {
        std::shared_ptr<const RooflineData> data;
        std::vector<RunRecord> records;  // that its points are about
    };
    auto made = std::make_shared<Made>();
    session_.submit(
        session_.viewQueue_, key, tr("Preparing the view"),
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
        [](ErrorCode, const Message&) {});
}

void Lab::setBaseline(const QString& label) {
    if (!session_.record() || session_.measuring() || QString::fromStdString(session_.record()->baseline) == label) return;
    auto record = std::make_shared<RunRecord>(*session_.record());
    record->baseline = label.toStdString();
    auto summary = std::make_shared<std::shared_ptr<const TimingSummary>>();
    const bool wasLoaded = !recordSource().isEmpty();
    session_.submit(
        session_.viewQueue_, QStringLiteral("view baseline"), tr("Preparing the view"),
        [record, summary](const std::stop_token&) { *summary = std::make_shared<const TimingSummary>(summariseTimings(*record)); },
        [this, record, summary, wasLoaded, before = session_.record()] {
            if (session_.record() != before) return;  // something newer is shown
            session_.record_ = record;
            session_.summary_ = *summary;
            if (wasLoaded) loaded_ = session_.record_;
            emit session_.recordChanged();
        },
        [](ErrorCode, const Message&) {});
}

void Lab::recordMeasured(const std::shared_ptr<const RunRecord>& record) {
    addToRoofline({{*record}, {}});
    keep({*record});
}

}  // namespace parallax::ui
