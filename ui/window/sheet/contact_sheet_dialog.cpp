// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/sheet/contact_sheet_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "core/image/error.hpp"
#include "ui/models/document/message.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/compare_setup.hpp"
#include "ui/models/pipeline/step_text.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kWidth = 460;

}  // namespace

ContactSheetDialog::ContactSheetDialog(const Pipeline& steps, const ValueScale& image, QWidget* parent)
    : QDialog(parent),
      steps_(steps),
      image_(image),
      form_(new QFormLayout(this)),
      step_(described(new QComboBox, tr("Step"), tr("Step of the pipeline that is varied"), "sheetStep")),
      parameter_(described(new QComboBox, tr("Parameter"), tr("Parameter that has another value in each picture"), "sheetParameter")),
      spacing_(described(new QComboBox, tr("Spacing"), tr("Equal distances or equal ratios between values"), "sheetSpacing")),
      from_(described(new QLineEdit, tr("From"), tr("First value"), "sheetFrom")),
      to_(described(new QLineEdit, tr("To"), tr("Last value"), "sheetTo")),
      list_(described(new QLineEdit, tr("Values"), tr("Values of the pictures, separated by semicolons or blanks"), "sheetValues")),
      number_(described(new QSpinBox, tr("Number of values"), tr("Number of pictures"), "sheetNumber")),
      choices_(described(new QListWidget, tr("Values"), tr("Up to %1 values, one picture each").arg(kMaxSides), "sheetChoices")),
      range_(makeRange()),
      problem_(described(new QLabel, tr("Problem"), {}, "sheetProblem")) {
    setWindowTitle(tr("Contact sheet"));
    setNarrow(*step_, 30);
    for (std::size_t row = 0; row < steps_.steps.size(); ++row)
        if (!sheetParameters(steps_.steps[row]).empty()) step_->addItem(stepText(steps_.steps[row]), static_cast<int>(row));
    problem_->setWordWrap(true);
    problem_->setMinimumHeight(2 * problem_->fontMetrics().lineSpacing());
    problem_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    show_ = buttons->button(QDialogButtonBox::Ok);
    show_->setText(tr("Show"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form_->addRow(tr("&Step"), step_);
    form_->addRow(tr("&Parameter"), parameter_);
    form_->addRow(tr("&Range"), range_);
    form_->addRow(tr("&Values"), list_);
    form_->addRow(tr("V&alues"), choices_);
    form_->addRow(problem_);
    form_->addRow(buttons);
    connect(step_, &QComboBox::currentIndexChanged, this, &ContactSheetDialog::showStep);
    connect(parameter_, &QComboBox::currentIndexChanged, this, &ContactSheetDialog::showParameter);
    connect(spacing_, &QComboBox::currentIndexChanged, this, &ContactSheetDialog::fillValues);
    connect(number_, &QSpinBox::valueChanged, this, &ContactSheetDialog::fillValues);
    for (QLineEdit* edit : {from_, to_}) connect(edit, &QLineEdit::textEdited, this, &ContactSheetDialog::fillValues);
    connect(list_, &QLineEdit::textEdited, this, &ContactSheetDialog::refreshSheet);
    connect(choices_, &QListWidget::itemChanged, this, &ContactSheetDialog::refreshSheet);
    showStep();
    resize(kWidth, sizeHint().height());
}

QWidget* ContactSheetDialog::makeRange() {
    number_->setRange(2, kMaxSides);
    number_->setValue(kMaxSides);
    spacing_->addItem(tr("Linear"), false);
    spacing_->addItem(tr("Logarithmic"), true);
    auto* place = new QWidget;
    auto* row = makeLayout<QHBoxLayout>(place, 6);
    row->addWidget(from_, 1);
    row->addWidget(new QLabel(tr("to")));
    row->addWidget(to_, 1);
    row->addWidget(number_);
    row->addWidget(spacing_);
    place->setFocusProxy(from_);
    return place;
}

int ContactSheetDialog::row() const { return step_->currentData().toInt(); }

const ParameterInfo* ContactSheetDialog::parameter() const {
    if (step_->count() == 0) return nullptr;
    for (const ParameterInfo* info : sheetParameters(step()))
        if (info->key == parameter_->currentData().toString().toStdString()) return info;
    return nullptr;
}

bool ContactSheetDialog::numeric() const {
    const ParameterInfo* info = parameter();
    return info && (info->kind == ParameterKind::integer || info->kind == ParameterKind::real);
}

QString ContactSheetDialog::title() const { return parameter_->currentText(); }

void ContactSheetDialog::choose(int row, const std::string& key) {
    const int at = step_->findData(row);
    if (at < 0) return;
    step_->setCurrentIndex(at);
    const int parameter = parameter_->findData(QString::fromStdString(key));
    if (parameter >= 0) parameter_->setCurrentIndex(parameter);
}

void ContactSheetDialog::showStep() {
    const QSignalBlocker blocker(parameter_);
    parameter_->clear();
    if (step_->count() > 0) {
        for (const ParameterInfo* info : sheetParameters(step())) {
            parameter_->addItem(catalogText(info->title), QString::fromStdString(info->key));
            parameter_->setItemData(parameter_->count() - 1, catalogText(info->help), Qt::ToolTipRole);
        }
    }
    showParameter();
}

void ContactSheetDialog::showParameter() {
    const bool numbers = numeric();
    for (QWidget* part : {range_, static_cast<QWidget*>(list_)}) form_->setRowVisible(part, numbers);
    form_->setRowVisible(choices_, !numbers);
    if (!numbers) fillChoices();
    // Rows that are hidden leave their height behind.
    layout()->activate();
    if (isVisible()) resize(width(), sizeHint().height());
    if (!numbers) return refreshSheet();
    const SheetRange range = initialRange(step(), *parameter(), image_);
    const QSignalBlocker blocker(spacing_);
    spacing_->setCurrentIndex(range.logarithmic ? 1 : 0);
    from_->setText(listOf({ParameterValue(range.from)}));
    to_->setText(listOf({ParameterValue(range.to)}));
    fillValues();
}

void ContactSheetDialog::fillChoices() {
    const QSignalBlocker blocker(choices_);
    choices_->clear();
    const ParameterInfo* info = parameter();
    if (!info) return;
    int checked = 0;
    const auto add = [&](const ParameterValue& value, const QString& tip) {
        auto* item = new QListWidgetItem(valueText(*info, value), choices_);
        // A choice that the other parameters exclude, such as a kernel of another size, cannot be computed.
        const bool possible = acceptsValue(this->step(), info->key, value);
        item->setToolTip(possible ? tip : tr("Not with the other parameters of this step"));
        if (!possible) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        item->setCheckState(possible && checked++ < kMaxSides ? Qt::Checked : Qt::Unchecked);
    };
    if (info->kind == ParameterKind::boolean)
        for (const bool on : {false, true}) add(ParameterValue(on), {});
    for (const ParameterChoice& choice : info->choices) add(ParameterValue(choice.key), catalogText(choice.help));
}

void ContactSheetDialog::fillValues() {
    try {
        const SheetRange range{numberOf(from_->text()), numberOf(to_->text()), spacing_->currentData().toBool()};
        list_->setText(listOf(valuesIn(step(), *parameter(), range, number_->value())));
        refreshSheet();
    } catch (const Error& e) {
        list_->clear();
        refreshSheet();
        problem_->setText(toMessage(e, {}).plainText());
    }
}

std::vector<ParameterValue> ContactSheetDialog::values() const {
    const ParameterInfo& info = *parameter();
    if (numeric()) return valuesOf(info, list_->text());
    std::vector<ParameterValue> chosen;
    for (int i = 0; i < choices_->count(); ++i) {
        if (choices_->item(i)->checkState() != Qt::Checked) continue;
        if (info.kind == ParameterKind::boolean) chosen.emplace_back(i == 1);
        else chosen.emplace_back(info.choices.at(static_cast<std::size_t>(i)).key);
    }
    return chosen;
}

void ContactSheetDialog::refreshSheet() {
    sheet_.clear();
    problem_->clear();
    if (parameter()) try {
            sheet_ = sheetSteps(steps_, row(), parameter()->key, values());
        } catch (const Error& e) {
            problem_->setText(toMessage(e, {}).plainText());
        }
    else problem_->setText(tr("No step has a parameter that can be varied"));
    if (show_) show_->setEnabled(!sheet_.empty());
}

}  // namespace parallax::ui
