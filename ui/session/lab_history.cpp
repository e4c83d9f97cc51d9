// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the lab that saves, shows and compares past runs.
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "core/report/record/record_groups.hpp"
#include "core/report/record/record_json.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

const TaskId kReport{TaskKind::report};

/// The records of the kinds that a baseline has: the benchmark, and sweeps over the same axes.
std::vector<RunRecord> ofSameKinds(const std::vector<RunRecord>& base, std::vector<RunRecord> current) {
    std::erase_if(current, [&](const RunRecord& now) {
        return std::none_of(base.begin(), base.end(), [&](const RunRecord& r) { return r.sweep.axis == now.sweep.axis; });
    });
    return current;
}

/// Tells measurements apart by their second and the sum of their times, since two may be of the same second.
QStringList keysOf(const std::vector<RunRecord>& records) {
    QStringList keys;
    for (const RunRecord& r : records) {
        qint64 sum = 0;
        for (const RunEntry& e : r.entries)
            for (const StageTimes& s : e.samples) sum += s.endToEnd();
        keys << QStringLiteral("%1 %2").arg(QString::fromStdString(r.when)).arg(sum);
    }
    return keys;
}

}  // namespace

QString Lab::describe(const HistoryItem& item) const {
    if (ownIds_.contains(item.id)) return tr("This session, %1").arg(QLocale().toString(item.when.time(), QLocale::ShortFormat));
    const QString when = QLocale().toString(item.when, QLocale::ShortFormat);
    return tr("Earlier run, %1").arg(item.importedFrom.isEmpty() ? when : QStringLiteral("%1, %2").arg(item.importedFrom, when));
}

const HistoryItem* Lab::item(const QString& id) const {
    const auto it = std::find_if(items_.begin(), items_.end(), [&](const HistoryItem& i) { return i.id == id; });
    return it == items_.end() ? nullptr : &*it;
}

QString Lab::recordSource() const {
    const auto loaded = loaded_.lock();
    return loaded && loaded == session_.record() ? loadedSource_ : QString();
}

void Lab::setItems(QVector<HistoryItem> items) {
    items_ = std::move(items);
    emit historyChanged();
}

void Lab::ignoreHistory() {
    ignoresHistory_ = true;
    limitHistory();
    setItems({});
}

void Lab::refreshHistory() {
    if (ignoresHistory_) return;
    session_.tasks().submit(
        {TaskKind::history}, tr("Reading the history"), [store = store_](const std::stop_token&) { return store.list(); },
        [this](QVector<HistoryItem> items) { setItems(std::move(items)); }, Tasks::ignore);
}

void Lab::keep(std::vector<RunRecord> records) {
    if (ignoresHistory_) return;
    auto kept = std::make_shared<Kept>();
    kept->records = std::move(records);
    std::erase_if(unwritten_, [](const auto& k) { return k->begun.load(); });
    unwritten_.push_back(kept);
    // Each has its own id, so that none replaces another.
    session_.tasks().submit(
        {TaskKind::keep, QString::number(++kept_)}, tr("Saving the measurement"),
        [kept, store = store_](const std::stop_token&) {
            kept->begun = true;
            kept->id = store.add(kept->records);
            return store.list();
        },
        [this, kept](QVector<HistoryItem> items) {
            if (!kept->id.isEmpty()) ownIds_ << kept->id;
            setItems(std::move(items));
        });
}

Lab::~Lab() {
    for (const auto& kept : unwritten_) {
        if (kept->begun.exchange(true)) continue;
        try {
            store_.add(kept->records);
        } catch (...) {  // a destructor must not throw, and the window that could show a message is gone
        }
    }
}

void Lab::show(const Loaded& loaded, const QString& source) {
    session_.tasks().clear(sourceOf(kReport));
    if (loaded.summary) {
        loaded_ = loaded.summary->record;
        loadedSource_ = source;
        session_.benchmark().show(loaded.summary, false);
        addToRoofline({{*loaded.summary->record}, source.toStdString()});
    }
    for (const auto& sweep : loaded.sweeps) {
        sweepState_.clear();
        take(sweep);
        addToRoofline({sweep->records, source.toStdString()});
    }
}

void Lab::load(const QString& source, bool import, std::function<std::vector<RunRecord>()> read) {
    session_.benchmark().cancel();
    // The file name alone is the origin of an imported report; its time is in the list.
    const QString title = import ? tr("Earlier run, %1").arg(source) : source;
    session_.tasks().submit(
        kReport, tr("Opening %1").arg(source),
        [source, title, import, read = std::move(read), store = store_](const std::stop_token&) {
            const std::vector<RunRecord> records = read();
            Loaded loaded;
            const RecordGroups groups = groupsOf(records);
            for (const std::size_t i : groups.single) {
                if (!records[i].sweep.axis.empty()) loaded.sweeps.push_back(makeLabRecords({records[i]}, title));
                else if (!loaded.summary) loaded.summary = summariseTimings(records[i]);
            }
            for (const auto& sweep : groups.sweeps) loaded.sweeps.push_back(makeLabRecords(selected(records, sweep), title));
            if (!import) return loaded;
            if (!store.add(records, source).isEmpty()) loaded.items = store.list();
            return loaded;
        },
        [this, source, title, import](const Loaded& loaded) {
            show(loaded, title);
            if (!loaded.items.isEmpty()) setItems(loaded.items);
            emit reportShown(!loaded.summary);
            if (import)
                session_.tasks().raise({Message::Kind::information,
                                        tr("The charts show %1").arg(source),
                                        tr("it was not measured in this session"),
                                        {},
                                        sourceOf(kReport)});
        });
}

void Lab::openReport(const QString& path) {
    load(QFileInfo(path).fileName(), true, [path] { return loadRecords(path.toStdString()); });
}

void Lab::showPast(const QString& id) {
    if (const HistoryItem* chosen = item(id)) load(describe(*chosen), false, [id, store = store_] { return store.load(id); });
}

std::vector<RunRecord> Lab::shownOfKind(const HistoryItem& item) const {
    if (item.sweep.isEmpty() && item.points == 1) return session_.record() ? std::vector{*session_.record()} : std::vector<RunRecord>{};
    // A report of a session has a benchmark and sweeps.
    if (item.sweep.isEmpty()) return reportRecords();
    const auto& lab = isScaling(item.sweep.toStdString()) ? scaling_ : sweep_;
    return lab ? lab->records : std::vector<RunRecord>{};
}

bool Lab::isShown(const HistoryItem& item) const { return item.isOf(shownOfKind(item)); }

std::vector<RunRecord> Lab::currentFor(const HistoryItem& chosen) {
    std::vector<RunRecord> current = shownOfKind(chosen);
    if (current.empty()) {
        session_.tasks().raise({Message::Kind::information, tr("Nothing to compare with yet"),
                                chosen.points == 1 ? tr("no benchmark has been run") : tr("no sweep of this kind has been run"),
                                tr("Measure first, or choose another past run"), sourceOf(kReport)});
    } else if (chosen.isOf(current)) {
        session_.tasks().raise({Message::Kind::information, tr("Nothing to compare"), tr("the charts show this very run"),
                                tr("Measure again, or choose another past run"), sourceOf(kReport)});
        current.clear();
    }
    return current;
}

void Lab::compareWith(const QString& id, const QStringList& baselines) {
    const HistoryItem* chosen = item(id);
    const std::vector<RunRecord> current = chosen ? currentFor(*chosen) : std::vector<RunRecord>{};
    if (chosen && current.empty()) return;
    if (!chosen && baselines.isEmpty()) {
        comparison_.reset();
        emit comparisonChanged();
        return;
    }
    const std::vector<RunRecord> shown = reportRecords();
    if (!chosen && shown.empty())
        return session_.tasks().raise({Message::Kind::information, tr("Nothing to compare with yet"), tr("no benchmark has been run"),
                                       tr("Measure first"), sourceOf(kReport)});
    const QString past = chosen ? describe(*chosen) : QString();
    session_.tasks().submit(
        kReport, tr("Comparing with %1").arg(chosen ? past : baselines.join(QStringLiteral(", "))),
        [past, id, current, shown, baselines, store = store_, saved = baselines_](const std::stop_token&) {
            PastComparisons all;
            if (!past.isEmpty()) all.push_back({past, parallax::compareWith({{}, store.load(id)}, current, -1).result});
            for (const QString& name : baselines) {
                const NamedRecords baseline{name.toStdString(), saved.load(name.toStdString())};
                all.push_back({name, parallax::compareWith(baseline, ofSameKinds(baseline.records, shown), -1).result});
            }
            return std::make_shared<const PastComparisons>(std::move(all));
        },
        [this, compared = keysOf(current) +
                          (baselines.isEmpty() ? QStringList() : keysOf(shown))](std::shared_ptr<const PastComparisons> comparison) {
            comparison_ = std::move(comparison);
            compared_ = compared;
            session_.tasks().clear(sourceOf(kReport));
            emit comparisonChanged();
        });
}

std::vector<NamedComparison> Lab::reportComparisons() const {
    std::vector<NamedComparison> comparisons;
    const QStringList reported = keysOf(reportRecords());
    if (!comparison_ || !std::all_of(compared_.begin(), compared_.end(), [&](const QString& key) { return reported.contains(key); }))
        return comparisons;
    for (const PastComparison& past : *comparison_) comparisons.push_back({past.baseline.toStdString(), past.result});
    return comparisons;
}

void Lab::changeBaselines(const QString& title, std::function<void(const Baselines&)> change) {
    const QString subject = QStringLiteral("baselines");
    // Each change has its own id, so that none replaces another, and is never cancelled. Made before the change is moved away.
    const TaskId id = change ? TaskId{TaskKind::keep, subject + QString::number(++kept_)} : TaskId{TaskKind::history, subject};
    session_.tasks().submit(
        id, title,
        [change = std::move(change), saved = baselines_](const std::stop_token&) {
            if (change) change(saved);
            QStringList names;
            for (const std::string& name : saved.names()) names << QString::fromStdString(name);
            return names;
        },
        [this](const QStringList& names) {
            baselineNames_ = names;
            emit baselinesChanged();
        });
}

void Lab::refreshBaselines() { changeBaselines(tr("Reading the baselines"), {}); }

void Lab::saveBaseline(const QString& name, const QString& id) {
    changeBaselines(tr("Saving the baseline %1").arg(name),
                    [name = name.toStdString(), id, shown = reportRecords(), store = store_](const Baselines& saved) {
                        saved.save(name, id.isEmpty() ? shown : store.load(id), false);
                    });
}

void Lab::renameBaseline(const QString& name, const QString& newName) {
    changeBaselines(tr("Renaming the baseline %1").arg(name),
                    [from = name.toStdString(), to = newName.toStdString()](const Baselines& saved) { saved.rename(from, to); });
}

void Lab::removeBaseline(const QString& name) {
    changeBaselines(tr("Removing the baseline %1").arg(name), [name = name.toStdString()](const Baselines& saved) { saved.remove(name); });
}

void Lab::limitHistory() {
    const Settings& settings = Settings::instance();
    store_.setLimits(
        {.keeps = !ignoresHistory_ && settings.keepsHistory(), .runs = settings.historyRuns(), .days = settings.historyDays()});
}

void Lab::removePast(const QString& id) {
    store_.remove(id);
    refreshHistory();
}

}  // namespace parallax::ui
