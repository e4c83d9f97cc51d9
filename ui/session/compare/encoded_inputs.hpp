// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs with encoded colours, for panes whose steps work on these. Each is converted once, not for every move of a slider.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/image/image.hpp"

namespace parallax::ui {

/// The result of steps in linear light, as panes show it. Coefficients are no colours and stay as they are.
ImagePtr asShown(const ImagePtr& computed);

class EncodedInputs {
public:
    /// Any thread. Throws Error(usage) for images without colours.
    ImagePtr of(const ImagePtr& input);

private:
    std::mutex mutex_;
    std::vector<std::pair<std::weak_ptr<const Image>, ImagePtr>> images_;
};

}  // namespace parallax::ui
