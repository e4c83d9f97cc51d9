// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the lab that saves, shows and compares past runs.
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "core/report/record/record_json.hpp"
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

void Lab::refreshHistory() {
    auto items = std::make_shared<QVector<HistoryItem>>();
    session_.tasks().submit(
        {TaskKind::history}, tr("Reading the history"), [items, store = store_](const std::stop_token&) { *items = store.list(); },
        [this, items] {
            items_ = *items;
            emit historyChanged();
        },
        Tasks::ignoring());
}

void Lab::keep(std::vector<RunRecord> records) {
    auto items = std::make_shared<QVector<HistoryItem>>();
    auto kept = std::make_shared<Kept>();
    kept->records = std::move(records);
    std::erase_if(unwritten_, [](const auto& k) { return k->begun.load(); });
    unwritten_.push_back(kept);
    // Each has its own id, so that none replaces another.
    session_.tasks().submit(
        {TaskKind::keep, QString::number(++kept_)}, tr("Saving the measurement"),
        [items, kept, store = store_](const std::stop_token&) {
            kept->begun = true;
            store.add(kept->records);
            *items = store.list();
        },
        [this, items] {
            items_ = *items;
            emit historyChanged();
        },
        [this](ErrorCode, const Message& message) { session_.tasks().raise(message); });
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

void Lab::prepareLoaded(Loaded& loaded) {
    if (loaded.records.size() == 1 && loaded.records.front().sweep.axis.empty()) {
        loaded.record = std::make_shared<const RunRecord>(loaded.records.front());
        loaded.summary = std::make_shared<const TimingSummary>(summariseTimings(*loaded.record));
    } else {
        loaded.lab = std::make_shared<const LabRecords>(makeLabRecords(loaded.records, 0, loaded.source));
    }
}

void Lab::show(const Loaded& loaded) {
    session_.tasks().clear(sourceOf(kReport));
    if (loaded.record) {
        loaded_ = loaded.record;
        loadedSource_ = loaded.source;
        session_.benchmark().show(loaded.record, loaded.summary, false);
    } else {
        (loaded.lab->series.axis == "threads" ? scaling_ : sweep_) = loaded.lab;
        sweepState_.clear();
        emit sweepChanged();
    }
    addToRoofline({loaded.records, loaded.source});
}

void Lab::openReport(const QString& path) {
    session_.benchmark().cancel();
    auto loaded = std::make_shared<Loaded>();
    auto items = std::make_shared<QVector<HistoryItem>>();
    const QString name = QFileInfo(path).fileName();
    loaded->source = name;
    session_.tasks().submit(
        kReport, tr("Opening %1").arg(name),
        [loaded, items, path, name, store = store_](const std::stop_token&) {
            loaded->records = loadRecords(path.toStdString());
            prepareLoaded(*loaded);
            store.add(loaded->records, name);
            *items = store.list();
        },
        [this, loaded, items, name] {
            show(*loaded);
            items_ = *items;
            emit historyChanged();
            emit reportShown(!loaded->record);
            session_.tasks().raise({Message::Kind::information,
                                    tr("The charts show %1").arg(name),
                                    tr("it was not measured in this session"),
                                    {},
                                    sourceOf(kReport)});
        },
        session_.tasks().raising());
}

void Lab::showPast(const QString& id) {
    const HistoryItem* chosen = item(id);
    if (!chosen) return;
    session_.benchmark().cancel();
    auto loaded = std::make_shared<Loaded>();
    loaded->source = describe(*chosen);
    session_.tasks().submit(
        kReport, tr("Opening %1").arg(loaded->source),
        [loaded, id, store = store_](const std::stop_token&) {
            loaded->records = store.load(id);
            prepareLoaded(*loaded);
        },
        [this, loaded] {
            show(*loaded);
            emit reportShown(!loaded->record);
        },
        session_.tasks().raising());
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
    auto comparison = std::make_shared<PastComparison>();
    comparison->baseline = describe(*chosen);
    session_.tasks().submit(
        kReport, tr("Comparing with %1").arg(comparison->baseline),
        [comparison, id, current = std::move(current), store = store_](const std::stop_token&) {
            comparison->result = compareAll(store.load(id), current);
        },
        [this, comparison] {
            comparison_ = comparison;
            session_.tasks().clear(sourceOf(kReport));
            emit comparisonChanged();
        },
        session_.tasks().raising());
}

void Lab::removePast(const QString& id) {
    store_.remove(id);
    refreshHistory();
}

}  // namespace parallax::ui
