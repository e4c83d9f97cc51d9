// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/render/transfer_curve.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/image/transfer.hpp"

namespace parallax::render {
namespace {

constexpr double kMaxOpaque = 0.999;
constexpr std::size_t kMaxNodes = 64;
/// Largest magnitude of a value, and least distance of the first from the last: entries of the table are computed in float.
constexpr double kLargestValue = 1e30, kLeastRange = 1e-30;

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw Error(ErrorCode::usage, "The transfer function '" + std::string(text) + "' is not valid", why,
                "Give nodes such as 150:0:#804020 400:0.2:#ffffff");
}

void readColour(std::string_view all, std::string_view text, double* colour) {
    unsigned code = 0;
    const bool isHash = text.size() == 7 && text.front() == '#';
    const auto [end, error] = isHash ? std::from_chars(text.data() + 1, text.data() + 7, code, 16) : std::from_chars_result{};
    if (!isHash || error != std::errc{} || end != text.data() + 7)
        refuse(all, "'" + std::string(text) + "' is no colour; colours are written as #RRGGBB");
    for (int c = 0; c < 3; ++c) colour[c] = srgbToLinear(static_cast<double>(code >> (16 - 8 * c) & 255U) / 255);
}

CurveNode readNode(std::string_view all, std::string_view text) {
    CurveNode node;
    const std::size_t first = text.find(':'), second = first == text.npos ? text.npos : text.find(':', first + 1);
    if (first == text.npos || !parseNumber(text.substr(0, first), node.value) || !std::isfinite(node.value))
        refuse(all, "'" + std::string(text) + "' is no node; nodes are written as VALUE:OPACITY or VALUE:OPACITY:#RRGGBB");
    if (!parseNumber(text.substr(first + 1, second == text.npos ? text.npos : second - first - 1), node.opacity) ||
        !(node.opacity >= 0 && node.opacity <= 1))
        refuse(all, "the opacity in '" + std::string(text) + "' is not a number from 0 to 1");
    if (std::fabs(node.value) > kLargestValue) refuse(all, "the value in '" + std::string(text) + "' is too large");
    node.opacity = std::min(node.opacity, kMaxOpaque);
    if (second != text.npos) readColour(all, text.substr(second + 1), node.colour);
    return node;
}

}  // namespace

std::vector<CurveNode> parseCurve(std::string_view text) {
    std::vector<CurveNode> nodes;
    constexpr std::string_view kBlanks = " \t\n\r";
    for (std::size_t start = text.find_first_not_of(kBlanks); start != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, start), text.size());
        nodes.push_back(readNode(text, text.substr(start, end - start)));
        if (nodes.size() > kMaxNodes) refuse(text, "it has more than " + std::to_string(kMaxNodes) + " nodes");
        if (nodes.size() > 1 && !(nodes.back().value > nodes[nodes.size() - 2].value)) refuse(text, "its values do not ascend");
        start = text.find_first_not_of(kBlanks, end);
    }
    if (nodes.size() < 2) refuse(text, "it needs two nodes or more");
    if (nodes.back().value - nodes.front().value < kLeastRange) refuse(text, "its values are too close to each other");
    return nodes;
}

TransferTable makeTable(const std::vector<CurveNode>& nodes, double step) {
    TransferTable table;
    table.low = nodes.front().value;
    const double range = nodes.back().value - table.low;
    table.perUnit = TransferTable::kIntervals / range;
    table.entries.resize(4 * (TransferTable::kIntervals + 2));
    table.opaque.assign(TransferTable::kIntervals + 2, 0);
    std::size_t node = 0;
    for (int i = 0; i <= TransferTable::kIntervals; ++i) {
        const double value = table.low + range * i / TransferTable::kIntervals;
        while (node + 2 < nodes.size() && value > nodes[node + 1].value) ++node;
        const CurveNode &a = nodes[node], &b = nodes[node + 1];
        const double f = std::clamp((value - a.value) / (b.value - a.value), 0.0, 1.0);
        float* const entry = &table.entries[static_cast<std::size_t>(4 * i)];
        for (int c = 0; c < 3; ++c) entry[c] = static_cast<float>(a.colour[c] + f * (b.colour[c] - a.colour[c]));
        entry[3] = static_cast<float>(1 - std::pow(1 - (a.opacity + f * (b.opacity - a.opacity)), step));
        table.opaque[static_cast<std::size_t>(i + 1)] = table.opaque[static_cast<std::size_t>(i)] + (entry[3] > 0 ? 1 : 0);
        for (int c = 0; i > 0 && c < 4; ++c) {
            double& largest = c < 3 ? table.largestColourStep : table.largestOpacityStep;
            largest = std::max(largest, std::fabs(static_cast<double>(entry[c]) - static_cast<double>(entry[c - 4])));
        }
    }
    std::copy_n(table.entries.end() - 8, 4, table.entries.end() - 4);
    return table;
}

}  // namespace parallax::render
