// SPDX-License-Identifier: GPL-3.0-or-later
// Facts in messages between processes: see core/parallel/bytes.hpp.
#pragma once

#include "core/engine/operation/operation.hpp"

namespace parallax {

template <class F>
void forEachMember(const Fact& fact, F& each) {
    each(fact.name);
    each(fact.text);
}
template <class F>
void forEachMember(Fact& fact, F& each) {
    each(fact.name);
    each(fact.text);
}

}  // namespace parallax
