// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/kernels/line_changes.hpp"

#include <QStringList>
#include <algorithm>
#include <vector>

namespace parallax::ui {
namespace {

constexpr qsizetype kAround = 3;
constexpr qsizetype kMaxCells = 16'000'000;  // of the table below

struct Line {
    QChar mark;
    QString text;
};

/// All lines of both texts, by a longest common subsequence. What the texts begin and end with alike is left out of the table.
std::vector<Line> alignedLines(const QStringList& a, const QStringList& b) {
    qsizetype begin = 0, endA = a.size(), endB = b.size();
    while (begin < endA && begin < endB && a[begin] == b[begin]) ++begin;
    while (endA > begin && endB > begin && a[endA - 1] == b[endB - 1]) --endA, --endB;
    const qsizetype n = endA - begin, m = endB - begin;
    // common[i][j]: length of the longest common subsequence of a[begin + i ..] and b[begin + j ..]
    const bool fits = (n + 1) * (m + 1) <= kMaxCells;
    std::vector<std::int32_t> common(fits ? static_cast<std::size_t>((n + 1) * (m + 1)) : 0);
    const auto at = [&](qsizetype i, qsizetype j) -> std::int32_t& { return common[static_cast<std::size_t>(i * (m + 1) + j)]; };
    for (qsizetype i = n - 1; fits && i >= 0; --i)
        for (qsizetype j = m - 1; j >= 0; --j)
            at(i, j) = a[begin + i] == b[begin + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    std::vector<Line> lines;
    for (qsizetype i = 0; i < begin; ++i) lines.push_back({u' ', a[i]});
    qsizetype i = 0, j = 0;
    while (i < n || j < m) {
        if (fits && i < n && j < m && a[begin + i] == b[begin + j]) {
            lines.push_back({u' ', a[begin + i]});
            ++i, ++j;
        } else if (i < n && (!fits || j == m || at(i + 1, j) >= at(i, j + 1))) {
            lines.push_back({u'-', a[begin + i++]});
        } else {
            lines.push_back({u'+', b[begin + j++]});
        }
    }
    for (qsizetype k = endA; k < a.size(); ++k) lines.push_back({u' ', a[k]});
    return lines;
}

}  // namespace

QString lineChanges(const QString& before, const QString& after) {
    if (before == after) return {};
    const std::vector<Line> lines = alignedLines(before.split(u'\n'), after.split(u'\n'));
    const auto count = static_cast<qsizetype>(lines.size());
    std::vector<bool> shown(lines.size());
    for (qsizetype i = 0; i < count; ++i)
        if (lines[static_cast<std::size_t>(i)].mark != u' ')
            std::fill(shown.begin() + std::max<qsizetype>(0, i - kAround), shown.begin() + std::min(count, i + kAround + 1), true);
    QStringList text;
    bool omitted = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!shown[i]) {
            if (!omitted) text << QStringLiteral("  …");
            omitted = true;
            continue;
        }
        omitted = false;
        text << lines[i].mark + QStringLiteral(" ") + lines[i].text;
    }
    return text.join(u'\n');
}

}  // namespace parallax::ui
