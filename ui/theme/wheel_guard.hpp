// SPDX-License-Identifier: GPL-3.0-or-later
// The wheel scrolls panels and dialogs. It changes the value of a combo box, a number or a slider only where the keyboard is.
#pragma once

namespace parallax::ui {

/// Applies to all widgets of the application, those of later dialogs included. Further calls have no effect.
void installWheelGuard();

}  // namespace parallax::ui
