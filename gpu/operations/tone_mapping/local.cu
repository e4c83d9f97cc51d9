// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/local_columns.cuh"
#include "gpu/operations/tone_mapping/local_rows.cuh"

namespace parallax::gpu {

void launchToneRows(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                    const ToneMemory& memory, cudaStream_t stream) {
    tonemap::launchRowsWith<>(planes, setup, band, argument, memory, stream);
}

void launchToneColumns(const TonePlanes& planes, const ToneSetup& setup, const ToneBand& band, const ToneWeights& argument,
                       const ToneMemory& memory, cudaStream_t stream) {
    tonemap::launchColumnsWith<>(planes, setup, band, argument, memory, stream);
}

void preloadToneBand(const ToneSetup& setup) {
    using namespace tonemap;
    forChannels(setup.channels, [&](auto c) {
        constexpr int C = c();
        preload(&filterRows<RowKnobs, C, ArgumentWeights>);
        preload(&filterRows<ManyRowKnobs, C, MemoryWeights>);
        preload(setup.showScale ? reinterpret_cast<const void*>(&climbScales<ColumnKnobs, C, true, true>)
                                : reinterpret_cast<const void*>(&climbScales<ColumnKnobs, C, false, true>));
        preload(setup.showScale ? reinterpret_cast<const void*>(&climbScales<ManyColumnKnobs, C, true, false>)
                                : reinterpret_cast<const void*>(&climbScales<ManyColumnKnobs, C, false, false>));
    });
}

}  // namespace parallax::gpu
