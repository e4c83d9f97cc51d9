// SPDX-License-Identifier: GPL-3.0-or-later
// What was said about raw files, kept between sessions.
#pragma once

#include <vector>

#include "core/io/formats/raw/raw.hpp"

namespace parallax::ui {

/// Newest first.
std::vector<RawRequest> rememberedRaw();
/// Takes the place of what was said about the same file before.
void rememberRaw(const RawRequest& request);
void forgetRaw();

/// What a file may hold, best first, at least one: what was said about this file, what its name says, what was said last if it fills the
/// file, what its size says. Only the first may not fill the file.
std::vector<RawRequest> proposedRaw(const std::string& path, std::uint64_t fileBytes);

}  // namespace parallax::ui
