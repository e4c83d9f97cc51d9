// SPDX-License-Identifier: GPL-3.0-or-later
// Dialog for a matrix of weights: a grid, plots of the weights and the frequency response, and common changes.
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
    /// An invalid text is reported, and the grid starts with the identity.
    /// `startText` replaces a text that is empty or not a matrix.
    KernelEditor(const QString& text, const QString& startText, QWidget* parent);

    KernelModel& kernel() { return *model_; }
    QTableView& grid() { return *grid_; }
    /// Sum and rank, and the error of a text, as shown.
    QString facts() const;
    QString problem() const;
    /// Pastes text: a matrix replaces all weights, a single number the current element.
    void pasteText(const QString& text);

    void done(int result) override;

signals:
    /// Emitted after each change while the dialog is open; Cancel emits the initial text.
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
