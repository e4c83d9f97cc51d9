// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which DICOM series of a folder to open.
#pragma once

#include <QDialog>
#include <vector>

#include "core/io/loader.hpp"

class QListWidget;

namespace parallax::ui {

class SeriesDialog : public QDialog {
    Q_OBJECT
public:
    SeriesDialog(std::vector<SeriesSummary> series, QWidget* parent);
    /// The input that opens the chosen series.
    QString chosen() const;

private:
    std::vector<SeriesSummary> series_;
    QListWidget* list_;
};

}  // namespace parallax::ui
