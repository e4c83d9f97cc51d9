// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kinds/sweep_controls.hpp"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>

#include "ui/session/lab.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/layout.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {

SweepControls::SweepControls(Session& session, bool scaling, std::function<QString()> effort, QWidget* parent)
    : QWidget(parent),
      session_(session),
      scaling_(scaling),
      effort_(std::move(effort)),
      axis_(new QComboBox),
      values_(new QLineEdit),
      run_(new QPushButton) {
    auto* layout = new FlowLayout(this);
    axis_->setObjectName(scaling_ ? QStringLiteral("scalingAxis") : QStringLiteral("sweepAxis"));
    axis_->setAccessibleName(scaling_ ? tr("Axis of the scaling") : tr("Axis of the sweep"));
    axis_->setToolTip(
        scaling_
            ? tr("Threads of the CPU, or parts: with a GPU backend each part has a GPU of its own. With a growing image each part keeps "
                 "the "
                 "work that one part has (weak scaling).")
            : tr("Quantity that changes from point to point: the image size or a parameter of a step. Parameters that change the amount of "
                 "work come first."));
    if (!scaling_) {
        axis_->setMinimumContentsLength(17);
        axis_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    }
    axisRow_ = rowOf({labelOf(tr("Axis:"), axis_), axis_});
    layout->addWidget(axisRow_);
    connect(axis_, &QComboBox::currentIndexChanged, this, &SweepControls::chooseAxis);
    values_->setObjectName(scaling_ ? QStringLiteral("threadValues") : QStringLiteral("sweepValues"));
    values_->setAccessibleName(scaling_ ? tr("Numbers of threads or parts") : tr("Values of the sweep"));
    values_->setToolTip(scaling_ ? tr("Numbers of threads or parts, separated by commas")
                                 : tr("Values to measure, separated by commas. A size is the side of a square: images are cropped or "
                                      "repeated, generated images are generated at that size."));
    values_->setMinimumWidth(150);
    valuesLabel_ = labelOf(tr("Values:"), values_);
    layout->addWidget(rowOf({valuesLabel_, values_}));
    run_->setObjectName(scaling_ ? QStringLiteral("sweepThreads") : QStringLiteral("sweep"));
    layout->addWidget(run_);
    connect(run_, &QPushButton::clicked, this, &SweepControls::press);
    connect(values_, &QLineEdit::returnPressed, this, [this] {
        if (!session_.lab().sweeping() && run_->isEnabled()) press();
    });
    connect(&session_, &Session::busyChanged, this, &SweepControls::updateButton);
    connect(&session_, &Session::originalChanged, this, &SweepControls::refresh);
    connect(&session_.pipeline(), &PipelineModel::pipelineChanged, this, [this] {
        if (isVisible()) refresh();
    });
    connect(&session_.lab(), &Lab::sweepChanged, this, &SweepControls::updateButton);
    refresh();
}

void SweepControls::refresh() {
    const std::string key = axis_->currentIndex() >= 0 ? axis_->currentData().toString().toStdString() : std::string();
    axes_ = session_.lab().axes();
    std::erase_if(
        axes_, [this](const SweepAxis& a) { return (a.kind == SweepAxis::Kind::threads || a.kind == SweepAxis::Kind::parts) != scaling_; });
    const QSignalBlocker quiet(axis_);
    axis_->clear();
    for (const SweepAxis& a : axes_) axis_->addItem(axisTitle(session_.catalog(), a.key), QString::fromStdString(a.key));
    axis_->setCurrentIndex(std::max(0, axis_->findData(QString::fromStdString(key))));
    const bool onlyThreads = scaling_ && axes_.size() <= 1;
    axisRow_->setVisible(!onlyThreads);
    valuesLabel_->setText(onlyThreads ? tr("Threads:") : tr("Values:"));
    chooseAxis();
}

void SweepControls::chooseAxis() {
    const int index = axis_->currentIndex();
    if (index < 0 || index >= static_cast<int>(axes_.size())) {
        updateButton();
        return;
    }
    const SweepAxis& a = axes_[static_cast<std::size_t>(index)];
    QStringList values;
    for (const std::string& v : a.values) values << QString::fromStdString(v);
    const QString key = QString::fromStdString(a.key) + QLatin1Char('=');
    const QString text = values.join(QLatin1String(", ")), suggestion = key + text;
    // Typed values are kept until the axis changes.
    const bool typed = suggested_.startsWith(key) && key + values_->text() != suggested_;
    if (!typed) values_->setText(text);
    suggested_ = typed ? suggested_ : suggestion;
    updateButton();
}

void SweepControls::updateButton() {
    const bool sweeping = session_.lab().sweeping();
    run_->setText(sweeping ? tr("Stop") : scaling_ ? tr("Measure scaling") : tr("Sweep"));
    run_->setIcon(actionIcon(sweeping ? QStringLiteral("cancel") : QStringLiteral("benchmark")));
    run_->setToolTip(
        sweeping ? tr("Stop the sweep; completed points are kept (Esc)")
                 : tr("Measure all available backends, and those of A and B, at each value; results are verified against the reference"));
    run_->setEnabled(sweeping || (!axes_.empty() && !session_.measuring()));
    values_->setEnabled(!axes_.empty());
    axis_->setEnabled(!axes_.empty());
}

void SweepControls::press() {
    if (session_.lab().sweeping()) return session_.cancel();
    const int index = axis_->currentIndex();
    if (index < 0 || index >= static_cast<int>(axes_.size())) return;
    const QString values = values_->text().simplified().remove(QLatin1Char(' '));
    session_.lab().sweep(QString::fromStdString(axes_[static_cast<std::size_t>(index)].key) + QLatin1Char('=') + values, effort_());
}

}  // namespace parallax::ui
