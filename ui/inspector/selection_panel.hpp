// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the selected rectangle or box: every channel of A and B, and their difference.
#pragma once

#include <QWidget>

class QLabel;
class QTimer;
class QToolButton;

namespace parallax::ui {

class Session;
class ViewState;
class VolumeState;
struct RegionStatistics;

class SelectionPanel : public QWidget {
    Q_OBJECT
public:
    SelectionPanel(Session& session, ViewState& view, VolumeState& volume, QWidget* parent = nullptr);
    /// The displayed rich text.
    QString text() const;
    /// All statistics as a table with tabs, for other programs; empty without a selection.
    QString table() const;

private:
    bool isVolume() const;
    void request();
    void showStatistics();
    QString rectangleText(const RegionStatistics& region) const;
    QString boxText(const RegionStatistics& region) const;

    Session& session_;
    ViewState& view_;
    VolumeState& volume_;
    QLabel* text_;
    QToolButton* copy_;
    QTimer* delay_;
};

}  // namespace parallax::ui
