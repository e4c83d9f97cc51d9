// SPDX-License-Identifier: GPL-3.0-or-later
// The layouts that users entered for raw files, kept between sessions.
#pragma once

#include <vector>

#include "core/io/formats/raw/raw.hpp"

namespace parallax::ui {

/// Newest first.
std::vector<RawRequest> rememberedRaw();
/// Replaces the earlier entry of the same file.
void rememberRaw(const RawRequest& request);
void forgetRaw();

/// Proposes at least one layout, best first: entered for this file before, from its name, entered last if it fits the file size, from the
/// file size. Only the first may not fit the file.
std::vector<RawRequest> proposedRaw(const std::string& path, std::uint64_t fileBytes);

}  // namespace parallax::ui
