// SPDX-License-Identifier: GPL-3.0-or-later
// Copies a chart to the clipboard or saves it: SVG, PDF, PNG, or its data as CSV.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

class QCustomPlot;
class QWidget;

namespace parallax::ui {

class Session;

/// Returns the chart in the format of an extension ("svg", "pdf", "png" at twice the size); empty for other extensions.
QByteArray chartAs(QCustomPlot& plot, const QString& extension);

/// Adds a context menu with copy and save. `csv` returns the data.
void addChartMenu(QCustomPlot& plot, Session& session, const QString& name, std::function<QString()> csv);

}  // namespace parallax::ui
