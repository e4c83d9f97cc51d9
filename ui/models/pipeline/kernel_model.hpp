// SPDX-License-Identifier: GPL-3.0-or-later
// Editable table of a weight matrix. Each change of the matrix emits changed() once.
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
    /// Sets the text, see parseKernelText(). Throws Error(usage) and leaves the model unchanged.
    void setText(const QString& text);
    QString text() const;

    /// Resizes around the centre element size / 2; new weights are 0.
    void resize(int columns, int rows);
    void mirrorHorizontally();
    void mirrorVertically();
    /// By 90 degrees, clockwise.
    void rotate();
    void transpose();
    /// Returns whether the sum is nonzero beyond rounding, so that weights can be divided by it.
    bool normalisable() const;
    void normalise();

signals:
    void changed();

private:
    /// Returns a kernel of this size whose elements come from positions of the current one.
    template <class From>
    void rearrange(int columns, int rows, From&& from);

    Kernel kernel_;
};

}  // namespace parallax::ui
