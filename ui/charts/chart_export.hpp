// SPDX-License-Identifier: GPL-3.0-or-later
// A chart into the clipboard or a file: SVG, PDF, PNG, or its numbers as CSV.
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

/// Gives a chart a menu (right click, or the menu key): copy, save. `csv` returns its numbers.
void addChartMenu(QCustomPlot& plot, Session& session, const QString& name, std::function<QString()> csv);

}  // namespace parallax::ui
