// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/fuzzy_match.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace parallax::ui {
namespace {

constexpr int kLetter = 1, kFollows = 5, kBeginsWord = 8, kBeginsText = 4, kWholeText = 20;
constexpr int kImpossible = std::numeric_limits<int>::min() / 2;

bool beginsWord(const QString& text, qsizetype i) { return i == 0 || (text[i].isLetterOrNumber() && !text[i - 1].isLetterOrNumber()); }

}  // namespace

std::optional<int> fuzzyScore(const QString& pattern, const QString& text) {
    if (pattern.isEmpty()) return 0;
    const QString p = pattern.toCaseFolded(), t = text.toCaseFolded();
    if (p.size() > t.size()) return std::nullopt;
    // Finds the best alignment of the letters, not the first: "si" means "side by side" in "A alone, side by side".
    // endsAt[j]: best score of the letters so far with the last of them at j.
    std::vector<int> endsAt(static_cast<std::size_t>(t.size()), kImpossible), next;
    for (qsizetype i = 0; i < p.size(); ++i) {
        next.assign(endsAt.size(), kImpossible);
        int before = i == 0 ? 0 : kImpossible;  // best score that ends left of j - 1
        for (qsizetype j = 0; j < t.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            if (i > 0 && j > 1) before = std::max(before, endsAt[at - 2]);
            if (p[i] != t[j]) continue;
            const int follows = i > 0 && j > 0 && endsAt[at - 1] > kImpossible ? endsAt[at - 1] + kFollows : kImpossible;
            const int from = std::max(before, follows);
            if (from <= kImpossible) continue;
            next[at] = from + kLetter + (beginsWord(t, j) ? kBeginsWord : 0) + (j == 0 ? kBeginsText : 0);
        }
        endsAt.swap(next);
    }
    const int best = *std::max_element(endsAt.begin(), endsAt.end());
    if (best <= kImpossible) return std::nullopt;
    return best + (p == t ? kWholeText : 0);
}

}  // namespace parallax::ui
