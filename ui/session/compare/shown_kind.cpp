// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/shown_kind.hpp"

namespace parallax::ui {

ImagePtr pictureOfVolume(const Session& session) {
    const ImagePtr& original = session.original();
    const SideState& a = session.side(Side::a);
    const ImagePtr result = a.first ? a.first->image : a.result ? a.result->image : nullptr;
    return original && original->isVolume() && result && !result->isVolume() ? result : nullptr;
}

}  // namespace parallax::ui
