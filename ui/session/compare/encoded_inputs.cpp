// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/encoded_inputs.hpp"

#include "core/image/encoded_light.hpp"

namespace parallax::ui {

ImagePtr EncodedInputs::of(const ImagePtr& input) {
    const std::lock_guard lock(mutex_);
    std::erase_if(images_, [](const auto& known) { return known.first.expired(); });
    for (const auto& [from, encoded] : images_)
        if (from.lock() == input) return encoded;
    auto encoded = std::make_shared<Image>(withEncodedColours(*input));
    encoded->provenance.emplace_back("Colours as encoded values");
    return images_.emplace_back(input, std::move(encoded)).second;
}

}  // namespace parallax::ui
