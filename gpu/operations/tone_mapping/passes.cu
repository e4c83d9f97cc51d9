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
    const auto load = [](auto* kernel) { preload(reinterpret_cast<const void*>(kernel)); };
    forChannels(setup.channels, [&](auto c) {
        constexpr int C = c();
        switch (setup.op) {
            case ToneOperator::local: load(&gatherStatistics<StatisticsKnobs, RunningLuminance<C>, C>); break;
            case ToneOperator::global:
                load(&gatherStatistics<StatisticsKnobs, RunningLuminance<C>, C>);
                load(&mapPixels<MapKnobs, MapGlobal, C>);
                break;
            case ToneOperator::photoreceptor:
                load(&gatherStatistics<StatisticsKnobs, RunningSamples<C>, C>);
                load(&gatherStatistics<StatisticsKnobs, RunningScaled<C>, C>);
                load(&gatherStatistics<StatisticsKnobs, RunningMapped<C>, C>);
                load(&mapPixels<MapKnobs, MapPhotoreceptor, C>);
                break;
            case ToneOperator::histogram:
                load(&gatherStatistics<StatisticsKnobs, RunningLuminance<C>, C>);
                load(&mapPixels<MapKnobs, MapHistogram, C>);
                break;
        }
    });
}

}  // namespace parallax::gpu
