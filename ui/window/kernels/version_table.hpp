// SPDX-License-Identifier: GPL-3.0-or-later
// The versions of a kernel: whether each was right, and how fast.
#pragma once

#include <QWidget>

class QPushButton;
class QTableWidget;

namespace parallax::ui {

struct OpenKernelState;

class VersionTable : public QWidget {
    Q_OBJECT
public:
    explicit VersionTable(QWidget* parent = nullptr);
    /// Keeps the selected version, or selects the newest one if that was selected before.
    void show(const OpenKernelState& kernel);
    void clear();
    /// Number of the selected version; 0: none.
    int selected() const;

signals:
    void selectionChanged();
    void restoreWanted(int number);

private:
    void updateButton();

    QTableWidget* table_;
    QPushButton* restore_;
};

}  // namespace parallax::ui
