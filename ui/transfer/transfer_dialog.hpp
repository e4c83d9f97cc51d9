// SPDX-License-Identifier: GPL-3.0-or-later
// A window that edits the transfer function of a rendering over the histogram of its volume. Changes are reported as they are made, so that
// the rendering follows.
#pragma once

#include <QDialog>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/image/image.hpp"
#include "ui/session/background.hpp"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace parallax::ui {

class TransferPlot;

struct CurvePreset {
    QString title, help;
    QString curve;
};
/// The presets of an operation that set its parameter `curve`.
std::vector<CurvePreset> curvePresets(const Operation& operation);

class TransferDialog : public QDialog {
    Q_OBJECT
public:
    /// Starts with the default of OpacityCurve if the operation refuses the text.
    TransferDialog(std::vector<CurvePreset> presets, const QString& text, QWidget* parent);

    TransferPlot& plot() { return *plot_; }
    /// Shows a curve that was changed elsewhere. A text that the operation refuses leaves the plot as it is.
    void setText(const QString& text);
    /// Counts the samples of a volume in the background; null: no histogram.
    void setImage(const ImagePtr& image);
    /// Is the histogram being computed?
    bool counting() const { return counting_; }

signals:
    void textEdited(const QString& text);
    /// Edits between the two are one change: a drag.
    void editingBegun();
    void editingEnded();

private:
    QWidget* makeNodeRow();
    QWidget* makeCurveRow();
    void connectPlot();
    void edited();
    /// Notes a finished change for undoing.
    void keep();
    void goTo(int state);
    void showNode();
    void showState();
    void askColour();

    std::vector<CurvePreset> presets_;
    TransferPlot* plot_;
    QComboBox* preset_ = nullptr;
    QDoubleSpinBox *value_ = nullptr, *opacity_ = nullptr;
    QToolButton *colour_ = nullptr, *add_ = nullptr, *remove_ = nullptr, *undo_ = nullptr, *redo_ = nullptr;
    QLabel* node_ = nullptr;
    QStringList states_;  ///< the curve after each change
    int state_ = 0;       ///< the present one
    ImagePtr image_;
    bool counting_ = false;
    Background background_;  // last: its thread ends before what it uses is destroyed
};

}  // namespace parallax::ui
