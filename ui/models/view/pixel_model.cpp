// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/view/pixel_model.hpp"

#include <QLocale>
#include <algorithm>

#include "ui/models/document/formatting.hpp"
#include "ui/models/view/display_curve.hpp"

namespace parallax::ui {

void PixelModel::setImages(ImagePtr original, ImagePtr a, ImagePtr b) {
    beginResetModel();
    images_ = {std::move(original), std::move(a), std::move(b)};
    channels_.clear();
    for (const ImagePtr& image : images_)
        if (image && image->channelNames().size() > channels_.size()) channels_ = image->channelNames();
    endResetModel();
}

void PixelModel::setPosition(std::optional<PixelPosition> position) {
    position_ = position;
    refresh();
}

void PixelModel::setFormat(SampleFormat format) {
    format_ = format;
    refresh();
}

void PixelModel::setDisplay(const DisplaySettings& display) {
    display_ = display;
    refresh();
}

void PixelModel::refresh() {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1));
}

QString PixelModel::displayed(int row, int column) const {
    const DisplayCurve curve(display_);
    const auto step = [&](int of) {
        const auto value = sample(row, of);
        return value ? curve.step(static_cast<float>(*value)) : -1;
    };
    if (column == differenceColumn) {
        const int a = step(aColumn), b = step(bColumn);
        return a < 0 || b < 0 ? QStringLiteral("NaN") : withMinus(QString::number(b - a));
    }
    const int shown = step(column);
    if (shown < 0) return QStringLiteral("NaN");
    return format_ == SampleFormat::display ? QString::number(shown) : QStringLiteral("%1").arg(shown, 2, 16, QLatin1Char('0')).toUpper();
}

std::optional<double> PixelModel::sample(int row, int column) const {
    if (!position_ || row < 0 || row >= rowCount()) return std::nullopt;
    if (column == differenceColumn) {
        const auto a = sample(row, aColumn), b = sample(row, bColumn);
        if (!a || !b) return std::nullopt;
        return *b - *a;
    }
    if (column < 0 || column > bColumn) return std::nullopt;
    const ImagePtr& image = images_[static_cast<std::size_t>(column)];
    if (!image || row >= image->shape().channels) return std::nullopt;
    const auto [x, y, z] = *position_;
    const Shape& shape = image->shape();
    if (x < 0 || y < 0 || z < 0 || x >= shape.width || y >= shape.height || z >= shape.depth) return std::nullopt;
    return static_cast<double>(image->view().at(x, y, z, row));
}

QString PixelModel::toText() const {
    if (!position_ || rowCount() == 0) return {};
    QString text = QStringLiteral("x %1, y %2").arg(position_->x).arg(position_->y);
    if (std::any_of(images_.begin(), images_.end(), [](const ImagePtr& i) { return i && i->isVolume(); }))
        text += QStringLiteral(", z %1").arg(position_->z);
    for (int column = 0; column < columnTotal; ++column)
        text += QLatin1Char('\t') + headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (int row = 0; row < rowCount(); ++row) {
        text += QLatin1Char('\n') + headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        for (int column = 0; column < columnTotal; ++column) {
            const auto value = sample(row, column);
            text += QLatin1Char('\t') + (value ? QString::number(*value, 'g', 9) : QString());
        }
    }
    return text + QLatin1Char('\n');
}

int PixelModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(channels_.size()); }
int PixelModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant PixelModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const auto value = sample(index.row(), index.column());
    if (role == Qt::DisplayRole) {
        if (!value) return QStringLiteral("–");
        if (format_ != SampleFormat::linear) return displayed(index.row(), index.column());
        // Three digits suffice for a difference.
        const QString text = index.column() == differenceColumn ? formatError(*value) : QString();
        return !text.isEmpty() && text.size() <= 7 ? text : formatShort(*value, kRoom);
    }
    if (role == Qt::ToolTipRole && value) return withMinus(QLocale().toString(*value, 'g', 9));
    return {};
}

void PixelModel::setNames(const QString& a, const QString& b) {
    if (a == a_ && b == b_) return;
    a_ = a;
    b_ = b;
    emit headerDataChanged(Qt::Horizontal, aColumn, differenceColumn);
}

QVariant PixelModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) return QAbstractTableModel::headerData(section, orientation, role);
    if (orientation == Qt::Vertical)
        return section < rowCount() ? QString::fromStdString(channels_[static_cast<std::size_t>(section)]) : QString();
    switch (section) {
        case originalColumn: return tr("Original");
        case aColumn: return a_;
        case bColumn: return b_;
        default: return tr("%1 − %2").arg(b_, a_);
    }
}

}  // namespace parallax::ui
