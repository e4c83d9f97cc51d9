// SPDX-License-Identifier: GPL-3.0-or-later
// A button with a menu that saves, edits and deletes windows of one's own.
#pragma once

#include <QToolButton>
#include <optional>

#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/own_windows.hpp"

namespace parallax::ui {

class WindowPresetMenu : public QToolButton {
    Q_OBJECT
public:
    explicit WindowPresetMenu(ViewState& view, QWidget* parent = nullptr);
    /// The window that "Edit" and "Delete" are about; none: neither is possible.
    void setChosen(std::optional<OwnWindow> chosen);

private:
    void askToDelete();

    std::optional<OwnWindow> chosen_;
    QAction *edit_, *remove_;
};

}  // namespace parallax::ui
