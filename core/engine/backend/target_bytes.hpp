// SPDX-License-Identifier: GPL-3.0-or-later
// Targets in messages between processes: see core/parallel/bytes.hpp.
#pragma once

#include "core/engine/backend/catalog.hpp"
#include "core/parallel/bytes.hpp"

namespace parallax {

template <Is<Target> T, class F>
void forEachMember(T& target, F& each) {
    each(target.backend), each(target.variant), each(target.device), each(target.threads), each(target.modes), each(target.parts),
        each(target.otherDevices);
}

}  // namespace parallax
