// SPDX-License-Identifier: GPL-3.0-or-later
// A parameter that a pixel can give, as a white point: waits for a click in a pane and asks the operation what the original's pixel there
// means to it.
#pragma once

#include <QObject>
#include <string>

#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

class ParameterForm;
class Session;

class PixelPicker : public QObject {
    Q_OBJECT
public:
    PixelPicker(Session& session, ViewState& view, ParameterForm& form);

private:
    void begin(const std::string& key, bool wanted);
    void take(PixelPosition position);
    void showState();

    Session& session_;
    ViewState& view_;
    ParameterForm& form_;
    std::string key_;  // of the parameter that waits; empty if none does
    int row_ = -1;     // of its step
};

}  // namespace parallax::ui
