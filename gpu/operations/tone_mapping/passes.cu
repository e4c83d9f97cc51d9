// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/passes.cuh"

namespace parallax::gpu {

void launchTonePass(TonePass pass, const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors,
                    bool backwards, cudaStream_t stream) {
    tonemap::launchPassWith<>(pass, planes, setup, memory, multiprocessors, backwards, stream);
}

void launchToneMapping(const TonePlanes& planes, const ToneSetup& setup, const ToneMemory& memory, int multiprocessors, bool backwards,
                       cudaStream_t stream) {
    tonemap::launchMappingWith<>(planes, setup, memory, multiprocessors, backwards, stream);
}

void preloadTonePasses(const ToneSetup& setup) {
    using namespace tonemap;
    for (const TonePass pass : passesOf(setup.op))
        withStatistics(pass, setup.channels, [&]<class Mine, int C>() { preload(&gatherStatistics<StatisticsKnobs, Mine, C>); });
    withMap(setup.op, setup.channels, [&]<class Map, int C>() { preload(&mapPixels<MapKnobs, Map, C>); });
}

}  // namespace parallax::gpu
