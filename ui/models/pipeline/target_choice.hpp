// SPDX-License-Identifier: GPL-3.0-or-later
// Which backend can do a pipeline, asked of the catalog: nothing runs.
#pragma once

#include <string>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/image.hpp"

namespace parallax::ui {

/// Does the target support every step that is switched on, for an image of this kind? What is wrong with the parameters or the image
/// itself counts as supported: it is wrong on every backend. Statistics of the image are not looked at.
bool canRun(const Catalog& catalog, const Pipeline& pipeline, const Image& input, const Target& target);

/// Returns the default target of B: the first available backend besides `other` that supports the pipeline, the reference after all
/// others. If none can, or without an image, the first besides `other`; `other` itself if there is no second.
Target comparisonTarget(const Catalog& catalog, const Pipeline& pipeline, const Image* input, const std::string& other);

}  // namespace parallax::ui
