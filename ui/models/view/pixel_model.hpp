// SPDX-License-Identifier: GPL-3.0-or-later
// The samples under the cursor: one row a channel, columns original, A, B and B - A.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <optional>
#include <vector>

#include "core/image/image.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

enum class SampleFormat {
    linear,      ///< the data
    display,     ///< 0 to 255, as the screen gets them
    hexadecimal  ///< the same in two digits
};

class PixelModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { originalColumn, aColumn, bColumn, differenceColumn, columnTotal };

    /// Widths of a digit: tables are narrow. Tooltips and copies have all digits.
    static constexpr double kRoom = 6.5;

    using QAbstractTableModel::QAbstractTableModel;
    void setImages(ImagePtr original, ImagePtr a, ImagePtr b);
    void setPosition(std::optional<PixelPosition> position);
    void setFormat(SampleFormat format);
    /// For the formats that depend on it.
    void setDisplay(const DisplaySettings& display);
    /// The sample, if there is one.
    std::optional<double> sample(int row, int column) const;

    /// Position and samples in full precision, tab separated; empty if there is no position.
    QString toText() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();
    QString displayed(int row, int column) const;

    std::array<ImagePtr, 3> images_;
    std::vector<std::string> channels_;
    std::optional<PixelPosition> position_;
    SampleFormat format_ = SampleFormat::linear;
    DisplaySettings display_;
};

}  // namespace parallax::ui
