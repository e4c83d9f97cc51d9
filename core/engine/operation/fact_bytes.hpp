// SPDX-License-Identifier: GPL-3.0-or-later
// Facts in messages between processes: see core/parallel/bytes.hpp.
#pragma once

#include "core/engine/operation/operation.hpp"
#include "core/parallel/bytes.hpp"

namespace parallax {

template <Is<Fact> T, class F>
void forEachMember(T& fact, F& each) {
    each(fact.name), each(fact.text);
}

}  // namespace parallax
