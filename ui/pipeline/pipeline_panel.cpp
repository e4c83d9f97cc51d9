// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/context_help.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pixel_picker.hpp"
#include "ui/pipeline/preset_bar.hpp"
#include "ui/pipeline/preset_gallery.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/section.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

/// At least as wide as the form, which depends on the step; in a small window it scrolls.
class FormArea : public QScrollArea {
protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if ((watched == widget() && event->type() == QEvent::LayoutRequest) || (watched == window() && event->type() == QEvent::Resize))
            fit();
        return QScrollArea::eventFilter(watched, event);
    }
    void showEvent(QShowEvent* event) override {
        QScrollArea::showEvent(event);
        window()->installEventFilter(this);
        fit();
    }

private:
    static constexpr int kNarrowest = 230, kWidestForm = 400, kSmallWindow = 1150;
    void fit() {
        const bool small = window()->width() < kSmallWindow;
        setHorizontalScrollBarPolicy(small ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
        setMinimumWidth(
            small ? kNarrowest
                  : std::clamp(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), kNarrowest, kWidestForm));
    }
};

}  // namespace

void addOperations(QMenu& menu, PipelineModel& model) {
    menu.setToolTipsVisible(true);
    for (const auto& operation : model.catalog().operations()) {
        QAction* add = menu.addAction(catalogText(operation->title()));
        add->setObjectName(QStringLiteral("add-") + QString::fromStdString(operation->id()));
        add->setToolTip(catalogText(operation->help()));
        QObject::connect(add, &QAction::triggered, &model, [&model, op = operation.get()] { model.addStep(*op); });
    }
}

PipelinePanel::PipelinePanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), panes_(new PaneSettings(session)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(10);
    layout->addWidget(panes_);
    layout->addWidget(makeSteps());
    layout->addWidget(makeParameters(), 1);
    PipelineModel& model = session_.pipeline();
    connect(&model, &PipelineModel::modelReset, this,
            [this] { select(std::min(std::max(0, form_->row()), session_.pipeline().rowCount() - 1)); });
    // Steps that were added, not brought back by undo. The keyboard goes on with them: F1 explains, Delete removes.
    connect(&model, &PipelineModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        select(first);
        list_->setFocus();
    });
    connect(&model, &PipelineModel::rowsRemoved, this,
            [this](const QModelIndex&, int first) { select(std::min(first, session_.pipeline().rowCount() - 1)); });
    connect(&model, &PipelineModel::rowsMoved, this, [this] { showRow(list_->currentIndex().row()); });
    connect(&model, &PipelineModel::setupChanged, this, &PipelinePanel::showHeading);
    connect(&model, &PipelineModel::activeChanged, this, &PipelinePanel::showHeading);
    connect(&model, &PipelineModel::activeChanged, this, &PipelinePanel::showStatistics);
    connect(&session_.comparison(), &Comparison::sideChanged, this, &PipelinePanel::showStatistics);
    const auto tell = [this](const QString& what) {
        session_.tasks().raise({Message::Kind::warning, what, {}, {}, QStringLiteral("parameter")});
    };
    connect(form_, &ParameterForm::refused, &session_, tell);
    connect(presets_, &PresetBar::refused, &session_, tell);
    connect(presets_, &PresetBar::choicesChanged, this, &PipelinePanel::showGallery);
    connect(gallery_, &PresetGallery::chosen, presets_, &PresetBar::choose);
    connect(&model, &PipelineModel::pipelineChanged, this, &PipelinePanel::showGallery);
    connect(&model, &PipelineModel::pipelineChanged, &session_, [this] { session_.tasks().clear(QStringLiteral("parameter")); });
    connect(&session_, &Session::originalChanged, this, [this] {
        form_->setImage(session_.original());
        if (session_.original()) form_->setValueScale(valueScaleOf(*session_.original()));
    });
    new PixelPicker(session_, view_, *form_);
    select(0);
    showHeading();
}

QComboBox& PipelinePanel::targetBox(Side side) { return panes_->targetBox(side); }

QWidget* PipelinePanel::makeSteps() {
    PipelineModel& model = session_.pipeline();
    list_ = new QListView;
    list_->setObjectName(QStringLiteral("steps"));
    list_->setModel(&model);
    list_->setAlternatingRowColors(true);
    list_->setUniformItemSizes(true);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int line = list_->sizeHintForRow(0) > 0 ? list_->sizeHintForRow(0) : list_->fontMetrics().height() + 7;
    list_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    list_->setMinimumHeight(line + 6);  // in a low window
    list_->setMaximumHeight(line * 3 + 6);
    list_->setDragDropMode(QAbstractItemView::InternalMove);
    list_->setDefaultDropAction(Qt::MoveAction);
    list_->setDragDropOverwriteMode(false);
    described(list_, tr("Steps of the pipeline"),
              tr("Steps in the order in which they run. Drag to reorder; the check mark or Space switches a step on and off."));
    auto* section = new QWidget;
    auto* layout = makeLayout<QVBoxLayout>(section, 2);
    layout->addWidget(makeStepButtons());
    layout->addWidget(list_);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        showRow(index.row());
        updateState();
    });
    connect(&model, &PipelineModel::pipelineChanged, this, &PipelinePanel::updateState);
    return section;
}

QWidget* PipelinePanel::makeStepButtons() {
    QToolButton* add = iconButton(QStringLiteral("add"), tr("Add an operation"));
    add->setMenu(new QMenu(add));
    addOperations(*add->menu(), session_.pipeline());
    add->setPopupMode(QToolButton::InstantPopup);
    // Keys work only while the list has the focus; elsewhere they edit text and numbers.
    const auto stepButton = [this](const QString& icon, const QString& tip, const QKeySequence& key, auto&& effect) {
        QToolButton* b = iconButton(icon, tr("%1 (%2 in the list)").arg(tip, key.toString(QKeySequence::NativeText)));
        b->setAccessibleName(tip);
        auto* shortcut = new QShortcut(key, list_, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, b, &QToolButton::click);
        connect(b, &QToolButton::clicked, this, [this, effect] { effect(session_.pipeline(), list_->currentIndex().row()); });
        return b;
    };
    remove_ = stepButton(QStringLiteral("remove"), tr("Remove the selected step"), QKeySequence(Qt::Key_Delete),
                         [](PipelineModel& model, int row) { model.removeStep(row); });
    up_ = stepButton(QStringLiteral("up"), tr("Move the selected step up"), QKeySequence(Qt::ALT | Qt::Key_Up),
                     [](PipelineModel& model, int row) { model.moveStep(row, row - 1); });
    down_ = stepButton(QStringLiteral("down"), tr("Move the selected step down"), QKeySequence(Qt::ALT | Qt::Key_Down),
                       [](PipelineModel& model, int row) { model.moveStep(row, row + 1); });
    duplicate_ = stepButton(QStringLiteral("duplicate"), tr("Duplicate the selected step"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
                            [](PipelineModel& model, int row) { model.duplicateStep(row); });
    auto* tools = new QWidget;
    auto* bar = makeLayout<QHBoxLayout>(tools, 0);
    heading_ = new ElidedLabel;
    makeBold(*heading_);
    bar->addWidget(heading_, 1);
    for (QToolButton* b : {add, remove_, duplicate_, up_, down_}) bar->addWidget(b);
    return tools;
}

QWidget* PipelinePanel::makeParameters() {
    form_ = new ParameterForm(session_.pipeline());
    presets_ = new PresetBar(session_.pipeline());
    help_ = new QLabel(tr("Add an operation with the plus button above."));
    help_->setWordWrap(true);
    help_->setForegroundRole(QPalette::PlaceholderText);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->addWidget(help_);
    gallery_ = new PresetGallery(session_, view_);
    layout->addWidget(gallery_);
    statistics_ = new QLabel;
    described(statistics_, tr("Statistics of the last run:"), {}, "statistics")->hide();
    statistics_->setTextFormat(Qt::RichText);
    statistics_->setForegroundRole(QPalette::PlaceholderText);
    selectable(statistics_)->setWordWrap(true);
    layout->addWidget(form_);
    layout->addWidget(statistics_);
    layout->addStretch();
    auto* area = new FormArea;
    area->setMinimumHeight(24);  // it scrolls; what is above it must not be squeezed
    setScrolled(*area, content);
    parameters_ = makeSection(tr("Parameters"), {presets_, area});
    return parameters_;
}

void PipelinePanel::select(int row) {
    const QModelIndex index = session_.pipeline().index(row);
    if (index.isValid()) list_->setCurrentIndex(index);
    showRow(row);
    updateState();
}

void PipelinePanel::showRow(int row) {
    view_.setPicking(false);  // its parameter may be gone
    form_->setRow(row);
    presets_->setRow(row);
    showStatistics();
    const PipelineModel& model = session_.pipeline();
    const bool chosen = row >= 0 && row < model.rowCount();
    const QString operation = chosen ? QString::fromStdString(model.step(row).operation->id()) : QString();
    for (QWidget* widget : {static_cast<QWidget*>(list_), parameters_}) setHelpTopic(*widget, operation);
}

void PipelinePanel::showStatistics() {
    const Pipeline& pipeline = session_.pipeline().pipeline();
    // Statistics come from the active pane, or from another one with the same steps.
    const CompareSetup& setup = session_.pipeline().setup();
    Side source = session_.pipeline().active();
    for (const Side side : session_.sides())
        if ((!session_.side(source).result || session_.side(source).error) && &setup.stepsOf(side) == &setup.stepsOf(source)) source = side;
    const SideState& shown = session_.side(source);
    const int row = form_->row();
    const bool known = row >= 0 && row < static_cast<int>(pipeline.steps.size()) && pipeline.steps[static_cast<std::size_t>(row)].enabled;
    QString rows, tips;
    if (known && shown.result && !shown.error && !shown.result->plan.empty()) {
        const auto step = std::count_if(pipeline.steps.begin(), pipeline.steps.begin() + row, [](const Step& s) { return s.enabled; });
        for (const StatisticRecord& f : shown.result->statistics) {
            if (f.step != step) continue;
            const QString title = catalogText(f.title).toHtmlEscaped();
            rows += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td align='right'>%2</td></tr>")
                        .arg(title, formatQuantity(f.value, QString::fromStdString(f.unit)).toHtmlEscaped());
            tips += QStringLiteral("<b>%1</b>: %2<br>").arg(title, catalogText(f.help).toHtmlEscaped());
        }
    }
    // Keep the old statistics until a new result arrives, so that the form does not move.
    if (rows.isEmpty() && shown.pending && statistics_->isVisible()) return;
    statistics_->setText(QStringLiteral("<table>%1</table>").arg(rows));
    statistics_->setToolTip(
        rows.isEmpty() ? QString() : QStringLiteral("<qt>%1</qt>").arg(tr("Statistics of the last run:") + QStringLiteral("<br>") + tips));
    statistics_->setVisible(!rows.isEmpty());
}

void PipelinePanel::showGallery() { gallery_->setChoices(form_->row(), presets_->choices()); }

void PipelinePanel::updateState() {
    const int row = list_->currentIndex().row(), count = session_.pipeline().rowCount();
    const bool chosen = row >= 0 && row < count;
    remove_->setEnabled(chosen);
    duplicate_->setEnabled(chosen);
    up_->setEnabled(chosen && row > 0);
    down_->setEnabled(chosen && row + 1 < count);
    help_->setVisible(!chosen);
    form_->setVisible(chosen);
    presets_->setVisible(chosen);
}

void PipelinePanel::showHeading() {
    const CompareSetup& setup = session_.pipeline().setup();
    const Side active = session_.pipeline().active();
    QStringList letters;
    for (const Side side : session_.sides())
        if (&setup.stepsOf(side) == &setup.stepsOf(active)) letters << letterOf(side);
    const bool all = static_cast<std::size_t>(letters.size()) == setup.panes.size();
    heading_->setText(all ? tr("Steps") : tr("Steps of %1").arg(letters.join(QStringLiteral(", "))));
}

}  // namespace parallax::ui
