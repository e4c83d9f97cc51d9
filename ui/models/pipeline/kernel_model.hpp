// SPDX-License-Identifier: GPL-3.0-or-later
// A matrix of weights as a table that can be edited. One change of the matrix is one changed().
#pragma once

#include <QAbstractTableModel>

#include "core/operations/convolution/kernel.hpp"

namespace parallax::ui {

class KernelModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit KernelModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kernel_.height; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kernel_.width; }
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    const Kernel& kernel() const { return kernel_; }
    void setKernel(Kernel kernel);
    /// What parseKernelText() reads. Throws Error(usage); nothing is changed then.
    void setText(const QString& text);
    QString text() const;

    /// Keeps the weights around the element size / 2, which lies on the pixel; new ones are 0.
    void resize(int columns, int rows);
    void mirrorHorizontally();
    void mirrorVertically();
    /// By 90 degrees, clockwise.
    void rotate();
    void transpose();
    /// Can the weights be divided by their sum? Not those of derivatives, whose sum is nothing but rounding.
    bool normalisable() const;
    void normalise();

signals:
    void changed();

private:
    /// A kernel of this size whose elements come from positions of the present one.
    template <class From>
    void rearrange(int columns, int rows, From&& from);

    Kernel kernel_;
};

}  // namespace parallax::ui
