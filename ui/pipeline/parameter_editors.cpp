// SPDX-License-Identifier: GPL-3.0-or-later
// The editors of each kind of parameter.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/slider_scale.hpp"
#include "ui/models/pipeline/step_text.hpp"
#include "ui/pipeline/kernel_editor.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/theme/slider_row.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/transfer/curve_parameter.hpp"

namespace parallax::ui {
namespace {

/// Shows 0.5 and not 0.500000, and keeps the exact value.
class NumberBox : public QDoubleSpinBox {
public:
    explicit NumberBox(const ParameterInfo& info) : integer_(info.kind == ParameterKind::integer) {
        setDecimals(integer_ ? 0 : 12);
        setRange(info.minimum, info.maximum);
        setKeyboardTracking(false);  // ignores half-typed numbers
        setAccelerated(true);
        if (integer_) setSingleStep(1);
        else setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        if (!info.unit.empty()) setSuffix(info.unit == "deg" ? QStringLiteral("°") : QLatin1Char(' ') + QString::fromStdString(info.unit));
        if (!info.minimumMeans.empty()) setSpecialValueText(catalogText(info.minimumMeans));
        setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("-000.00 px")) + 34);
        setAlignment(Qt::AlignRight);
    }
    /// Returns the next accepted value, if there is one.
    void stepBy(int steps) override {
        if (integer_ && accepts && std::abs(steps) == 1) {
            constexpr int kFarthest = 8;
            for (int by = 1; by <= kFarthest; ++by) {
                const double to = value() + by * steps;
                if (to < minimum() || to > maximum()) break;
                if (!accepts(ParameterValue(static_cast<std::int64_t>(std::llround(to))))) continue;
                return QDoubleSpinBox::stepBy(by * steps);
            }
        }
        QDoubleSpinBox::stepBy(steps);
    }
    std::function<bool(const ParameterValue&)> accepts;
    QString textFromValue(double value) const override { return integer_ ? QString::number(std::llround(value)) : numberText(value); }

private:
    bool integer_;
};

/// Name, value and buttons in one line, the slider at full width below.
class NumberEditor : public ParameterEditor {
public:
    NumberEditor(const ParameterInfo& info, QWidget* parent)
        : ParameterEditor(parent),
          info_(info),
          integer_(info.kind == ParameterKind::integer),
          scale_(info),
          slider_(new ResettableSlider([this] { emit resetRequested(); })),
          box_(new NumberBox(info)) {
        slider_->setAccessibleName(QCoreApplication::translate("parameters", "%1, slider").arg(catalogText(info.title)));
        box_->setAccessibleName(catalogText(info.title));
        auto* rows = makeLayout<QVBoxLayout>(this, 1);
        line_ = new QHBoxLayout;
        line_->setSpacing(8);  // as in the form, so that all fields end at the same place
        line_->addWidget(box_);
        if (info.pickable) line_->addWidget(makePickButton(info));
        rows->addLayout(line_);
        rows->addWidget(slider_);
        setFocusProxy(box_);
        fitSlider();
        connect(slider_, &QSlider::sliderPressed, this, &ParameterEditor::editingBegun);
        connect(slider_, &QSlider::sliderReleased, this, &ParameterEditor::editingEnded);
        connect(slider_, &QSlider::valueChanged, this, &NumberEditor::moved);
        connect(box_, &QDoubleSpinBox::valueChanged, this, [this](double value) { report(value); });
    }
    bool takeLine(QWidget* label, QWidget* reset) override {
        line_->insertWidget(0, label, 1);
        line_->addWidget(reset);
        return true;
    }
    void setValueScale(const ValueScale& image) override {
        scale_ = SliderScale(info_, image);
        fitSlider();
    }
    void setValue(const ParameterValue& value) override {
        value_ = integer_ ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
        const QSignalBlocker first(slider_), second(box_);
        slider_->setValue(scale_.toPosition(value_));
        box_->setValue(value_);
    }
    void setAccepts(std::function<bool(const ParameterValue&)> accepts) override { box_->accepts = std::move(accepts); }
    void setPicking(bool picking) override {
        if (!pick_) return;
        const QSignalBlocker blocker(pick_);
        pick_->setChecked(picking);
    }

private:
    QToolButton* makePickButton(const ParameterInfo& info) {
        pick_ = new QToolButton;
        pick_->setObjectName(QStringLiteral("pick-") + QString::fromStdString(info.key));
        pick_->setIcon(actionIcon(QStringLiteral("pick")));
        pick_->setIconSize(QSize(14, 14));
        pick_->setCheckable(true);
        pick_->setAutoRaise(true);
        pick_->setFocusPolicy(Qt::StrongFocus);
        described(
            pick_, ParameterForm::tr("Pick %1 from the image").arg(catalogText(info.title)),
            ParameterForm::tr("Pick from the image: click a pixel, or press Enter for the one in the middle of a pane. The value of the "
                              "original counts. Esc cancels."));
        connect(pick_, &QToolButton::toggled, this, &ParameterEditor::pickRequested);
        return pick_;
    }
    void report(double v) {
        if (integer_) emit valueEdited(ParameterValue(static_cast<std::int64_t>(std::llround(v))));
        else emit valueEdited(ParameterValue(v));
    }
    void fitSlider() {
        const QSignalBlocker blocker(slider_);
        slider_->setRange(0, scale_.steps());
        slider_->setSingleStep(scale_.singleStep());
        slider_->setPageStep(std::max(1, scale_.steps() / 20));
        slider_->setValue(scale_.toPosition(value_));
    }
    void moved(int position) {
        double value = scale_.toValue(position);
        if (!integer_) return report(value);
        // A key always reaches the next accepted value in its direction.
        const int direction = position > scale_.toPosition(value_) ? 1 : -1;
        if (value == value_) value += direction;
        for (const double near : {value, value + direction, value - direction})
            if (near >= box_->minimum() && near <= box_->maximum() &&
                (!box_->accepts || box_->accepts(ParameterValue(static_cast<std::int64_t>(std::llround(near))))))
                return report(near);
        report(std::clamp(value, box_->minimum(), box_->maximum()));
    }

    ParameterInfo info_;
    bool integer_;
    SliderScale scale_;
    double value_ = 0;
    QSlider* slider_;
    NumberBox* box_;
    QHBoxLayout* line_ = nullptr;
    QToolButton* pick_ = nullptr;
};

class ChoiceEditor : public ParameterEditor {
public:
    ChoiceEditor(const ParameterInfo& info, QWidget* parent) : ParameterEditor(parent), box_(new QComboBox) {
        for (const ParameterChoice& choice : info.choices) {
            box_->addItem(catalogText(choice.title), QString::fromStdString(choice.key));
            box_->setItemData(box_->count() - 1, catalogText(choice.help), Qt::ToolTipRole);
        }
        box_->setAccessibleName(catalogText(info.title));
        // Room for most choices; a very long one must not set the width of the panel.
        qsizetype longest = 8;
        for (int i = 0; i < box_->count(); ++i) longest = std::max(longest, box_->itemText(i).size());
        setNarrow(*box_, static_cast<int>(std::min<qsizetype>(longest, 13)));
        auto* layout = makeLayout<QHBoxLayout>(this);
        layout->addWidget(box_);
        setFocusProxy(box_);
        connect(box_, &QComboBox::currentIndexChanged, this,
                [this](int row) { emit valueEdited(ParameterValue(box_->itemData(row).toString().toStdString())); });
    }
    void setValue(const ParameterValue& value) override {
        const QSignalBlocker blocker(box_);
        box_->setCurrentIndex(box_->findData(QString::fromStdString(std::get<std::string>(value))));
    }

private:
    QComboBox* box_;
};

class BooleanEditor : public ParameterEditor {
public:
    BooleanEditor(const ParameterInfo& info, QWidget* parent) : ParameterEditor(parent), box_(new QCheckBox) {
        box_->setAccessibleName(catalogText(info.title));
        auto* layout = makeLayout<QHBoxLayout>(this);
        layout->addWidget(box_);
        setFocusProxy(box_);
        connect(box_, &QCheckBox::toggled, this, [this](bool on) { emit valueEdited(ParameterValue(on)); });
    }
    void setValue(const ParameterValue& value) override {
        const QSignalBlocker blocker(box_);
        box_->setChecked(std::get<bool>(value));
    }

private:
    QCheckBox* box_;
};

class LineEditor : public ParameterEditor {
public:
    LineEditor(const ParameterInfo& info, QWidget* parent) : ParameterEditor(parent), edit_(new QLineEdit) {
        edit_->setAccessibleName(catalogText(info.title));
        auto* layout = makeLayout<QHBoxLayout>(this);
        layout->addWidget(edit_);
        setFocusProxy(edit_);
        connect(edit_, &QLineEdit::editingFinished, this, [this] { emit valueEdited(ParameterValue(edit_->text().toStdString())); });
    }
    void setValue(const ParameterValue& value) override {
        const QString text = QString::fromStdString(std::get<std::string>(value));
        if (edit_->text() != text) edit_->setText(text);
    }

private:
    QLineEdit* edit_;
};

class TextEditor : public ParameterEditor {
public:
    TextEditor(const ParameterInfo& info, QWidget* parent) : ParameterEditor(parent), edit_(new QPlainTextEdit) {
        edit_->setAccessibleName(catalogText(info.title));
        edit_->setPlaceholderText(QString::fromStdString(info.startText));
        edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit_->setTabChangesFocus(true);
        QFont font(QStringLiteral("monospace"));
        font.setStyleHint(QFont::Monospace);
        edit_->setFont(font);
        edit_->setFixedHeight(QFontMetrics(font).lineSpacing() * 5 + 16);
        auto* layout = makeLayout<QVBoxLayout>(this, 4);
        layout->addWidget(edit_);
        if (info.editor == "kernel") layout->addWidget(kernelButton(catalogText(info.title)));
        setFocusProxy(edit_);
        // Report after a pause in typing, not for each half-typed number.
        pause_.setSingleShot(true);
        pause_.setInterval(350);
        connect(edit_, &QPlainTextEdit::textChanged, &pause_, qOverload<>(&QTimer::start));
        connect(&pause_, &QTimer::timeout, this, &TextEditor::report);
    }
    ~TextEditor() override {
        // Signals of the dialog must not reach a half-destroyed editor.
        if (!dialog_) return;
        dialog_->disconnect(this);
        dialog_->close();
    }
    void commit() override {
        if (pause_.isActive()) report();
    }
    void setValue(const ParameterValue& value) override {
        pause_.stop();
        const QString text = QString::fromStdString(std::get<std::string>(value));
        if (edit_->toPlainText() == text) return;
        const QSignalBlocker blocker(edit_);
        edit_->setPlainText(text);
    }

private:
    QPushButton* kernelButton(const QString& title) {
        auto* button = new QPushButton(ParameterForm::tr("Edit as grid …"));
        button->setObjectName(QStringLiteral("editKernel"));
        button->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
        described(button, ParameterForm::tr("Edit %1 as grid").arg(title),
                  ParameterForm::tr("Edit the matrix as a grid, with its sum, rank and frequency response (%1)")
                      .arg(button->shortcut().toString(QKeySequence::NativeText)));
        connect(button, &QPushButton::clicked, this, &TextEditor::editKernel);
        return button;
    }
    void report() {
        pause_.stop();
        emit valueEdited(ParameterValue(edit_->toPlainText().toStdString()));
    }
    void editKernel() {
        auto* dialog = new KernelEditor(edit_->toPlainText(), edit_->placeholderText(), window());
        dialog_ = dialog;
        connect(dialog, &KernelEditor::textEdited, this, [this](const QString& text) {
            pause_.stop();
            emit valueEdited(ParameterValue(text.toStdString()));
        });
        connect(dialog, &QDialog::finished, this, &ParameterEditor::editingEnded);
        emit editingBegun();
        openOnce(dialog);
    }

    QPlainTextEdit* edit_;
    QTimer pause_;
    QPointer<QDialog> dialog_;
};

}  // namespace

ParameterEditor* makeParameterEditor(const ParameterInfo& info, QWidget* parent) {
    ParameterEditor* editor = nullptr;
    switch (info.kind) {
        case ParameterKind::integer:
        case ParameterKind::real: editor = new NumberEditor(info, parent); break;
        case ParameterKind::choice: editor = new ChoiceEditor(info, parent); break;
        case ParameterKind::boolean: editor = new BooleanEditor(info, parent); break;
        case ParameterKind::text:
            if (info.editor == "transfer") editor = new CurveParameter(info, parent);
            else if (info.multiline) editor = new TextEditor(info, parent);
            else editor = new LineEditor(info, parent);
            break;
    }
    editor->setObjectName(QString::fromStdString(info.key));
    return editor;
}

}  // namespace parallax::ui
