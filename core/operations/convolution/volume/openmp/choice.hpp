// SPDX-License-Identifier: GPL-3.0-or-later
// The rule by which `openmp` chooses a variant with axes=xyz if the target names none.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "core/operations/convolution/volume/plan.hpp"

namespace parallax {

enum class OpenmpVolumeForm { direct, separable, fft };

struct OpenmpVolumeFacts {
    std::array<std::int64_t, 3> extents{1, 1, 1};  ///< of the volume along x, y, z
    std::int64_t channels = 1;                     ///< that are filtered
    std::array<int, 3> window{1, 1, 1};
    int threads = 1;  ///< that share the work
    int lanes = 16;   ///< floats of a vector of the direct form
    bool halfRate = false;
    Support separable{};
    std::function<Support()> fft{};
};

/// Division of a volume for transforms: a box of `size` samples gives size - window + 1 results along each axis.
struct FftBox {
    std::array<int, 3> size{}, window{};
    std::array<std::int64_t, 3> boxes{};  ///< of a channel along each axis
    std::int64_t results(std::size_t axis) const { return size[axis] - window[axis] + 1; }
};
/// Returns the box of the lowest cost among extents that transform fast.
FftBox chooseFftBox(const OpenmpVolumeFacts& facts);

struct OpenmpVolumeChoice {
    OpenmpVolumeForm form = OpenmpVolumeForm::direct;
    std::string reason;
};
/// Returns the form of the lowest cost; constants are in tuning.hpp.
OpenmpVolumeChoice chooseOpenmpVolume(const OpenmpVolumeFacts& facts);

/// Facts of a problem, but for whether `separable` and `fft` support it. They are those of all threads of the machine, whatever number is
/// used, so that the same volume gives the same bits with any number.
OpenmpVolumeFacts openmpVolumeFacts(const Problem& problem, const VolumePlan& plan);
/// Whether `openmp.fft` supports a problem.
Support volumeFftSupports(const Problem& problem, const VolumePlan& plan);
/// Returns rank 1 with the reason for the form that the rule chooses, rank 0 for the others.
Preference openmpVolumePreference(OpenmpVolumeForm form, const Problem& problem);

}  // namespace parallax
