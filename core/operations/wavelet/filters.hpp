// SPDX-License-Identifier: GPL-3.0-or-later
// The four filters of a wavelet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/operations/wavelet/parameters.hpp"

namespace parallax {

/// Filters of one even length. With x extended by the mode's rule:
///   approximation(o) = sum_j decLo[j] x(2 o + shift - j), detail(o) with decHi; the inverse with recLo and recHi (extension.hpp).
struct FilterBank {
    std::string key;  ///< "db4"
    std::vector<double> decLo, decHi, recLo, recHi;

    int taps() const { return static_cast<int>(decLo.size()); }
    /// Largest deviation from perfect reconstruction, sum_j rec * dec against a pulse: about 1e-16 where it holds.
    double reconstructionError() const;
};

/// "db4"; "custom" for the last one.
const std::string& waveletKey(WaveletId id);
/// Throws Error(usage) for an unknown key.
WaveletId waveletOfKey(std::string_view key);

/// Every filter follows from the low-pass ones: decHi[k] = (-1)^(k + 1) recLo[k], recHi[k] = (-1)^k decLo[k], and of an orthogonal
/// wavelet decLo is recLo reversed. `custom` is text as parseFilterBank() takes it. Throws Error(usage).
FilterBank makeFilterBank(WaveletId id, const std::string& custom);

/// Filters as numbers, one filter a line or ended by ';', numbers by blanks or commas, any brackets:
///   one filter: the scaling filter of an orthogonal wavelet, scaled to the sum sqrt(2);
///   two: decLo and recLo of a biorthogonal one; where they do not undo each other as written, zeros are put in front of them so that
///        they do, if there is such a place (published pairs are centred, and say nothing of it);
///   four: decLo, decHi, recLo, recHi, taken as they are (the order of PyWavelets' filter_bank).
/// Shorter ones get zeros at their end; an odd length becomes even by one zero. Throws Error(usage): not one, two or four filters, more
/// than kMaximumWaveletTaps taps, a sum of 0 where one is needed, no number.
FilterBank parseFilterBank(std::string_view text);

}  // namespace parallax
