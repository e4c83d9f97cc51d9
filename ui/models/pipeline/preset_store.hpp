// SPDX-License-Identifier: GPL-3.0-or-later
// Named parameters of an operation, kept between sessions: one small file each, a recipe of one step, so that a preset also works
// with parallax-cli --recipe. A file that is damaged is not listed as good and never in the way.
#pragma once

#include <QString>
#include <QStringList>

#include "core/engine/backend/catalog.hpp"

namespace parallax::ui {

class PresetStore {
public:
    /// Below the folder for the application's data, or below another one.
    explicit PresetStore(const Catalog& catalog, QString folder = {});

    /// Sorted as a person expects. Never throws: a folder that cannot be read has no presets.
    QStringList names(const Operation& operation) const;
    bool contains(const Operation& operation, const QString& name) const;
    /// Throws Error(input) for a file that is missing, damaged or of another operation.
    ParameterBlock load(const Operation& operation, const QString& name) const;
    /// Throws Error(usage) for a name that cannot be one, Error(output) if it exists and may not be replaced, or if the disk refuses.
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
