// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/history_page.hpp"

#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QItemSelectionModel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>

#include "ui/charts/chart_page.hpp"
#include "ui/charts/kinds/timing_charts.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/models/pipeline/step_text.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/layout.hpp"
#include "ui/theme/theme.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {

HistoryPage::HistoryPage(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(new ChartTableModel(this)),
      list_(new QTableView),
      chart_(new CompareChart),
      show_(new QPushButton(tr("Show"))),
      compare_(new QPushButton(tr("Compare"))),
      remove_(new QPushButton(tr("Remove"))),
      baselines_(new QListWidget),
      saveBaseline_(new QPushButton(tr("Save …"))),
      renameBaseline_(new QPushButton(tr("Rename …"))),
      removeBaseline_(new QPushButton(tr("Delete"))) {
    prepareTable(*list_, *model_);
    // Lines are wrapped, so that every column fits.
    list_->setWordWrap(true);
    list_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    list_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setAccessibleName(tr("Past runs"));
    list_->setToolTip(tr("Finished benchmarks and sweeps, newest first. Enter or a double click shows one."));
    describe(show_, "showPast", {}, tr("Show this run in all charts, labelled as an earlier run"));
    describe(compare_, "comparePast", {},
             tr("Compare the run that the charts show with this one as the baseline; not for that run itself"));
    describe(remove_, "removePast", {}, tr("Remove this run from the history; exported reports are kept"));
    auto* open = new QPushButton(tr("Open report …"));
    open->setIcon(actionIcon(QStringLiteral("open")));
    open->setToolTip(tr("Open a JSON report from another place or machine and add it to the history"));
    // In turns instead of beside each other: each needs the width of a small window.
    auto* page = new ChartPage(chart_, nullptr, session_);
    auto* tabs = describe(new QTabWidget, "historyTabs", tr("Past runs and comparison"),
                          tr("Past runs of window and command line, and their comparison with the charts"));
    tabs->setDocumentMode(true);
    tabs->addTab(columnOf({flowOf({show_, compare_, open, remove_}), list_}), tr("Past runs"));
    const int comparisonTab = tabs->addTab(splitterOf({{makeBaselines(), 0, 210, 160}, {page, 1, 560, 240}}), tr("Comparison"));
    tabs->addTab(columnOf({&page->side()}), tr("Numbers and notes"));
    fillWith(*this, tabs);

    connect(show_, &QPushButton::clicked, this, [this] { session_.lab().showPast(chosen()); });
    connect(list_, &QTableView::activated, this, [this] { session_.lab().showPast(chosen()); });
    connect(compare_, &QPushButton::clicked, this, [this] { session_.lab().compareWith(chosen(), ticked()); });
    connect(remove_, &QPushButton::clicked, this, [this] { session_.lab().removePast(chosen()); });
    connect(open, &QPushButton::clicked, this, &HistoryPage::askOpen);
    connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::updateButtons);
    connect(&session_.lab(), &Lab::historyChanged, this, &HistoryPage::refresh);
    connect(&session_.benchmark(), &Benchmark::recordChanged, this, &HistoryPage::updateButtons);
    connect(&session_.lab(), &Lab::sweepChanged, this, &HistoryPage::updateButtons);
    connect(&session_.lab(), &Lab::comparisonChanged, this, [this, tabs, comparisonTab] {
        chart_->setData(session_.lab().comparison());
        if (session_.lab().comparison() && tabs->currentIndex() < comparisonTab) tabs->setCurrentIndex(comparisonTab);
    });
    connect(&session_.lab(), &Lab::baselinesChanged, this, &HistoryPage::refreshBaselines);
    refresh();
    updateButtons();
}

QWidget* HistoryPage::makeBaselines() {
    describe(baselines_, "baselines", tr("Baselines"),
             tr("Saved results. The chart compares the result that the charts show with each ticked one."));
    describe(saveBaseline_, "saveBaseline", {},
             tr("Save the selected past run, or the result that the charts show, under a name to compare others with"));
    describe(renameBaseline_, "renameBaseline", {}, tr("Give the selected baseline another name"));
    describe(removeBaseline_, "removeBaseline", {}, tr("Delete the selected baseline; the history keeps its run"));
    connect(baselines_, &QListWidget::itemChanged, this, [this] { session_.lab().compareWith({}, ticked()); });
    connect(baselines_, &QListWidget::currentRowChanged, this, &HistoryPage::updateButtons);
    connect(saveBaseline_, &QPushButton::clicked, this, [this] {
        askName(tr("Save baseline"), tr("Name of the baseline"), {},
                [this, id = chosen()](const QString& name) { session_.lab().saveBaseline(name, id); });
    });
    connect(renameBaseline_, &QPushButton::clicked, this, [this] {
        const QString old = chosenBaseline();
        askName(tr("Rename baseline"), tr("New name of “%1”").arg(old), old,
                [this, old](const QString& name) { session_.lab().renameBaseline(old, name); });
    });
    connect(removeBaseline_, &QPushButton::clicked, this, [this] { session_.lab().removeBaseline(chosenBaseline()); });
    return columnOf({flowOf({saveBaseline_, renameBaseline_, removeBaseline_}), baselines_});
}

void HistoryPage::askName(const QString& title, const QString& label, const QString& text,
                          const std::function<void(const QString&)>& take) {
    auto* dialog = new QInputDialog(window());
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setTextValue(text);
    constexpr int kWidth = 320;  // its title is readable
    dialog->resize(kWidth, dialog->sizeHint().height());
    connect(dialog, &QInputDialog::textValueSelected, this, [take](const QString& name) { take(name.simplified()); });
    openOnce(dialog);
}

void HistoryPage::refreshBaselines() {
    const QStringList before = ticked();
    const QString current = chosenBaseline();
    {
        const QSignalBlocker blocker(baselines_);
        baselines_->clear();
        for (const QString& name : session_.lab().baselines()) {
            auto* item = new QListWidgetItem(name, baselines_);
            item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
            item->setCheckState(before.contains(name) ? Qt::Checked : Qt::Unchecked);
            if (name == current) baselines_->setCurrentItem(item);
        }
    }
    if (ticked() != before) session_.lab().compareWith({}, ticked());
    updateButtons();
}

QStringList HistoryPage::ticked() const {
    QStringList names;
    for (int i = 0; i < baselines_->count(); ++i)
        if (baselines_->item(i)->checkState() == Qt::Checked) names << baselines_->item(i)->text();
    return names;
}

QString HistoryPage::chosenBaseline() const {
    const QListWidgetItem* item = baselines_->currentItem();
    return item ? item->text() : QString();
}

void HistoryPage::refresh() {
    const QString before = chosen();
    const QVector<HistoryItem>& items = session_.lab().history();
    const auto any = [&items](const auto& suits) { return std::any_of(items.begin(), items.end(), suits); };
    // A column with one value for all runs would only take width.
    const bool hasSweeps = any([](const HistoryItem& item) { return !item.sweep.isEmpty(); });
    const bool hasMachines = any([&](const HistoryItem& item) { return item.machine != items.front().machine; });
    ChartTable table;
    table.columns = {{QStringLiteral("when"), tr("When"), tr("Time of the measurement, and the report that the run was opened from")},
                     {QStringLiteral("pipeline"), tr("Pipeline"), {}},
                     {QStringLiteral("input"), tr("Input"), {}}};
    if (hasSweeps) table.columns << ChartColumn{QStringLiteral("sweep"), tr("Sweep"), {}};
    if (hasMachines) table.columns << ChartColumn{QStringLiteral("machine"), tr("Machine"), {}};
    int again = -1;
    for (const HistoryItem& item : items) {
        const QString pipeline = recipeText(item.recipe);
        ChartRow row;
        row.cells = {session_.lab().describe(item), pipeline, QStringLiteral("%1, %2").arg(item.input, item.extent)};
        if (hasSweeps)
            row.cells << (item.sweep.isEmpty()
                              ? QString()
                              : tr("%1, %2 points").arg(axisTitle(session_.catalog(), item.sweep.toStdString())).arg(item.points));
        if (hasMachines) row.cells << item.machine;
        row.tip = tr("%1\nBackends: %2\nMachine: %3").arg(pipeline, item.backends, item.machine);
        if (item.id == before) again = static_cast<int>(table.rows.size());
        table.rows << row;
    }
    model_->setTable(std::move(table));
    if (again >= 0) list_->selectRow(again);
    updateButtons();
}

QString HistoryPage::chosen() const {
    const QModelIndexList rows = list_->selectionModel()->selectedRows();
    const auto& items = session_.lab().history();
    return rows.isEmpty() || rows.front().row() >= items.size() ? QString() : items[rows.front().row()].id;
}

void HistoryPage::updateButtons() {
    const QString id = chosen();
    for (QPushButton* b : {show_, compare_, remove_}) b->setEnabled(!id.isEmpty());
    saveBaseline_->setEnabled(!id.isEmpty() || session_.record() || session_.lab().sweepRecords() || session_.lab().scaling());
    for (QPushButton* b : {renameBaseline_, removeBaseline_}) b->setEnabled(baselines_->currentRow() >= 0);
    for (const HistoryItem& item : session_.lab().history())
        if (item.id == id && session_.lab().isShown(item)) compare_->setEnabled(false);
}

void HistoryPage::askOpen() {
    auto* dialog = new QFileDialog(this, tr("Open report"), exportFolder());
    leaveNoHistory(*dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Reports (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { session_.lab().openReport(path); });
    dialog->open();
}

}  // namespace parallax::ui
