// SPDX-License-Identifier: GPL-3.0-or-later
// The samples under the cursor: one row a channel, columns original, A, B and B - A.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <optional>
#include <vector>

#include "parallax/image/image.hpp"
#include "parallax/ui/models/view_state.hpp"

namespace parallax::ui {

class PixelModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { originalColumn, aColumn, bColumn, differenceColumn, columnTotal };

    using QAbstractTableModel::QAbstractTableModel;
    void setImages(ImagePtr original, ImagePtr a, ImagePtr b);
    void setPosition(std::optional<PixelPosition> position);
    /// The sample, if there is one.
    std::optional<double> sample(int row, int column) const;

    /// Position and samples in full precision, tab separated; empty if there is no position.
    QString toText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::array<ImagePtr, 3> images_;
    std::vector<std::string> channels_;
    std::optional<PixelPosition> position_;
};

}  // namespace parallax::ui
