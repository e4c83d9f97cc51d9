// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the fuzzing programs: well-formed samples, damage to them, and the rounds.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace parallax::test {

using Bytes = std::vector<std::uint8_t>;

struct Sample {
    std::string name;  ///< as a file is called where its kind follows from that
    Bytes bytes;
};

Bytes contents(const std::string& path);
void write(const std::string& path, const Bytes& bytes);

/// Cut off, bits flipped, sizes that programs trip over, parts left out, repeated and moved; mostly within the first 900 bytes, where
/// headers are.
Bytes damaged(Bytes bytes, std::mt19937& random);
/// As damaged(), and in three of four cases what a text is made of: numbers become others, values and lines are left out or repeated.
Bytes damagedText(Bytes bytes, std::mt19937& random);

/// Takes each sample as it is, which must give no Error, and then `rounds` damaged ones: each may give an Error and nothing else, within
/// 20 seconds. Before each round its bytes are written to a file, which is left behind by a crash. Prints counts; the program's exit
/// status.
int fuzz(const std::vector<Sample>& samples, long rounds, unsigned seed, const std::function<Bytes(Bytes, std::mt19937&)>& damage,
         const std::function<void(const Sample&)>& take);

/// main() of a fuzzing program:   PROGRAM [ROUNDS [SEED]]
int fuzzingProgram(int argc, char** argv, const std::function<int(long rounds, unsigned seed)>& body);

}  // namespace parallax::test
