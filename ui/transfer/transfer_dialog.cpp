// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfer/transfer_dialog.hpp"

#include <QColorDialog>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/transfer/transfer_plot.hpp"

namespace parallax::ui {
namespace {

constexpr double kLargestValue = 1e9;  // that can be typed
constexpr int kMaxStates = 200;        // that can be undone

QIcon swatch(const QColor& colour, const QWidget& widget) {
    const double ratio = widget.devicePixelRatioF();
    QPixmap picture((QSizeF(28, 14) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(colour);
    QPainter painter(&picture);
    painter.setPen(currentTheme().outline);
    painter.drawRect(QRectF(0.5, 0.5, 27, 13));
    return picture;
}

QDoubleSpinBox* numberBox(double least, double most) {
    auto* box = new QDoubleSpinBox;
    box->setRange(least, most);
    box->setKeyboardTracking(false);  // ignores half-typed numbers
    box->setAlignment(Qt::AlignRight);
    box->setFixedWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("-00000.00 HU")) + 30);
    return box;
}

}  // namespace

std::vector<CurvePreset> curvePresets(const Operation& operation) {
    std::vector<CurvePreset> presets;
    for (const ParameterPreset& preset : presetsOf(operation))
        for (const auto& [key, value] : preset.values)
            if (key == "curve") presets.push_back({catalogText(preset.title), catalogText(preset.help), QString::fromStdString(value)});
    return presets;
}

TransferDialog::TransferDialog(std::vector<CurvePreset> presets, const QString& text, QWidget* parent)
    : QDialog(parent), presets_(std::move(presets)), plot_(new TransferPlot) {
    setObjectName(QStringLiteral("transferDialog"));
    setWindowTitle(tr("Transfer function"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeCurveRow());
    layout->addWidget(plot_, 1);
    layout->addWidget(makeNodeRow());
    setText(text);
    connectPlot();
    states_ = QStringList{plot_->curve().text()};
    state_ = 0;
    showNode();
    showState();
    plot_->setFocus();
}

QWidget* TransferDialog::makeCurveRow() {
    auto* row = new QWidget;
    auto* layout = makeLayout<QHBoxLayout>(row, 6);
    preset_ = new QComboBox;
    described(preset_, tr("Preset"), tr("Replace the curve by a preset; nodes can be changed afterwards"), "curvePreset");
    preset_->addItem(tr("Custom"));
    for (const CurvePreset& preset : presets_) {
        preset_->addItem(preset.title);
        preset_->setItemData(preset_->count() - 1, preset.help, Qt::ToolTipRole);
    }
    connect(preset_, &QComboBox::activated, this, [this](int index) {
        if (index < 1) return showState();
        plot_->setCurve(OpacityCurve(presets_[static_cast<std::size_t>(index) - 1].curve));
        edited();
    });
    auto* label = new QLabel(tr("Preset"));
    label->setBuddy(preset_);
    undo_ = iconButton(QStringLiteral("undo"), tr("Undo the last change of the curve (Ctrl+Z)"));
    undo_->setObjectName(QStringLiteral("undoCurve"));
    redo_ = iconButton(QStringLiteral("redo"), tr("Redo the change of the curve (Ctrl+Shift+Z)"));
    redo_->setObjectName(QStringLiteral("redoCurve"));
    const auto connectKey = [this](QToolButton* button, QKeySequence::StandardKey key, int by) {
        const auto go = [this, by] { goTo(state_ + by); };
        connect(button, &QToolButton::clicked, this, go);
        connect(new QShortcut(key, this), &QShortcut::activated, this, go);  // the shortcut of a button acts with a delay
    };
    connectKey(undo_, QKeySequence::Undo, -1);
    connectKey(redo_, QKeySequence::Redo, 1);
    layout->addWidget(label);
    layout->addWidget(preset_);
    layout->addStretch();
    for (QToolButton* button : {undo_, redo_}) layout->addWidget(button);
    return row;
}

QWidget* TransferDialog::makeNodeRow() {
    auto* row = new QWidget;
    auto* layout = makeLayout<QHBoxLayout>(row, 6);
    node_ = new QLabel;
    value_ = described(numberBox(-kLargestValue, kLargestValue), tr("Value of the node"), tr("Value of the selected node"), "nodeValue");
    opacity_ = described(numberBox(0, OpacityCurve::kMaxOpaque), tr("Opacity of the node"),
                         tr("Opacity of the selected node, 0 to 0.999: of a layer as thick as the finest spacing"), "nodeOpacity");
    opacity_->setDecimals(4);
    opacity_->setSingleStep(0.01);
    colour_ = iconButton({}, tr("Choose the colour of the selected node (Enter)"));
    colour_->setAutoRaise(false);
    colour_->setIconSize(QSize(28, 14));
    colour_->setObjectName(QStringLiteral("nodeColour"));
    add_ = iconButton(QStringLiteral("add"), tr("Add a node behind the selected one (Insert)"));
    add_->setObjectName(QStringLiteral("addNode"));
    remove_ = iconButton(QStringLiteral("remove"), tr("Delete the selected node (Delete)"));
    remove_->setObjectName(QStringLiteral("removeNode"));
    const auto labelled = [layout](const QString& text, QWidget* widget) {
        auto* label = new QLabel(text);
        label->setBuddy(widget);
        layout->addWidget(label);
        layout->addWidget(widget);
    };
    layout->addWidget(node_);
    labelled(tr("Value"), value_);
    labelled(tr("Opacity"), opacity_);
    layout->addWidget(colour_);
    layout->addStretch();
    for (QToolButton* button : {add_, remove_}) layout->addWidget(button);
    return row;
}

void TransferDialog::connectPlot() {
    connect(plot_, &TransferPlot::edited, this, &TransferDialog::edited);
    connect(plot_, &TransferPlot::selectionChanged, this, &TransferDialog::showNode);
    connect(plot_, &TransferPlot::colourAsked, this, &TransferDialog::askColour);
    connect(plot_, &TransferPlot::dragBegun, this, &TransferDialog::editingBegun);
    connect(plot_, &TransferPlot::dragEnded, this, [this] {
        keep();
        emit editingEnded();
    });
    connect(value_, &QDoubleSpinBox::valueChanged, this,
            [this](double value) { plot_->moveNode(value, plot_->curve().nodes()[plot_->selected()].opacity); });
    connect(opacity_, &QDoubleSpinBox::valueChanged, this,
            [this](double opacity) { plot_->moveNode(plot_->curve().nodes()[plot_->selected()].value, opacity); });
    connect(colour_, &QToolButton::clicked, this, &TransferDialog::askColour);
    connect(add_, &QToolButton::clicked, plot_, &TransferPlot::addNode);
    connect(remove_, &QToolButton::clicked, plot_, &TransferPlot::removeNode);
}

void TransferDialog::setText(const QString& text) {
    try {
        const OpacityCurve curve(text);
        if (curve == plot_->curve() || curve.text() == plot_->curve().text()) return;
        plot_->setCurve(curve);
    } catch (const Error&) {
        return;
    }
    keep();
    showNode();
}

void TransferDialog::setImage(const ImagePtr& image) {
    if (image == image_) return;
    image_ = image;
    background_.cancel("histogram");
    counting_ = image != nullptr;
    if (!image) return plot_->setHistogram(nullptr);
    const QString unit = sampleUnit(image.get());
    plot_->setUnit(unit);
    value_->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    background_.request(
        "histogram",
        [image](const std::stop_token& stop) -> std::shared_ptr<const Histogram> {
            try {
                return std::make_shared<const Histogram>(computeHistogram(*image, {}, HistogramScale::linear, stop));
            } catch (const Error&) {
                return nullptr;  // cancelled
            }
        },
        [this](std::shared_ptr<const Histogram> histogram) {
            counting_ = false;
            plot_->setHistogram(std::move(histogram));
            showNode();  // digits follow the visible range
        });
}

void TransferDialog::edited() {
    if (!plot_->dragging()) keep();
    showNode();
    emit textEdited(plot_->curve().text());
}

void TransferDialog::keep() {
    const QString text = plot_->curve().text();
    if (states_.value(state_) != text) {
        states_.resize(state_ + 1);
        states_ << text;
        if (states_.size() > kMaxStates) states_.removeFirst();
        state_ = static_cast<int>(states_.size()) - 1;
    }
    showState();
}

void TransferDialog::goTo(int state) {
    if (state < 0 || state >= states_.size() || plot_->dragging()) return;
    state_ = state;
    plot_->setCurve(OpacityCurve(states_[state]));
    edited();
}

void TransferDialog::showState() {
    undo_->setEnabled(state_ > 0);
    redo_->setEnabled(state_ + 1 < states_.size());
    const QString text = plot_->curve().text();
    const auto same = [&](const CurvePreset& preset) { return OpacityCurve(preset.curve).text() == text; };
    const auto found = std::find_if(presets_.begin(), presets_.end(), same);
    preset_->setCurrentIndex(found == presets_.end() ? 0 : static_cast<int>(found - presets_.begin()) + 1);
}

void TransferDialog::showNode() {
    const auto& nodes = plot_->curve().nodes();
    const OpacityNode& node = nodes[plot_->selected()];
    const QSignalBlocker blockers[] = {QSignalBlocker(value_), QSignalBlocker(opacity_)};
    const double unit = plot_->valueUnit();
    value_->setDecimals(std::clamp(static_cast<int>(-std::floor(std::log10(unit) + 0.5)), 0, 12));
    value_->setSingleStep(5 * unit);
    value_->setValue(node.value);
    opacity_->setValue(node.opacity);
    colour_->setIcon(swatch(node.colour, *this));
    node_->setText(tr("Node %1 / %2").arg(plot_->selected() + 1).arg(nodes.size()));
    add_->setEnabled(nodes.size() < OpacityCurve::kMaxNodes);
    remove_->setEnabled(nodes.size() > 2);
}

void TransferDialog::askColour() {
    auto* dialog = new QColorDialog(plot_->curve().nodes()[plot_->selected()].colour, this);
    dialog->setOption(QColorDialog::DontUseNativeDialog);
    dialog->setWindowTitle(tr("Colour of the node"));
    connect(dialog, &QColorDialog::colorSelected, plot_, &TransferPlot::setColour);
    openOnce(dialog);
}

}  // namespace parallax::ui
