// SPDX-License-Identifier: GPL-3.0-or-later
// Trials of the knobs of the tuned wavelet kernels (gpu/operations/wavelet/tuning.hpp): db4, float32, one level, forward and inverse, with
// the part of the depth that a block takes; the floor beside them, a copy of as many bytes on the device. And all variants, one and three
// levels, without the engine. Milliseconds, medians of interleaved samples.
// Usage: bench_gpu_wavelet [SAMPLES]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "parallax/gpu/operations/wavelet/fused_forward.cuh"
#include "parallax/gpu/operations/wavelet/fused_inverse.cuh"
#include "parallax/gpu/operations/wavelet/transform.hpp"
#include "parallax/gpu/runtime/device.hpp"

namespace {

using namespace parallax;
using namespace parallax::gpu;

constexpr int kTaps = 8;

struct Candidate {
    std::string name;
    std::function<void()> launch;
    std::vector<double> ms;
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

void measure(std::vector<Candidate>& candidates, int samples, cudaStream_t stream) {
    Event begin(Event::Kind::timing), end(Event::Kind::timing);
    for (Candidate& c : candidates) c.launch();
    check(cudaStreamSynchronize(stream), "A kernel failed");
    for (int i = 0; i < samples; ++i)
        for (Candidate& c : candidates) {
            begin.record(stream);
            c.launch();
            end.record(stream);
            end.wait();
            float ms = 0;
            check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "No time was taken");
            c.ms.push_back(static_cast<double>(ms));
        }
}

WaveletPlan planOf(const Shape& shape, int levels) {
    WaveletParameters parameters;
    parameters.wavelet = WaveletId::db4;
    parameters.levels = levels;
    return planWavelet(parameters, shape);
}

struct Volume {
    WaveletPlan plan;
    DeviceBuffer<float> image, mosaic;
    Volume(const CudaSession& session, const Shape& shape, int levels)
        : plan(planOf(shape, levels)),
          image(session.allocator(), static_cast<std::size_t>(plan.image.samples())),
          mosaic(session.allocator(), static_cast<std::size_t>(plan.mosaic.samples())) {
        check(cudaMemsetAsync(image.data(), 0x3e, image.size() * sizeof(float), session.stream()), "clear");
        check(cudaMemsetAsync(mosaic.data(), 0x3e, mosaic.size() * sizeof(float), session.stream()), "clear");
    }
    double bytes() const { return 4.0 * static_cast<double>(plan.image.samples() + plan.mosaic.samples()); }
};

template <int Threads, int Rows, int Blocks>
void addTrials(std::vector<Candidate>& all, Volume& v, const CudaSession& session, bool forward, const std::vector<int>& chunks) {
    constexpr FusedTuning tuning{Threads, Rows, Blocks, true};
    using Forward = FusedForward<kTaps, true, tuning>;
    using Inverse = FusedInverse<kTaps, true, tuning>;
    static const std::vector<float> filters[4] = {roundedTaps(v.plan.bank.decLo), roundedTaps(v.plan.bank.decHi),
                                                  roundedTaps(v.plan.bank.recLo), roundedTaps(v.plan.bank.recHi)};
    FusedLevel l;
    for (std::size_t a = 0; a < 3; ++a) {
        l.samples[a] = static_cast<int>(v.plan.axes[a].count[0]);
        l.count[a] = static_cast<int>(v.plan.axes[a].count[1]);
        l.detail[a] = static_cast<int>(v.plan.axes[a].offset[1]);
    }
    l.alongZ = true;
    l.rule = v.plan.rule();
    l.taps = kTaps;
    l.multiprocessors = deviceLimits(session.device()).multiprocessors;
    const Shape &image = v.plan.image, &mosaic = v.plan.mosaic;
    const std::int64_t imageSlice = image.width * image.height, mosaicSlice = mosaic.width * mosaic.height;
    if (forward) {
        l.in = {v.image.data(), image.width, imageSlice};
        l.out = l.outLow = {v.mosaic.data(), mosaic.width, mosaicSlice};
        Forward::prepare();
    } else {
        l.in = l.inLow = {v.mosaic.data(), mosaic.width, mosaicSlice};
        l.out = {v.image.data(), image.width, imageSlice};
        Inverse::prepare();
    }
    l.lo = filters[forward ? 0 : 2].data();
    l.hi = filters[forward ? 1 : 3].data();
    for (const int c : chunks) {
        l.chunks = c;
        const cudaStream_t stream = session.stream();
        char name[64];
        std::snprintf(name, sizeof name, "%d threads, %d rows, %d blocks, %2d parts", Threads, Rows, Blocks, c);
        all.push_back({name,
                       [l, stream, forward] {
                           if (forward) Forward::launch(l, stream);
                           else Inverse::launch(l, stream);
                       },
                       {}});
    }
}

void print(const char* what, const std::vector<Candidate>& all, double floor) {
    std::printf("%s (floor %.4f ms)\n", what, floor);
    for (const Candidate& c : all) {
        const double ms = median(c.ms);
        std::printf("  %-44s %8.4f ms %6.2f x floor\n", c.name.c_str(), ms, ms / floor);
    }
}

double copyFloor(Volume& v, int samples, cudaStream_t stream) {
    std::vector<Candidate> copy;
    copy.push_back(
        {"copy",
         [&] {
             check(cudaMemcpyAsync(v.mosaic.data(), v.image.data(), v.image.size() * sizeof(float), cudaMemcpyDeviceToDevice, stream),
                   "copy");
         },
         {}});
    measure(copy, samples, stream);
    return median(copy[0].ms) * v.bytes() / (8.0 * static_cast<double>(v.image.size()));
}

int bench(int samples) {
    if (!cudaAvailability().yes) {
        std::printf("%s\n", cudaAvailability().reason.c_str());
        return 77;
    }
    const CudaSession session(0);
    const CurrentDevice current(0);
    const cudaStream_t stream = session.stream();
    for (const Shape& shape : {Shape{512, 512, 78, 1}, Shape{512, 512, 512, 1}}) {
        Volume v(session, shape, 1);
        const double floor = copyFloor(v, samples, stream);
        const std::string size = std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " + std::to_string(shape.depth);
        const std::vector<int> chunks = shape.depth < 100 ? std::vector<int>{0, 1, 2, 3, 4, 6} : std::vector<int>{0, 3, 6, 10};
        for (const bool forward : {true, false}) {
            std::vector<Candidate> all;
            addTrials<256, 4, 2>(all, v, session, forward, chunks);
            addTrials<256, 3, 2>(all, v, session, forward, chunks);
            addTrials<512, 3, 1>(all, v, session, forward, chunks);
            addTrials<512, 2, 1>(all, v, session, forward, chunks);
            addTrials<384, 4, 1>(all, v, session, forward, chunks);
            addTrials<192, 4, 2>(all, v, session, forward, chunks);
            addTrials<384, 2, 2>(all, v, session, forward, chunks);
            addTrials<320, 4, 1>(all, v, session, forward, chunks);
            addTrials<384, 3, 1>(all, v, session, forward, chunks);
            measure(all, samples, stream);
            print((size + (forward ? ", forward" : ", inverse")).c_str(), all, floor);
        }
        for (const int levels : {1, 3}) {
            Volume w(session, shape, levels);
            std::vector<std::unique_ptr<DeviceTransform>> transforms;
            std::vector<Candidate> all;
            RunContext context;
            ProgressShare progress(nullptr, 1, 1);
            for (const auto variant : {WaveletVariant::fused, WaveletVariant::constant, WaveletVariant::shared, WaveletVariant::global}) {
                transforms.push_back(std::make_unique<DeviceTransform>(w.plan, variant, session, true, true));
                DeviceTransform* const t = transforms.back().get();
                all.push_back({std::string(info(variant).name) + ", forward",
                               [&, t] {
                                   t->forward(denseView<const float>(w.image.data(), w.plan.image),
                                              denseView(w.mosaic.data(), w.plan.mosaic), context, progress);
                               },
                               {}});
                all.push_back({std::string(info(variant).name) + ", inverse",
                               [&, t] {
                                   t->inverse(denseView<const float>(w.mosaic.data(), w.plan.mosaic),
                                              denseView(w.image.data(), w.plan.image), context, progress);
                               },
                               {}});
            }
            measure(all, samples, stream);
            print((size + ", levels " + std::to_string(levels)).c_str(), all, floor);
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return bench(argc > 1 ? std::max(1, std::atoi(argv[1])) : 9);
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_gpu_wavelet: %s (%s)\n", e.what(), e.why().c_str());
        return 1;
    }
}
