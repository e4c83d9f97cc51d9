// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/verdict.hpp"

namespace parallax {

std::string_view verdictName(Verdict verdict) {
    switch (verdict) {
        case Verdict::faster: return "FASTER";
        case Verdict::slower: return "SLOWER";
        case Verdict::same: return "SAME";
        case Verdict::undecided: return "UNDECIDED";
    }
    return "?";
}

Verdict judge(const Interval& speedup) {
    constexpr double kNegligible = 0.02;
    if (!(speedup.low > 0) || !(speedup.high > 0)) return Verdict::undecided;
    if (speedup.low >= 1 - kNegligible && speedup.high <= 1 + kNegligible) return Verdict::same;
    if (speedup.low > 1) return Verdict::faster;
    if (speedup.high < 1) return Verdict::slower;
    return Verdict::undecided;
}

}  // namespace parallax
