// SPDX-License-Identifier: GPL-3.0-or-later
// A named range for profilers; costs a few nanoseconds without one.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace parallax::gpu {

class NvtxRange {
public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    ~NvtxRange() { nvtxRangePop(); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace parallax::gpu
