// SPDX-License-Identifier: GPL-3.0-or-later
// A dialog for a matrix of weights: a grid, pictures of it and of what it does to frequencies, and common changes.
#pragma once

#include <QDialog>
#include <QTimer>

#include "ui/models/pipeline/kernel_model.hpp"

class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;

namespace parallax::ui {

class KernelPlot;
class ResponsePlot;

class KernelEditor : public QDialog {
    Q_OBJECT
public:
    /// A text that is no matrix is explained, and the grid begins with the kernel that changes nothing.
    explicit KernelEditor(const QString& text, QWidget* parent = nullptr);

    KernelModel& kernel() { return *model_; }
    QTableView& grid() { return *grid_; }
    /// Sum, rank, and what was wrong with a text, as shown.
    QString facts() const;
    QString problem() const;
    /// Pastes text: a matrix replaces all weights, a single number the current element.
    void pasteText(const QString& text);

    void done(int result) override;

signals:
    /// While the dialog is open, after each change; at Cancel the text that it began with.
    void textEdited(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeTools();
    QWidget* makeSizes();
    QWidget* makePlots();
    void kernelChanged();
    void analyse();
    void fitColumns();
    void explain(const QString& problem);

    KernelModel* model_;
    QTableView* grid_ = nullptr;
    QSpinBox *columns_ = nullptr, *rows_ = nullptr;
    QPushButton* normalise_ = nullptr;
    QLabel *facts_ = nullptr, *problem_ = nullptr;
    KernelPlot* weights_ = nullptr;
    ResponsePlot* response_ = nullptr;
    QString initial_;
    bool edited_ = false;
    QTimer pause_;
};

}  // namespace parallax::ui
