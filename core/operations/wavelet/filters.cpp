// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/filters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/image/error.hpp"
#include "core/operations/wavelet/filter_tables.hpp"

namespace parallax {
namespace {

std::vector<double> reversed(std::vector<double> v) {
    std::reverse(v.begin(), v.end());
    return v;
}

std::vector<double> alternated(std::vector<double> v, int first) {
    for (std::size_t k = 0; k < v.size(); ++k)
        if ((k + static_cast<std::size_t>(first)) % 2 == 1) v[k] = -v[k];
    return v;
}

FilterBank fromLowPass(std::string key, std::vector<double> decLo, std::vector<double> recLo) {
    FilterBank b{.key = std::move(key), .decLo = std::move(decLo), .decHi = {}, .recLo = std::move(recLo), .recHi = {}};
    b.decHi = alternated(b.recLo, 1);
    b.recHi = alternated(b.decLo, 0);
    return b;
}

const FilterTable& tableOf(std::string_view key) {
    for (const FilterTable& t : filterTables())
        if (key == t.key) return t;
    throw Error(ErrorCode::failed, "There is no filter table '" + std::string(key) + "'");
}

std::vector<std::string> makeKeys() {
    std::vector<std::string> keys{"haar"};
    for (const FilterTable& t : filterTables())
        if (std::string_view(t.key) != "dmey") keys.emplace_back(t.key);
    for (const FilterTable& t : filterTables())
        if (std::string_view(t.key).starts_with("bior")) keys.push_back("rbio" + std::string(t.key + 4));
    keys.insert(keys.end(), {"dmey", "custom"});
    return keys;
}

/// Names in the order of WaveletId.
const std::vector<std::string>& keys() {
    static const std::vector<std::string> all = makeKeys();
    return all;
}

[[noreturn]] void refuseFilters(const std::string& why) {
    throw Error(ErrorCode::usage, "Cannot use the filters of the custom wavelet", why,
                "Write the scaling filter of an orthogonal wavelet, or decLo; recLo, or decLo; decHi; recLo; recHi, as in '0.5 0.5'");
}

std::vector<std::vector<double>> parseRows(std::string_view text) {
    std::vector<std::vector<double>> rows(1);
    const auto isBreak = [](char c) { return c == ';' || c == '\n' || c == '\r'; };
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == ',' || c == '[' || c == ']' || c == '(' || c == ')'; };
    for (std::size_t i = 0; i < text.size();) {
        if (isBreak(text[i])) {
            if (!rows.back().empty()) rows.emplace_back();
            ++i;
        } else if (isBlank(text[i])) {
            ++i;
        } else {
            if (text[i] == '+') ++i;
            double value = 0;
            const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
            if (error != std::errc{} || !std::isfinite(value)) {
                std::size_t last = i;
                while (last < text.size() && last < i + 20 && !isBreak(text[last]) && !isBlank(text[last])) ++last;
                refuseFilters("'" + std::string(text.substr(i, last - i)) + "' is not a number");
            }
            if (std::fabs(value) > 1e6) refuseFilters("taps beyond a million are no filter");
            // Too small for a normal float: 0 for every backend, since 0 times infinity is NaN and a small number times it is not.
            rows.back().push_back(std::fabs(value) < static_cast<double>(std::numeric_limits<float>::min()) ? 0.0 : value);
            if (rows.back().size() > static_cast<std::size_t>(kMaximumWaveletTaps))
                refuseFilters("a filter has more than " + std::to_string(kMaximumWaveletTaps) + " taps");
            i = static_cast<std::size_t>(end - text.data());
        }
        if (rows.size() > 5) break;
    }
    if (rows.back().empty()) rows.pop_back();
    return rows;
}

/// Shifts taps by `front` zeros, without zeros at their end.
std::vector<double> moved(const std::vector<double>& taps, std::size_t front, std::size_t length) {
    std::vector<double> out(length, 0.0);
    for (std::size_t k = 0; k < taps.size(); ++k)
        if (taps[k] != 0 && k + front < length) out[k + front] = taps[k];
    return out;
}

FilterBank placedPair(std::vector<double> decLo, std::vector<double> recLo) {
    constexpr double kEnough = 1e-6;
    constexpr std::size_t kLongest = 40;
    const auto used = [](const std::vector<double>& f) {
        std::size_t n = f.size();
        while (n > 0 && f[n - 1] == 0) --n;
        return n;
    };
    FilterBank written = fromLowPass("custom", decLo, recLo);
    if (written.reconstructionError() < kEnough || decLo.size() > kLongest) return written;
    for (const std::size_t length : {decLo.size(), decLo.size() + 2})
        for (std::size_t a = 0; a + used(decLo) <= length; ++a)
            for (std::size_t b = 0; b + used(recLo) <= length; ++b) {
                FilterBank bank = fromLowPass("custom", moved(decLo, a, length), moved(recLo, b, length));
                if (bank.reconstructionError() < kEnough) return bank;
            }
    return written;
}

}  // namespace

double FilterBank::reconstructionError() const {
    // Samples of even and odd position see different taps: sum_o rec[t - 2 o] dec[2 o - s], which must be 1 for s = -1 relative to the
    // filters' own delay and 0 elsewhere.
    const int n = taps();
    const auto at = [n](const std::vector<double>& f, int i) { return i < 0 || i >= n ? 0.0 : f[static_cast<std::size_t>(i)]; };
    double worst = 0;
    for (int phase = 0; phase < 2; ++phase)
        for (int lag = -2 * n; lag <= 2 * n; ++lag) {
            double sum = 0;
            for (int o = -2 * n; o <= 2 * n; ++o) {
                // A pulse at sample `phase` makes coefficients dec[2 o + 1 - phase]; sample `lag` gets rec[lag + n - 2 - 2 o] of each.
                sum += at(decLo, 2 * o + 1 - phase) * at(recLo, lag + n - 2 - 2 * o) +
                       at(decHi, 2 * o + 1 - phase) * at(recHi, lag + n - 2 - 2 * o);
            }
            worst = std::max(worst, std::fabs(sum - (lag == phase ? 1.0 : 0.0)));
        }
    return worst;
}

const std::string& waveletKey(WaveletId id) { return keys().at(static_cast<std::size_t>(id)); }

WaveletId waveletOfKey(std::string_view key) {
    const auto it = std::find(keys().begin(), keys().end(), key);
    if (it == keys().end()) throw Error(ErrorCode::usage, "There is no wavelet '" + std::string(key.substr(0, 40)) + "'");
    return static_cast<WaveletId>(it - keys().begin());
}

FilterBank makeFilterBank(WaveletId id, const std::string& custom) {
    if (id == WaveletId::custom) return parseFilterBank(custom);
    const std::string& key = waveletKey(id);
    const bool reverse = key.starts_with("rbio");
    const FilterTable& table = tableOf(key == "haar" ? "db1" : reverse ? "bior" + key.substr(4) : key);
    const auto vector = [&](const double* p) { return std::vector<double>(p, p + table.taps); };
    std::vector<double> recLo = vector(table.recLo);
    std::vector<double> decLo = table.decLo ? vector(table.decLo) : reversed(recLo);
    // The reverse pair analyses with the synthesis filters of the other one.
    if (reverse) return fromLowPass(key, reversed(std::move(recLo)), reversed(std::move(decLo)));
    return fromLowPass(key, std::move(decLo), std::move(recLo));
}

FilterBank parseFilterBank(std::string_view text) {
    std::vector<std::vector<double>> rows = parseRows(text);
    if (rows.size() != 1 && rows.size() != 2 && rows.size() != 4)
        refuseFilters(rows.empty() ? "there is no filter" : "there are " + std::to_string(rows.size()) + " filters instead of 1, 2 or 4");
    std::size_t length = 0;
    for (const auto& row : rows) length = std::max(length, row.size());
    length += length % 2;
    for (auto& row : rows) row.resize(length);
    if (rows.size() == 4) return {"custom", std::move(rows[0]), std::move(rows[1]), std::move(rows[2]), std::move(rows[3])};
    if (rows.size() == 2) return placedPair(std::move(rows[0]), std::move(rows[1]));
    const double sum = std::accumulate(rows[0].begin(), rows[0].end(), 0.0);
    double magnitude = 0;
    for (const double v : rows[0]) magnitude = std::max(magnitude, std::fabs(v));
    if (!(std::fabs(sum) > 1e-9 * magnitude)) refuseFilters("the sum of a scaling filter must not be 0");
    for (double& v : rows[0]) v *= std::numbers::sqrt2 / sum;
    std::vector<double> decLo = reversed(rows[0]);
    return fromLowPass("custom", std::move(decLo), std::move(rows[0]));
}

}  // namespace parallax
