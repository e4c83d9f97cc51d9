// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are part of the program: the header of kernels, and kernels to begin with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/kernels/kernel_file.hpp"

namespace parallax::user {

/// parallax_kernel.h.
extern const std::string_view kKernelHeader;

struct KernelSample {
    std::string name;    ///< "naive"
    std::string ending;  ///< of its file: ".cpp", ".cu"
    std::string text;
};

/// ".cpp" or ".cu".
inline const char* endingOf(KernelLanguage language) { return language == KernelLanguage::cuda ? ".cu" : ".cpp"; }
/// The kernels in the folders of operations (core/operations/*/kernels).
const std::vector<KernelSample>& kernelSamples();
std::vector<KernelSample> kernelSamplesOf(const Operation& operation, KernelLanguage language);

/// A commented kernel to begin with: the sample of that name; with an empty name the naive one or, if the operation has no samples, one
/// that copies its input. Throws Error(usage) that lists the samples.
std::string newKernel(const Operation& operation, const std::string& sample, KernelLanguage language = KernelLanguage::cpp);

}  // namespace parallax::user
