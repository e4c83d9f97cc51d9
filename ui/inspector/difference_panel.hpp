// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of the difference: errors of samples, SSIM, FLIP and ULP distance. Dimmed while a newer result is being computed.
#pragma once

#include <QVector>
#include <QWidget>

#include "core/image/difference.hpp"

class QGridLayout;
class QLabel;

namespace parallax {
struct ImageMetrics;
}

namespace parallax::ui {

class Session;
class StaleNotice;

class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePanel(Session& session, QWidget* parent = nullptr);
    /// Why there is no FLIP of samples that are no colours.
    static QString noFlipReason();

private:
    struct Row {
        QLabel *name = nullptr, *value = nullptr;
    };
    Row addRow(QGridLayout& grid, const QString& name, const char* objectName, const QString& tip);
    static void show(const Row& row, const QString& value);
    static void setTip(const Row& row, const QString& tip);
    void addRows(QGridLayout& grid);
    void refresh();
    void showErrors(const DifferenceMetrics& m);
    void showPerceived();
    void showValues(const ImageMetrics& m);
    void showNotice();
    void copy() const;

    Session& session_;
    StaleNotice* stale_;
    QLabel* notice_;
    QWidget* table_;
    QVector<Row> rows_;
    Row largest_, mean_, rmse_, relative_, psnr_, ssim_, ssimLinear_, flip_, ulp_, border_, mismatches_;
};

}  // namespace parallax::ui
