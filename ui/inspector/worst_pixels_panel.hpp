// SPDX-License-Identifier: GPL-3.0-or-later
// List of the largest differences between A and B; selecting one shows and marks its pixel in every pane.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/models/view/view_state.hpp"

class QLabel;
class QTableWidget;

namespace parallax::ui {

class Session;

class WorstPixelsPanel : public QWidget {
    Q_OBJECT
public:
    WorstPixelsPanel(Session& session, ViewState& view, QWidget* parent = nullptr);
    QTableWidget& table() { return *table_; }

private:
    void updateRows();
    void jumpTo(int row);
    /// Shows the list, or why it is empty.
    void showTable(const QString& ifEmpty);

    Session& session_;
    ViewState& view_;
    QTableWidget* table_;
    QWidget* list_ = nullptr;
    QLabel* none_;
    std::optional<PixelPosition> chosen_;  // the pixel that a row marked last
};

}  // namespace parallax::ui
