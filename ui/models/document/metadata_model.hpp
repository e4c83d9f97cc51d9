// SPDX-License-Identifier: GPL-3.0-or-later
// A table of names and values: everything known about an image besides its samples.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/image/image.hpp"

namespace parallax::ui {

class MetadataModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setImage(const ImagePtr& image);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString name, value, tip;
    };
    std::vector<Row> rows_;
};

}  // namespace parallax::ui
