// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pipeline/kernel_model.hpp"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/operations/convolution/kernel_analysis.hpp"
#include "ui/models/document/formatting.hpp"

namespace parallax::ui {
namespace {

std::size_t indexOf(const Kernel& kernel, int u, int v) {
    return static_cast<std::size_t>(v) * static_cast<std::size_t>(kernel.width) + static_cast<std::size_t>(u);
}

}  // namespace

QVariant KernelModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= kernel_.height || index.column() >= kernel_.width) return {};
    const double weight = kernel_.at(index.column(), index.row());
    switch (role) {
        case Qt::DisplayRole: return withMinus(QLocale().toString(weight, 'g', 4));
        case Qt::EditRole:
            return QString::number(weight, 'g', QLocale::FloatingPointShortest).replace(QLatin1Char('.'), QLocale().decimalPoint());
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        case Qt::ToolTipRole:
            return tr("Row %1, column %2: %3")
                .arg(index.row())
                .arg(index.column())
                .arg(withMinus(QLocale().toString(weight, 'g', QLocale::FloatingPointShortest)));
        default: return {};
    }
}

bool KernelModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid()) return false;
    bool number = false;
    // Accept a decimal comma.
    const double weight = value.toString().trimmed().replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&number);
    if (!number || !std::isfinite(weight)) return false;
    double& old = kernel_.weights[indexOf(kernel_, index.column(), index.row())];
    if (old == weight) return true;
    old = weight;
    emit dataChanged(index, index);
    emit changed();
    return true;
}

QVariant KernelModel::headerData(int section, Qt::Orientation, int role) const {
    return role == Qt::DisplayRole ? QVariant(section) : QVariant();  // from 0, as for the anchor
}

Qt::ItemFlags KernelModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

void KernelModel::setKernel(Kernel kernel) {
    const bool sameSize = kernel.width == kernel_.width && kernel.height == kernel_.height;
    if (sameSize && kernel.weights == kernel_.weights) return;
    // Same size: keep the selection.
    if (!sameSize) beginResetModel();
    kernel_ = std::move(kernel);
    if (!sameSize) endResetModel();
    else emit dataChanged(index(0, 0), index(kernel_.height - 1, kernel_.width - 1));
    emit changed();
}

void KernelModel::setText(const QString& text) { setKernel(parseKernelText(text.toStdString())); }

QString KernelModel::text() const { return QString::fromStdString(kernelText(kernel_)); }

template <class From>
void KernelModel::rearrange(int columns, int rows, From&& from) {
    Kernel k;
    k.width = columns;
    k.height = rows;
    k.weights.clear();
    for (int v = 0; v < rows; ++v)
        for (int u = 0; u < columns; ++u) {
            const auto [x, y] = from(u, v);
            const bool inside = x >= 0 && y >= 0 && x < kernel_.width && y < kernel_.height;
            k.weights.push_back(inside ? kernel_.at(x, y) : 0);
        }
    setKernel(std::move(k));
}

void KernelModel::resize(int columns, int rows) {
    columns = std::clamp(columns, 1, kMaximumKernelSize);
    rows = std::clamp(rows, 1, kMaximumKernelSize);
    const int dx = kernel_.width / 2 - columns / 2, dy = kernel_.height / 2 - rows / 2;
    rearrange(columns, rows, [=](int u, int v) { return std::pair(u + dx, v + dy); });
}

void KernelModel::mirrorHorizontally() {
    rearrange(kernel_.width, kernel_.height, [w = kernel_.width](int u, int v) { return std::pair(w - 1 - u, v); });
}

void KernelModel::mirrorVertically() {
    rearrange(kernel_.width, kernel_.height, [h = kernel_.height](int u, int v) { return std::pair(u, h - 1 - v); });
}

void KernelModel::rotate() {
    rearrange(kernel_.height, kernel_.width, [h = kernel_.height](int u, int v) { return std::pair(v, h - 1 - u); });
}

void KernelModel::transpose() {
    rearrange(kernel_.height, kernel_.width, [](int u, int v) { return std::pair(v, u); });
}

bool KernelModel::normalisable() const { return std::fabs(kernel_.sum()) > 1e-6 * kernel_.absoluteSum(); }

void KernelModel::normalise() {
    if (!normalisable()) return;
    Kernel k = kernel_;
    const double sum = k.sum();
    for (double& w : k.weights) w /= sum;
    setKernel(std::move(k));
}

}  // namespace parallax::ui
