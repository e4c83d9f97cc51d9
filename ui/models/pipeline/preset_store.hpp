// SPDX-License-Identifier: GPL-3.0-or-later
// Named parameters of an operation, kept between sessions. Each is a recipe of one step, so presets also work with parallax-cli --recipe.
// Damaged files are marked and never block others.
#pragma once

#include <QString>
#include <QStringList>

#include "core/engine/backend/catalog.hpp"

namespace parallax::ui {

class PresetStore {
public:
    /// Uses standardFolder(), or another one.
    explicit PresetStore(const Catalog& catalog, QString folder = {});
    /// $XDG_DATA_HOME/parallax/presets.
    static QString standardFolder();

    /// Returns the names in natural order. Never throws; an unreadable folder has no presets.
    QStringList names(const Operation& operation) const;
    bool contains(const Operation& operation, const QString& name) const;
    /// Throws Error(input) for a file that is missing, damaged or of another operation.
    ParameterBlock load(const Operation& operation, const QString& name) const;
    /// Throws Error(usage) for an invalid name, Error(output) if it exists and may not be replaced or cannot be written.
    void save(const Operation& operation, const QString& name, const ParameterBlock& values, bool overwrite);
    void rename(const Operation& operation, const QString& from, const QString& to);
    void remove(const Operation& operation, const QString& name);

private:
    QString folderOf(const Operation& operation) const;
    QString pathOf(const Operation& operation, const QString& name) const;

    const Catalog* catalog_;
    QString folder_;
};

}  // namespace parallax::ui
