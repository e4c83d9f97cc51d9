// SPDX-License-Identifier: GPL-3.0-or-later
// The wheel scrolls panels and dialogs; it changes the value of a combo box, a number or a slider only where the keyboard is. Page Up and
// Page Down belong to the control with the keyboard, if it has a use for them, before they are shortcuts of the window.
#pragma once

namespace parallax::ui {

/// Applies to all widgets of the application, those of later dialogs included. Further calls have no effect.
void installFocusGuard();

}  // namespace parallax::ui
