// SPDX-License-Identifier: GPL-3.0-or-later
// The compared panes as JSON. The format is described in resources/manual/sessions.md.
#pragma once

#include <QJsonObject>
#include <QString>
#include <functional>

#include "ui/models/pipeline/compare_setup.hpp"

namespace parallax::ui {

/// Converts the name of an input between the window and the file, such as to a relative path.
using InputRule = std::function<QString(const QString&)>;

QJsonObject toJson(const CompareSetup& setup, const InputRule& stored);
/// Targets that this build or machine does not have become automatic. Throws Error(input).
CompareSetup compareSetupFromJson(const Catalog& catalog, const QJsonObject& json, const InputRule& opened);
/// Returns the pane with this letter; A if there is none.
Side sideNamed(const QString& letter, const std::vector<PaneSetup>& panes);

}  // namespace parallax::ui
