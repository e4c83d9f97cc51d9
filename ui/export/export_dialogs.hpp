// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where to save. The dialogs ask before something is overwritten; what they agreed to goes on to the session.
#pragma once

#include <QImage>
#include <QString>
#include <functional>
#include <optional>

#include "ui/session/session.hpp"

class QWidget;

namespace parallax::ui {

// All return at once; saving follows.

/// The samples of one image, or of all panes with their views (`view` returns what a pane shows): SaveDataDialog.
void askAndSaveData(Session& session, std::optional<PaneRole> role, std::function<QImage(PaneRole)> view, QWidget* parent);
/// The view, as PNG.
void askAndSavePicture(Session& session, const QImage& picture, const QString& title, const QString& name, QWidget* parent);
/// Report of a sweep, or, without records, of the last benchmark.
void askAndSaveReport(Session& session, std::vector<RunRecord> sweep, QWidget* parent);

}  // namespace parallax::ui
