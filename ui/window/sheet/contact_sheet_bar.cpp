// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/sheet/contact_sheet_bar.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {

ContactSheetBar::ContactSheetBar(PipelineModel& model, QAction& adopt, QAction& close, QWidget* parent)
    : QWidget(parent), model_(model), chosen_(new ElidedLabel) {
    setObjectName(QStringLiteral("contactSheet"));
    chosen_->setObjectName(QStringLiteral("sheetChosen"));
    auto* row = makeLayout<QHBoxLayout>(this, 6);
    row->setContentsMargins(8, 2, 4, 2);
    row->addWidget(chosen_, 1);
    for (QAction* action : {&adopt, &close}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        row->addWidget(button);
    }
    connect(&model_, &PipelineModel::setupChanged, this, &ContactSheetBar::refresh);
    connect(&model_, &PipelineModel::activeChanged, this, &ContactSheetBar::refresh);
    refresh();
}

void ContactSheetBar::refresh() {
    const CompareSetup& setup = model_.setup();
    setVisible(!setup.beforeSheet.empty());
    if (setup.beforeSheet.empty()) return;
    const Side active = model_.active(), other = active == Side::a ? Side::b : Side::a;
    const QString note = stepsNote(setup.stepsOf(other), setup.stepsOf(active));
    chosen_->setText(note.isEmpty() ? tr("Contact sheet") : tr("Contact sheet · %1: %2").arg(letterOf(active), note));
    chosen_->setToolTip(tr("Double-click a picture, or press Enter in it, to use its steps."));
}

}  // namespace parallax::ui
