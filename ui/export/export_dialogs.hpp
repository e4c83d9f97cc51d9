// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where to save. The dialogs ask before something is overwritten; what they agreed to goes on to the session.
#pragma once

#include <QString>

#include "parallax/ui/bridge/session.hpp"

class QWidget;

namespace parallax::ui {

/// Not modal in the sense of waiting: returns at once, saving follows.
void askAndSaveImage(Session& session, PaneRole role, QWidget* parent);
void askAndSaveReport(Session& session, QWidget* parent);
/// "photo-openmp.exr" for result A of photo.exr.
QString proposedImageName(const Session& session, PaneRole role);

}  // namespace parallax::ui
