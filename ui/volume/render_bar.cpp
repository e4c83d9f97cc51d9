// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/render_bar.hpp"

#include <QActionGroup>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/step_text.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

/// Shows 0.5 and not 0.500000.
class ThresholdBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return numberText(value, 5); }
};

/// Over a picture that is black or bright.
QString overlayStyle() {
    return QStringLiteral(
               "QToolButton { color: #e8e8ec; background: rgba(36, 36, 40, 200); border: 1px solid rgba(255, 255, 255, 70); "
               "border-radius: 3px; padding: 2px 7px; } QToolButton:hover { background: rgba(70, 70, 78, 220); } "
               "QToolButton:focus { border-color: %1; }")
        .arg(currentTheme().accent.name());
}

const ParameterInfo& infoOf(const Operation& operation, const char* key) {
    const ParameterTableBase& table = operation.parameters();
    return table.infos()[static_cast<std::size_t>(table.find(key))];
}

}  // namespace

RenderBar::RenderBar(RenderState& render, ViewState& view, QWidget* parent)
    : QWidget(parent),
      render_(render),
      view_(view),
      menu_(new QMenu(this)),
      mode_(new QToolButton),
      curve_(new QToolButton),
      addStep_(new QToolButton),
      threshold_(new ThresholdBox) {
    described(mode_, tr("Mode of the rendering"), tr("Choose mode, preset and view of the rendering"), "renderMode");
    mode_->setPopupMode(QToolButton::InstantPopup);
    mode_->setFocusPolicy(Qt::StrongFocus);
    menu_->setToolTipsVisible(true);
    mode_->setMenu(menu_);
    curve_->setText(tr("Edit curve …"));
    curve_->setFocusPolicy(Qt::StrongFocus);
    described(curve_, tr("Edit transfer function"),
              tr("Edit colours and opacities over the histogram of the volume while the rendering follows"), "renderCurve");
    connect(curve_, &QToolButton::clicked, this, &RenderBar::curveRequested);
    addStep_->setText(tr("Add as step"));
    addStep_->setFocusPolicy(Qt::StrongFocus);
    described(addStep_, addStep_->text(),
              tr("Add a step to the pipeline that renders the same picture, so that it can be compared, timed and saved"), "renderAddStep");
    connect(addStep_, &QToolButton::clicked, this, &RenderBar::addStepRequested);
    for (QToolButton* button : {mode_, curve_, addStep_}) button->setStyleSheet(overlayStyle());
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        for (QToolButton* button : {mode_, curve_, addStep_}) button->setStyleSheet(overlayStyle());
    });
    makeThreshold();
    fillMenu();
    auto* row = makeLayout<QHBoxLayout>(this, 4);
    row->addWidget(mode_);
    row->addWidget(threshold_);
    row->addWidget(curve_);
    row->addWidget(addStep_);
    setCursor(Qt::ArrowCursor);
    connect(&render_, &RenderState::changed, this, &RenderBar::follow);
    follow();
}

void RenderBar::makeThreshold() {
    const ParameterInfo& info = infoOf(render_.operation(), "threshold");
    described(threshold_, catalogText(info.title), catalogText(info.help), "renderThreshold");
    threshold_->setDecimals(6);
    threshold_->setRange(info.minimum, info.maximum);
    threshold_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    threshold_->setKeyboardTracking(false);  // ignores half-typed numbers
    threshold_->setAlignment(Qt::AlignRight);
    connect(threshold_, &QDoubleSpinBox::valueChanged, this, [this](double value) { render_.set("threshold", value); });
}

QMenu& RenderBar::addMenu(const QString& title) {
    QMenu* menu = menu_->addMenu(title);
    menu->setToolTipsVisible(true);
    return *menu;
}

QAction* RenderBar::add(QMenu& menu, const QString& text, const QString& tip, const char* name, const std::function<void()>& effect) {
    QAction* action = menu.addAction(text);
    action->setToolTip(tip);
    action->setObjectName(QStringLiteral("render-") + QLatin1String(name));
    connect(action, &QAction::triggered, this, effect);
    return action;
}

void RenderBar::fillMenu() {
    auto* modes = new QActionGroup(this);
    for (const ParameterChoice& choice : infoOf(render_.operation(), "mode").choices) {
        QAction* action = add(*menu_, catalogText(choice.title), catalogText(choice.help), choice.key.c_str(), [this, key = choice.key] {
            render_.setMode(key, QString::number(windowCentre(view_.display()), 'g', 3).toDouble());
        });
        action->setCheckable(true);
        modes->addAction(action);
        followers_.emplace_back([this, action, key = choice.key] { action->setChecked(render_.parameters().text("mode") == key); });
    }
    addOptions();
    menu_->addSeparator();
    QMenu& presets = addMenu(tr("Presets"));
    for (const ParameterPreset& preset : presetsOf(render_.operation()))
        add(presets, catalogText(preset.title), catalogText(preset.help), preset.key.c_str(), [this, preset] { render_.apply(preset); });
    QMenu& views = addMenu(catalogText(infoOf(render_.operation(), "view").title));
    for (const ParameterChoice& choice : infoOf(render_.operation(), "view").choices)
        add(views, catalogText(choice.title), catalogText(choice.help), choice.key.c_str(),
            [this, key = choice.key] { render_.lookAlong(key); });
    views.addSeparator();
    add(views, tr("Reset camera"), tr("Restore the initial camera (Home, or double click)"), "reset", [this] { render_.resetCamera(); });
    addDevices();
    menu_->addSeparator();
    QAction* curve = add(*menu_, curve_->text(), curve_->toolTip(), "edit-curve", [this] { emit curveRequested(); });
    followers_.emplace_back([this, curve] { curve->setEnabled(render_.parameters().isShown("curve")); });
    add(*menu_, addStep_->text(), addStep_->toolTip(), "add-step", [this] { emit addStepRequested(); });
    add(*menu_, tr("Single pane or all panes"), tr("Show only this rendering, or all panes again (Enter)"), "alone",
        [this] { emit aloneRequested(); });
}

void RenderBar::addDevices() {
    QMenu& devices = addMenu(tr("Rendered by"));
    auto* group = new QActionGroup(this);
    const auto addChoice = [&](const QString& text, const QString& tip, const char* value) {
        QAction* action = add(devices, text, tip, value,
                              [value] { Settings::instance().set(QStringLiteral("compute/rendering"), QLatin1String(value)); });
        action->setCheckable(true);
        group->addAction(action);
        followers_.emplace_back([action, value] {
            action->setChecked(Settings::instance().value(QStringLiteral("compute/rendering")) == QLatin1String(value));
        });
    };
    addChoice(tr("Automatic (GPU if there is one)"), tr("Render on the GPU, or on the CPU if there is none or if its memory is short"),
              "automatic");
    addChoice(tr("CPU"), tr("Render on the CPU, which leaves the memory of the GPU to results"), "cpu");
    connect(&Settings::instance(), &Settings::changed, this, &RenderBar::follow);
}

void RenderBar::addOptions() {
    for (const ParameterInfo& info : render_.operation().parameters().infos()) {
        if (info.kind != ParameterKind::boolean || info.shownIfKey != "mode") continue;
        QAction* action = add(*menu_, catalogText(info.title), catalogText(info.help), info.key.c_str(), [] {});
        action->setCheckable(true);
        connect(action, &QAction::toggled, this, [this, key = info.key](bool on) { render_.set(key, on); });
        followers_.emplace_back([this, action, key = info.key] {
            const QSignalBlocker blocker(action);
            action->setChecked(std::get<bool>(render_.parameters().get(key)));
            action->setVisible(render_.parameters().isShown(key));
        });
    }
}

void RenderBar::setUnit(const QString& unit) {
    const QSignalBlocker blocker(threshold_);
    threshold_->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
}

void RenderBar::follow() {
    for (const auto& follower : followers_) follower();
    const std::string mode = render_.parameters().text("mode");
    for (const ParameterChoice& choice : infoOf(render_.operation(), "mode").choices)
        if (choice.key == mode) mode_->setText(catalogText(choice.title) + QStringLiteral(" ▾"));
    const QSignalBlocker blocker(threshold_);
    threshold_->setValue(std::get<double>(render_.parameters().get("threshold")));
    fit(room_);
}

void RenderBar::fit(int width) {
    room_ = width;
    int left = width - mode_->sizeHint().width();
    // Threshold and curve come first: other controls are in the menu, too.
    const bool surface = render_.parameters().isShown("threshold") && threshold_->sizeHint().width() + 4 <= left;
    if (surface) left -= threshold_->sizeHint().width() + 4;
    threshold_->setVisible(surface);
    const bool curve = render_.parameters().isShown("curve") && curve_->sizeHint().width() + 4 <= left;
    if (curve) left -= curve_->sizeHint().width() + 4;
    curve_->setVisible(curve);
    addStep_->setVisible(addStep_->sizeHint().width() + 4 <= left);
    layout()->activate();
    resize(std::min(width, layout()->sizeHint().width()), layout()->sizeHint().height());
}

}  // namespace parallax::ui
