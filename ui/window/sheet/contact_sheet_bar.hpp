// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the pictures of a contact sheet: the chosen value, and what can be done with it.
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace parallax::ui {

class PipelineModel;

class ContactSheetBar : public QWidget {
    Q_OBJECT
public:
    /// Shown while the panes of `model` are a contact sheet.
    ContactSheetBar(PipelineModel& model, QAction& adopt, QAction& close, QWidget* parent = nullptr);

private:
    void refresh();

    PipelineModel& model_;
    QLabel* chosen_;
};

}  // namespace parallax::ui
