// SPDX-License-Identifier: GPL-3.0-or-later
// A table as tall as its rows, so that a scrolled panel holds no second scroll area. Long tables show their first rows and a button.
#pragma once

#include <QWidget>

class QPushButton;
class QTableView;

namespace parallax::ui {

class FullTable : public QWidget {
    Q_OBJECT
public:
    /// Shows up to `mostRows` rows until the user asks for all. The table has its model already.
    FullTable(QTableView* table, int mostRows, QWidget* parent = nullptr);
    ~FullTable() override;
    QTableView& table() { return *table_; }
    QPushButton& button() { return *button_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTableView* table_;
    QPushButton* button_;
    int mostRows_;
    bool showsAll_ = false;
};

}  // namespace parallax::ui
