// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the file of a recipe and hands it to the session.
#pragma once

class QWidget;

namespace parallax::ui {

class Session;

void askAndOpenRecipe(Session& session, QWidget* parent);
void askAndSaveRecipe(Session& session, QWidget* parent);

}  // namespace parallax::ui
