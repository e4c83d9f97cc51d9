// SPDX-License-Identifier: GPL-3.0-or-later
// How long the reference takes, estimated to decide whether it is worth waiting for.
#pragma once

namespace parallax {

/// The reference is serial and computes in double: about this many operations a second.
inline constexpr double kReferenceFlopsPerSecond = 0.8e9;
/// Results that their operation can judge are not compared with a reference that takes longer, unless it is one of the rows.
inline constexpr double kLongestReferenceSeconds = 240;

}  // namespace parallax
