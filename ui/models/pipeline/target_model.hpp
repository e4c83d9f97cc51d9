// SPDX-License-Identifier: GPL-3.0-or-later
// List of backends and of the variants that implement the steps. Backends that cannot run are listed with the reason but cannot be
// selected.
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"

namespace parallax::ui {

class TargetModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { labelRole = Qt::UserRole };

    explicit TargetModel(const Catalog& catalog, QObject* parent = nullptr);
    /// Lists what can run the enabled steps; everything if there are none. Rows added by findOrList() go. Returns whether the list
    /// has changed.
    bool setPipeline(const Pipeline& pipeline);
    /// Asks again which backends and variants are available. Rows added by findOrList() go.
    void refresh();
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// Row of a label such as "cuda.tiled", or -1.
    int find(const QString& label) const;
    /// The same, but adds a label that is not listed, such as a variant with modes ("cuda.tiled+pinned"), behind its backend.
    int findOrList(const QString& label);
    /// Labels of the first entry of each available backend, in order.
    QStringList availableBackends() const;

private:
    struct Row {
        QString label, title, tip;
        bool available = true, isBackend = true;
    };
    /// Rows of a backend for operations, in their order.
    std::vector<Row> rowsOf(const Backend& backend) const;

    const Catalog& catalog_;
    std::vector<std::string> operations_;  // of the enabled steps
    std::vector<Row> rows_;
};

}  // namespace parallax::ui
