// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the lab that saves, shows and compares past runs.
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

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

QString describe(const HistoryItem& item) {
    const QString when = QLocale().toString(item.when, QLocale::ShortFormat);
    return item.importedFrom.isEmpty() ? when : QStringLiteral("%1, %2").arg(item.importedFrom, when);
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

void Lab::refreshHistory() {
    session_.tasks().submit(
        {TaskKind::history}, tr("Reading the history"), [store = store_](const std::stop_token&) { return store.list(); },
        [this](QVector<HistoryItem> items) { setItems(std::move(items)); }, Tasks::ignore);
}

void Lab::keep(std::vector<RunRecord> records) {
    auto kept = std::make_shared<Kept>();
    kept->records = std::move(records);
    std::erase_if(unwritten_, [](const auto& k) { return k->begun.load(); });
    unwritten_.push_back(kept);
    // Each has its own id, so that none replaces another.
    session_.tasks().submit(
        {TaskKind::keep, QString::number(++kept_)}, tr("Saving the measurement"),
        [kept, store = store_](const std::stop_token&) {
            kept->begun = true;
            store.add(kept->records);
            return store.list();
        },
        [this](QVector<HistoryItem> items) { setItems(std::move(items)); });
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
    } else {
        sweepState_.clear();
        take(loaded.lab);
    }
    addToRoofline({loaded.records, source.toStdString()});
}

void Lab::load(const QString& source, bool import, std::function<std::vector<RunRecord>()> read) {
    session_.benchmark().cancel();
    session_.tasks().submit(
        kReport, tr("Opening %1").arg(source),
        [source, import, read = std::move(read), store = store_](const std::stop_token&) {
            Loaded loaded{.records = read(), .summary = {}, .lab = {}, .items = {}};
            if (loaded.records.size() == 1 && loaded.records.front().sweep.axis.empty())
                loaded.summary = summariseTimings(loaded.records.front());
            else loaded.lab = makeLabRecords(loaded.records, source);
            if (!import) return loaded;
            store.add(loaded.records, source);
            loaded.items = store.list();
            return loaded;
        },
        [this, source, import](const Loaded& loaded) {
            show(loaded, source);
            if (import) setItems(loaded.items);
            emit reportShown(loaded.lab != nullptr);
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

void Lab::compareWith(const QString& id) {
    const HistoryItem* chosen = item(id);
    if (!chosen) return;
    std::vector<RunRecord> current;
    if (chosen->sweep.isEmpty() && chosen->points == 1) {
        if (session_.record()) current.push_back(*session_.record());
    } else if (const auto& lab = chosen->sweep == QLatin1String("threads") ? scaling_ : sweep_) {
        current = lab->records;
    }
    if (current.empty())
        return session_.tasks().raise({Message::Kind::information, tr("Nothing to compare with yet"),
                                       chosen->points == 1 ? tr("no benchmark has been run") : tr("no sweep of this kind has been run"),
                                       tr("Measure first, or choose another past run"), sourceOf(kReport)});
    const QString baseline = describe(*chosen);
    session_.tasks().submit(
        kReport, tr("Comparing with %1").arg(baseline),
        [baseline, id, current = std::move(current), store = store_](const std::stop_token&) {
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
    store_.setLimits({.keeps = settings.keepsHistory(), .runs = settings.historyRuns(), .days = settings.historyDays()});
}

void Lab::removePast(const QString& id) {
    store_.remove(id);
    refreshHistory();
}

}  // namespace parallax::ui
