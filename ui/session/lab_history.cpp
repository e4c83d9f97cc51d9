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

/// Compares records, or sweeps point by point; labels of points include the value.
RecordComparison compareAll(const std::vector<RunRecord>& base, const std::vector<RunRecord>& current) {
    RecordComparison all;
    for (const RunRecord& now : current) {
        const auto same = std::find_if(base.begin(), base.end(), [&](const RunRecord& r) {
            return r.sweep.axis == now.sweep.axis && r.sweep.value == now.sweep.value;
        });
        if (same == base.end()) continue;
        RecordComparison one = compareRecords(*same, now, -1);
        for (ComparedEntry& e : one.entries) {
            if (!now.sweep.axis.empty()) e.label += ", " + now.sweep.value;
            all.entries.push_back(std::move(e));
        }
        for (std::string& w : one.warnings)
            if (std::find(all.warnings.begin(), all.warnings.end(), w) == all.warnings.end()) all.warnings.push_back(std::move(w));
    }
    return all;
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

void Lab::compareWith(const QString& id) {
    const HistoryItem* chosen = item(id);
    if (!chosen) return;
    const std::vector<RunRecord> current = shownOfKind(*chosen);
    if (current.empty())
        return session_.tasks().raise({Message::Kind::information, tr("Nothing to compare with yet"),
                                       chosen->points == 1 ? tr("no benchmark has been run") : tr("no sweep of this kind has been run"),
                                       tr("Measure first, or choose another past run"), sourceOf(kReport)});
    if (chosen->isOf(current))
        return session_.tasks().raise({Message::Kind::information, tr("Nothing to compare"), tr("the charts show this very run"),
                                       tr("Measure again, or choose another past run"), sourceOf(kReport)});
    const QString baseline = describe(*chosen);
    session_.tasks().submit(
        kReport, tr("Comparing with %1").arg(baseline),
        [baseline, id, current, store = store_](const std::stop_token&) {
            return std::make_shared<const PastComparison>(PastComparison{baseline, compareAll(store.load(id), current)});
        },
        [this](std::shared_ptr<const PastComparison> comparison) {
            comparison_ = std::move(comparison);
            session_.tasks().clear(sourceOf(kReport));
            emit comparisonChanged();
        });
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
