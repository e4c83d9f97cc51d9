// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: results in one line, progress with Cancel, zoom.
#pragma once

#include <QElapsedTimer>
#include <QStringList>
#include <QWidget>
#include <array>

#include "ui/models/benchmark/time_left.hpp"

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace parallax::ui {

class Session;
struct ReferenceCheck;
class ViewState;

class StatusArea : public QObject {
    Q_OBJECT
public:
    StatusArea(Session& session, ViewState& view, QStatusBar& bar, QAction& cancel);

private:
    void updateSummary();
    /// The verdict on the side whose error is nearest to its tolerance.
    QStringList checkTexts(const std::array<const ReferenceCheck*, 2>& checks) const;
    void updateZoom();
    void showProgress(double fraction, const QString& text);

    Session& session_;
    ViewState& view_;
    QLabel *summary_, *zoom_, *activity_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    TimeLeft timeLeft_;
    QElapsedTimer clock_;
};

/// Shows which backend and device computed A and B. Cuts the texts where there is no room.
class DeviceBadge : public QWidget {
    Q_OBJECT
public:
    explicit DeviceBadge(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    Session& session_;
    QLabel *badges_[2], *labels_[2];
};

}  // namespace parallax::ui
