// SPDX-License-Identifier: GPL-3.0-or-later
// The Timing panel in one line while it is closed: the headline of the last benchmark, and Benchmark.
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace parallax::ui {

class Session;

class TimingStrip : public QWidget {
    Q_OBJECT
public:
    TimingStrip(Session& session, QAction& benchmark, QWidget* parent = nullptr);

signals:
    /// The user wants to see the panel.
    void expandRequested();

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    void refresh();

    Session& session_;
    QLabel* headline_;
};

}  // namespace parallax::ui
