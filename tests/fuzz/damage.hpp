// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the fuzzing programs: samples, damage and rounds.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace parallax::test {

using Bytes = std::vector<std::uint8_t>;

struct Sample {
    std::string name;  ///< a file name, whose extension is the reader, or the reader and more words
    Bytes bytes;
};

Bytes contents(const std::string& path);
void write(const std::string& path, const Bytes& bytes);

/// Truncates, flips bits, writes extreme sizes, and removes, repeats or moves parts; mostly within the first 900 bytes, where headers are.
Bytes damaged(Bytes bytes, std::mt19937& random);
/// In three of four cases damages the text: replaces numbers, removes or repeats values and lines. Otherwise as damaged().
Bytes damagedText(Bytes bytes, std::mt19937& random);

/// Loads a file twice, with different patterns in fresh memory. Throws std::runtime_error if the samples differ, as they do where a decoder
/// leaves old memory in them; and what loadImage() throws. Address sanitizer fills memory itself: with it, the file is loaded once.
void loadWithPatterns(const std::string& path);

struct FuzzArguments {
    long rounds = 2000;
    unsigned seed = 1;
    std::string reader;  ///< damages only what it reads; "each": `rounds` rounds for each reader; empty: `rounds` rounds for all together
};

/// Calls `take` for each sample, which must not throw, and then for damaged ones, which may throw Error only, must end within 5 seconds,
/// and raise the memory of the process by 1 GiB at most. The bytes of the current round are in a file that a crash leaves behind. Prints
/// counts and returns the exit status.
int fuzz(const std::vector<Sample>& samples, const FuzzArguments& arguments, const std::function<Bytes(Bytes, std::mt19937&)>& damage,
         const std::function<void(const Sample&)>& take);

/// main() of a fuzzing program:   PROGRAM [ROUNDS [SEED [READER|each]]]
int fuzzingProgram(int argc, char** argv, const std::function<int(const FuzzArguments&)>& body);

}  // namespace parallax::test
