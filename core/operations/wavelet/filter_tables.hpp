// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling filters as computed by make_filters.py. Everything else is derived from them: see filters.hpp.
#pragma once

#include <span>

namespace parallax {

struct FilterTable {
    const char* key;      ///< "db4"
    int taps;             ///< even
    const double* recLo;  ///< synthesis low-pass, sum sqrt(2)
    const double* decLo;  ///< analysis low-pass of a biorthogonal pair; null: recLo reversed
};

/// db1 to db20, sym2 to sym20, coif1 to coif5, bior1.1 to bior6.8, dmey.
std::span<const FilterTable> filterTables();

}  // namespace parallax
