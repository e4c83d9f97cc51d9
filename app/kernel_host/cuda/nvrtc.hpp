// SPDX-License-Identifier: GPL-3.0-or-later
// NVRTC, the compiler of CUDA as a library, loaded at run time.
#pragma once

#include <string>
#include <vector>

namespace parallax::user {

struct NvrtcRequest {
    std::string source;  ///< file to compile
    std::string module;  ///< file to write: the code for a device
    std::string info;    ///< file to write: "NVRTC 13.0 for sm_90"
    std::vector<std::string> options;
};

/// parallax-kernel-host --nvrtc: compiles, and prints the messages of the compiler to standard error. Returns the exit code: 0; 1 with
/// errors in the source; 3 without NVRTC, with the reason as a line.
int compileByNvrtc(const NvrtcRequest& request);

}  // namespace parallax::user
