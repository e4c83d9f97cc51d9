// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the samples under the cursor: rows are channels; columns are original, A, B and B - A.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <optional>
#include <vector>

#include "core/image/image.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

enum class SampleFormat {
    linear,      ///< samples as they are
    display,     ///< display levels 0 to 255
    hexadecimal  ///< display levels as two hexadecimal digits
};

class PixelModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { originalColumn, aColumn, bColumn, differenceColumn, columnTotal };

    /// Width of a cell, in digits. Tooltips and copies have all digits.
    static constexpr double kRoom = 6.5;

    using QAbstractTableModel::QAbstractTableModel;
    void setImages(ImagePtr original, ImagePtr a, ImagePtr b);
    /// Sets the headings of the compared images.
    void setNames(const QString& a, const QString& b);
    void setPosition(std::optional<PixelPosition> position);
    void setFormat(SampleFormat format);
    /// Used by the formats of display levels.
    void setDisplay(const DisplaySettings& display);
    /// Returns the sample of a cell, if any.
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
    QString a_ = QStringLiteral("A"), b_ = QStringLiteral("B");
    std::vector<std::string> channels_;
    std::optional<PixelPosition> position_;
    SampleFormat format_ = SampleFormat::linear;
    DisplaySettings display_;
};

}  // namespace parallax::ui
