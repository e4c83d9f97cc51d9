// SPDX-License-Identifier: GPL-3.0-or-later
// Picks a parameter, such as a white point, from a pixel: waits for a click in a pane and asks the operation for the value of that pixel of
// the original.
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
    std::string key_;  // key of the parameter being picked; empty if none
    int row_ = -1;     // of its step
};

}  // namespace parallax::ui
