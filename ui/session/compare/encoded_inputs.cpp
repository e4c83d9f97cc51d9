// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/encoded_inputs.hpp"

#include <algorithm>

#include "core/engine/operation/operation.hpp"
#include "core/image/encoded_light.hpp"

namespace parallax::ui {

ImagePtr asShown(const ImagePtr& computed) {
    const bool coefficients = std::any_of(computed->metadata.begin(), computed->metadata.end(),
                                          [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); });
    if (!computed->source.encoded || coefficients) return computed;
    return std::make_shared<const Image>(withLinearColours(*computed));
}

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
