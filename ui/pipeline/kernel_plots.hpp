// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of a kernel: its weights and its frequency response.
#pragma once

#include <QImage>
#include <QWidget>

#include "core/operations/convolution/kernel.hpp"

namespace parallax::ui {

/// A square heat map with a colour scale below.
class MatrixPlot : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {220, 270}; }
    QSize minimumSizeHint() const override { return {150, 190}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    /// 0 .. 1 along the scale under the picture.
    virtual QColor scaleColour(double position) const = 0;
    virtual void drawMarks(QPainter&, const QRectF&) const {}

    QImage picture_;
    QString heading_, low_, middle_, high_;
    int axis_ = 0;  // room for labels at the axes, in lines of text
};

/// Weights as colours: blue below 0, orange above, the background at 0.
class KernelPlot : public MatrixPlot {
    Q_OBJECT
public:
    explicit KernelPlot(QWidget* parent = nullptr);
    void setKernel(const Kernel& kernel);

protected:
    QColor scaleColour(double position) const override;
    void drawMarks(QPainter& painter, const QRectF& area) const override;
    void changeEvent(QEvent* event) override;

private:
    void render();
    Kernel kernel_;
};

/// Magnitude of the frequency response, zero frequency in the middle.
class ResponsePlot : public MatrixPlot {
    Q_OBJECT
public:
    static constexpr int kGrid = 64;
    explicit ResponsePlot(QWidget* parent = nullptr);
    /// kGrid x kGrid magnitudes, as of frequencyResponse().
    void setResponse(const std::vector<double>& magnitudes);

protected:
    QColor scaleColour(double position) const override;
    void drawMarks(QPainter& painter, const QRectF& area) const override;
};

}  // namespace parallax::ui
