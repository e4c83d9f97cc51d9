// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.hpp"

namespace parallax::ui {

/// The picture that result A is of the open volume, as `render` makes one; null if it is a volume, or if an image is open. With it the
/// window shows images instead of planes.
ImagePtr pictureOfVolume(const Session& session);

}  // namespace parallax::ui
