// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/stages.hpp"

#include <limits>
#include <utility>

namespace parallax {

void StageTimes::setPieces(std::vector<Piece> pieces) {
    pieces_ = std::move(pieces);
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.span.begin < b.span.begin; });
    std::array<std::int64_t, kAllStages.size()> until{};  // end of the time counted for each stage
    until.fill(std::numeric_limits<std::int64_t>::min());
    for (const Piece& p : pieces_) {
        std::int64_t& end = until[static_cast<std::size_t>(p.stage)];
        (*this)[p.stage] += std::max<std::int64_t>(0, p.span.end - std::max(p.span.begin, end));
        end = std::max(end, p.span.end);
        extendSpan(p.stage, p.span.begin, p.span.end);
    }
}

}  // namespace parallax
