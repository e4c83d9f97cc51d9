// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which DICOM series of a folder to open.
#pragma once

#include <QDialog>
#include <vector>

#include "core/io/loader.hpp"

class QTableWidget;
class QTableWidgetItem;

namespace parallax::ui {

class Thumbnails;

class SeriesDialog : public QDialog {
    Q_OBJECT
public:
    enum Column { seriesColumn, numberColumn, slicesColumn, sizeColumn, spacingColumn, remarksColumn, columns };

    SeriesDialog(std::vector<SeriesSummary> series, QWidget* parent);
    /// The input that opens the chosen series.
    QString chosen() const;

private:
    void setUpTable();
    void fill();
    const SeriesSummary& seriesOf(int row) const;
    /// Shows the slice in the middle of a series, or why there is no picture of it.
    void showThumbnail(const QString& middleSlice);

    std::vector<SeriesSummary> series_;
    QTableWidget* table_;
    Thumbnails* thumbnails_;
};

}  // namespace parallax::ui
