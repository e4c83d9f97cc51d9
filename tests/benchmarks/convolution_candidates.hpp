// SPDX-License-Identifier: GPL-3.0-or-later
// What bench_convolution measures: backends through the engine, and peers that the application does not have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"

namespace parallax::bench {

/// Milliseconds of one run.
struct Sample {
    double compute = 0, endToEnd = 0;
};

/// Something that filters the image, prepared. Throws Error where it cannot.
class Candidate {
public:
    virtual ~Candidate() = default;
    virtual Sample run() = 0;
    virtual View<const float> output() const = 0;
    virtual int threads() const = 0;
    virtual std::string device() const { return {}; }
    virtual std::string variant() const { return {}; }  ///< that ran ...
    virtual std::string choice() const { return {}; }   ///< ... and why
    virtual bool filters() const { return true; }       ///< or only copies, as a floor
};

/// "openmp.direct", "cuda@1" with a number of threads, "halide" or "copy". `threads` 0: all; one given in the name counts more.
std::unique_ptr<Candidate> makeCandidate(const std::string& name, int threads, const Step& step, const ImagePtr& image);

/// Names of every variant of every backend that is there, and of the peers; the reference is too slow to be a candidate.
std::vector<std::string> allCandidates();

/// "halide": AOT-compiled by halide_generator.cpp. Throws Error(unavailable) if it was not built or does not have this kernel.
std::unique_ptr<Candidate> makeHalide(int threads, const Step& step, const ImagePtr& image);
/// "copy": each sample read once and written once, past the caches where the processor can: what limits all others.
std::unique_ptr<Candidate> makeCopy(int threads, const ImagePtr& image);

}  // namespace parallax::bench
