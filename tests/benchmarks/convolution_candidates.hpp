// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates of bench_convolution: backends through the engine, and peers that are not backends of the application.
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

/// A prepared filter of the image. Constructors throw Error if it cannot run.
class Candidate {
public:
    virtual ~Candidate() = default;
    virtual Sample run() = 0;
    virtual View<const float> output() const = 0;
    virtual int threads() const = 0;
    virtual std::string device() const { return {}; }
    virtual std::string variant() const { return {}; }  ///< the variant that ran ...
    virtual std::string choice() const { return {}; }   ///< ... and why
    virtual bool filters() const { return true; }       ///< false: only copies, as a floor
};

/// "openmp.direct", "cuda@1" with a number of threads, "halide" or "copy". `threads` 0: all; a number in the name takes precedence.
std::unique_ptr<Candidate> makeCandidate(const std::string& name, int threads, const Step& step, const ImagePtr& image);

/// Names of every variant of the available backends, and of the peers; the reference is too slow.
std::vector<std::string> allCandidates();

/// "halide": AOT-compiled by halide_generator.cpp. Throws Error(unavailable) if it was not built or does not have this kernel.
std::unique_ptr<Candidate> makeHalide(int threads, const Step& step, const ImagePtr& image);
/// "copy": reads and writes each sample once, bypassing the caches where possible: the floor of all others.
std::unique_ptr<Candidate> makeCopy(int threads, const ImagePtr& image);

}  // namespace parallax::bench
