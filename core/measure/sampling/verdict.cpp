// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/verdict.hpp"

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
    constexpr double kLow = 1 - kNegligibleRatio, kHigh = 1 + kNegligibleRatio;
    if (!(speedup.low > 0) || !(speedup.high > 0)) return Verdict::undecided;
    if (speedup.low >= kLow && speedup.high <= kHigh) return Verdict::same;
    if (speedup.low > kHigh) return Verdict::faster;
    if (speedup.high < kLow) return Verdict::slower;
    return Verdict::undecided;
}

}  // namespace parallax
