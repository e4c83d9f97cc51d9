// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs that ask where to save and before a file is replaced; the session does the saving.
#pragma once

#include <QImage>
#include <QString>
#include <functional>
#include <optional>

#include "ui/session/session.hpp"

class QWidget;

namespace parallax::ui {

// All functions return immediately; saving follows in the background.

/// Saves the samples of one image, or of all panes with their views; `view` returns the picture of a pane. See SaveDataDialog.
void askAndSaveData(Session& session, std::optional<PaneRole> role, std::function<QImage(PaneRole)> view, QWidget* parent);
/// The view, as PNG.
void askAndSavePicture(Session& session, const QImage& picture, const QString& title, const QString& name, QWidget* parent);
/// Report of a sweep, or, without records, of the last benchmark.
void askAndSaveReport(Session& session, std::vector<RunRecord> sweep, QWidget* parent);

}  // namespace parallax::ui
