// SPDX-License-Identifier: GPL-3.0-or-later
// Tries tuning parameters of the tuned wavelet kernels (gpu/operations/wavelet/kernels/tuning.hpp): db4, float32, one level, both
// directions, several numbers of parts along z, beside the floor, a copy of as many bytes on the device. Then times all variants with one
// and three levels, without the engine. Milliseconds, medians of interleaved samples. With "coarse": forward kernels that filter along z
// first, at levels 2 and 3 alone, and in the chain of levels, where the input of a level has just been written. Usage: bench_gpu_wavelet
// [SAMPLES [tuned | coarse]]
#include <functional>

#include "gpu/benchmarks/bench.hpp"
#include "gpu/operations/wavelet/kernels/fused_forward.cuh"
#include "gpu/operations/wavelet/kernels/fused_inverse.cuh"
#include "gpu/operations/wavelet/kernels/z_first_forward.cuh"
#include "gpu/operations/wavelet/kernels/z_first_inverse.cuh"
#include "gpu/operations/wavelet/transform.hpp"

namespace {

using namespace parallax;
using namespace parallax::gpu;

constexpr int kTaps = 8;

struct Candidate {
    std::string name;
    std::function<void()> launch;
    std::vector<double> ms{}, queued{};
    double error = -1;  ///< largest difference from the passes; negative: not checked
};

__global__ void fillNoise(float* to, std::size_t n) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
        unsigned v = static_cast<unsigned>(i) * 2654435761U + 12345U;
        v = (v ^ (v >> 16)) * 0x85EBCA6BU;
        v = (v ^ (v >> 13)) * 0xC2B2AE35U;
        to[i] = static_cast<float>((v ^ (v >> 16)) >> 8) * 0x1p-24F - 0.5F;
    }
}

__global__ void largestDifference(const float* a, const float* b, std::size_t n, unsigned* largest) {
    float most = 0;
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
        const float d = fabsf(a[i] - b[i]);
        if (!(d <= most)) most = d == d ? d : INFINITY;
    }
    atomicMax(largest, __float_as_uint(most));
}

__global__ void keepBusy(long long cycles) {
    for (const long long begin = clock64(); clock64() - begin < cycles;) {}
}

/// Times each candidate on an idle device, which includes the host's launch, and on a busy one, which does not.
void measure(std::vector<Candidate>& candidates, int samples, cudaStream_t stream) {
    Event begin(Event::Kind::timing), end(Event::Kind::timing);
    for (Candidate& c : candidates) c.launch();
    check(cudaStreamSynchronize(stream), "A kernel failed");
    for (int i = 0; i < samples; ++i)
        for (Candidate& c : candidates)
            for (const bool queued : {false, true}) {
                if (queued) keepBusy<<<1, 1, 0, stream>>>(60000);
                begin.record(stream);
                c.launch();
                end.record(stream);
                end.wait();
                float ms = 0;
                check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "No time was measured");
                (queued ? c.queued : c.ms).push_back(static_cast<double>(ms));
            }
}

std::string textOf(const Shape& s) { return std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.depth); }

WaveletPlan planOf(const Shape& shape, int levels) {
    WaveletParameters parameters;
    parameters.wavelet = WaveletId::db4;
    parameters.levels = levels;
    return planWavelet(parameters, shape);
}

struct Volume {
    WaveletPlan plan;
    std::int64_t pitch;  ///< of rows of the image
    DeviceBuffer<float> image, mosaic;
    Volume(const CudaSession& session, const Shape& shape, int levels)
        : plan(planOf(shape, levels)),
          pitch((shape.width + 3) / 4 * 4),
          image(session.allocator(), static_cast<std::size_t>(pitch * shape.height * shape.depth)),
          mosaic(session.allocator(), static_cast<std::size_t>(plan.mosaic.samples())) {
        fillNoise<<<1024, 256, 0, session.stream()>>>(image.data(), image.size());
        fillNoise<<<1024, 256, 0, session.stream()>>>(mosaic.data(), mosaic.size());
    }
    double bytes() const { return 4.0 * static_cast<double>(plan.image.samples() + plan.mosaic.samples()); }
    template <class T>
    View<T> imageView() const {
        View<T> view = denseView<T>(const_cast<float*>(image.data()), plan.image);
        view.rowStride = pitch;
        view.sliceStride = pitch * plan.image.height;
        return view;
    }
};

/// A level between image and mosaic.
FusedLevel levelOf(Volume& v, const CudaSession& session, bool forward, std::size_t number = 1) {
    static const std::vector<float> filters[] = {roundedTaps(v.plan.bank.decLo), roundedTaps(v.plan.bank.decHi),
                                                 roundedTaps(v.plan.bank.recLo), roundedTaps(v.plan.bank.recHi)};
    FusedLevel l;
    for (std::size_t a = 0; a < 3; ++a) {
        l.samples[a] = static_cast<int>(v.plan.axes[a].count[number - 1]);
        l.count[a] = static_cast<int>(v.plan.axes[a].count[number]);
        l.detail[a] = static_cast<int>(v.plan.axes[a].offset[number]);
    }
    l.alongZ = true;
    l.rule = v.plan.mode;
    l.taps = kTaps;
    l.multiprocessors = deviceLimits(session.device()).multiprocessors;
    const Strided<float> image{v.image.data(), v.pitch, v.pitch * v.plan.image.height};
    const Strided<float> mosaic{v.mosaic.data(), v.plan.mosaic.width, v.plan.mosaic.width * v.plan.mosaic.height};
    l.out = l.outLow = forward ? mosaic : image;
    l.in = l.inLow = readOnly(forward ? image : mosaic);
    l.lo = filters[forward ? 0 : 2].data();
    l.hi = filters[forward ? 1 : 3].data();
    return l;
}

template <bool IsForward, FusedTuning Tuning>
void addTrials(std::vector<Candidate>& all, Volume& v, const CudaSession& session, const std::vector<int>& chunks) {
    using Kernel = std::conditional_t<IsForward, FusedForward<kTaps, true, Tuning>, FusedInverse<kTaps, true, Tuning>>;
    FusedLevel l = levelOf(v, session, IsForward);
    (void)Kernel::prepare();
    for (const int c : chunks) {
        l.chunks = c;
        const cudaStream_t stream = session.stream();
        char name[96];
        std::snprintf(name, sizeof name, "%2d columns, %d shared, %d threads, %d rows, %d blocks%s, %2d parts", Tuning.columns,
                      Tuning.overhang, Tuning.threads, Tuning.rows, Tuning.blocks,
                      Tuning.overlapped    ? ", overlapped"
                      : Tuning.stages == 3 ? ", 3 stages"
                                           : "",
                      c);
        all.push_back({name, [l, stream] { Kernel::launch(l, stream); }});
    }
}

/// The inverse along z first, with tiles of one size.
template <ZInverseTuning Tuning>
void addZFirst(std::vector<Candidate>& all, Volume& v, const CudaSession& session, const std::vector<int>& chunks) {
    using Kernel = ZInverseTiles<kTaps, Tuning>;
    FusedLevel l = levelOf(v, session, false);
    (void)Kernel::prepare();
    for (const int c : chunks) {
        l.chunks = c;
        double cost = 0;
        const FusedGrid grid = Kernel::grid(l, cost);
        const cudaStream_t stream = session.stream();
        char name[96];
        std::snprintf(name, sizeof name, "z first: %2d x %2d, %d threads, %d rows, %d blocks, %2d parts%s", Tuning.columns, Tuning.tileRows,
                      Tuning.threads, Tuning.rows, Tuning.blocks, grid.chunks, c == 0 ? " by rule" : "");
        all.push_back({name, [l, grid, stream] { Kernel::launch(l, grid, stream); }});
    }
}

/// Finds the largest differences between candidates and the passes.
void compare(std::vector<Candidate>& all, Volume& v, const CudaSession& session, bool forward) {
    const cudaStream_t stream = session.stream();
    DeviceBuffer<float>& result = forward ? v.mosaic : v.image;
    DeviceBuffer<float> input(session.allocator(), forward ? v.image.size() : v.mosaic.size()),
        expected(session.allocator(), result.size());
    DeviceBuffer<unsigned> largest(session.allocator(), 1);
    RunContext context;
    ProgressShare progress(nullptr, 1, 1);
    DeviceTransform passes(v.plan, WaveletVariant::constant, session, true, true);
    const auto poison = [&] { check(cudaMemsetAsync(result.data(), 0, result.size() * sizeof(float), stream), "clear"); };
    poison();
    if (forward) passes.forward(v.imageView<const float>(), denseView(v.mosaic.data(), v.plan.mosaic), context, progress);
    else passes.inverse(denseView<const float>(v.mosaic.data(), v.plan.mosaic), v.imageView<float>(), context, progress);
    check(cudaMemcpyAsync(expected.data(), result.data(), result.size() * sizeof(float), cudaMemcpyDeviceToDevice, stream), "copy");
    for (Candidate& c : all) {
        poison();
        check(cudaMemsetAsync(largest.data(), 0, sizeof(unsigned), stream), "clear");
        c.launch();
        largestDifference<<<1024, 256, 0, stream>>>(result.data(), expected.data(), result.size(), largest.data());
        float error = 0;
        check(cudaMemcpyAsync(&error, largest.data(), sizeof error, cudaMemcpyDeviceToHost, stream), "download");
        check(cudaStreamSynchronize(stream), "A kernel failed");
        c.error = static_cast<double>(error);
    }
}

void print(const char* what, const std::vector<Candidate>& all, double floor) {
    std::printf("%s (floor %.4f ms)\n", what, floor);
    for (const Candidate& c : all) {
        const double ms = median(c.ms);
        std::printf("  %-64s %8.4f ms %6.2f x floor, queued %8.4f ms", c.name.c_str(), ms, ms / floor, median(c.queued));
        if (c.error >= 0) std::printf(", off by %.2g%s", c.error, c.error < 1e-5 ? "" : " WRONG");
        std::printf("\n");
    }
}

double copyFloor(Volume& v, int samples, cudaStream_t stream) {
    std::vector<Candidate> copy;
    copy.push_back(
        {"copy", [&] {
             check(cudaMemcpyAsync(v.mosaic.data(), v.image.data(), v.image.size() * sizeof(float), cudaMemcpyDeviceToDevice, stream),
                   "copy");
         }});
    measure(copy, samples, stream);
    return median(copy[0].ms) * v.bytes() / (8.0 * static_cast<double>(v.image.size()));
}

constexpr ZInverseTuning zTrial(int columns, int tileRows, int rows, int threads, int blocks) {
    return {.threads = threads, .columns = columns, .tileRows = tileRows, .rows = rows, .blocks = blocks, .trial = true};
}

template <bool IsForward, FusedTuning... Tunings>
void tryAll(Volume& v, const CudaSession& session, const std::vector<int>& chunks, const char* what, double floor, int samples) {
    std::vector<Candidate> all;
    (addTrials<IsForward, Tunings>(all, v, session, chunks), ...);
    if constexpr (!IsForward) {
        std::vector<int> parts = chunks;
        for (const int more : {7, 12}) parts.push_back(more);
        addZFirst<zTrial(28, 5, 5, 256, 3)>(all, v, session, parts);
        addZFirst<zTrial(28, 10, 5, 416, 2)>(all, v, session, parts);
        addZFirst<zTrial(44, 6, 3, 448, 2)>(all, v, session, parts);
        addZFirst<zTrial(24, 6, 3, 256, 3)>(all, v, session, parts);
        addZFirst<zTrial(36, 12, 4, 608, 1)>(all, v, session, parts);
    }
    compare(all, v, session, IsForward);
    all.push_back({"a kernel that does nothing", [&] { fillNoise<<<1, 32, 0, session.stream()>>>(v.image.data(), 0); }});
    measure(all, samples, session.stream());
    print(what, all, floor);
}

constexpr FusedTuning trial(int columns, int threads, int rows, int blocks, bool overlapped, int stages = 2, int overhang = 0) {
    return {.threads = threads,
            .rows = rows,
            .blocks = blocks,
            .columns = columns,
            .overhang = overhang,
            .overlapped = overlapped,
            .stages = stages,
            .trial = true};
}

/// The levels of a transform forward one by one, each by a kernel of choice.
class Levels {
public:
    Levels(const CudaSession& session, const Shape& shape, int levels) : session_(session), v_(session, shape, levels) {
        for (std::size_t i = 0; i < 2; ++i) {
            approximations_[i] = DeviceBuffer<float>(
                session.allocator(), static_cast<std::size_t>(pitch(1) * v_.plan.levelShape(1).height * v_.plan.levelShape(1).depth));
            check(cudaMemsetAsync(approximations_[i].data(), 0, approximations_[i].size() * sizeof(float), session.stream()), "clear");
        }
        std::vector<BandBox> boxes;
        for (const WaveletGap& gap : v_.plan.gaps()) {
            if (gap.axis == 0) continue;
            BandBox box{};
            for (std::size_t a = 0; a < 3; ++a) box.first[a] = gap.first[a], box.extent[a] = gap.end[a] - gap.first[a];
            boxes.push_back(box);
        }
        boxes_ = static_cast<int>(boxes.size());
        if (boxes_ > 0) gaps_ = DeviceBuffer<BandBox>(session.allocator(), std::span<const BandBox>(boxes), session.stream());
    }
    Volume& volume() { return v_; }
    FusedLevel level(int number, FusedKernel kernel) {
        FusedLevel l = levelOf(v_, session_, true, static_cast<std::size_t>(number));
        if (number > 1) l.in = readOnly(approximation(number - 1));
        if (number < v_.plan.levels) l.outLow = approximation(number);
        l.fills = v_.plan.levels > 1;
        l.early = number > 1;
        l.kernel = kernel;
        return l;
    }
    void clear(int blocks = kClearBlocks) {
        if (boxes_ == 0) return;
        launchClear({v_.mosaic.data(), v_.plan.mosaic.width, v_.plan.mosaic.width * v_.plan.mosaic.height}, {gaps_.data(), boxes_, 1},
                    blocks, session_.stream(), true);
    }

private:
    std::int64_t pitch(int level) const { return (v_.plan.levelShape(level).width + 7) / 8 * 8; }
    Strided<float> approximation(int level) {
        return {approximations_[(level - 1) % 2].data(), pitch(level), pitch(level) * v_.plan.levelShape(level).height};
    }
    const CudaSession& session_;
    Volume v_;
    DeviceBuffer<float> approximations_[2];
    DeviceBuffer<BandBox> gaps_;
    int boxes_ = 0;
};

struct NamedKernel {
    std::string name;
    std::function<void(const FusedLevel&)> launch;
};

template <ZForwardTuning Tuning>
NamedKernel zFirstKernel(cudaStream_t stream) {
    using Kernel = ZFirstForward<kTaps, Tuning>;
    (void)Kernel::prepare();
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(Kernel::kKernel)), "attributes");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel::kKernel, Tuning.threads, Kernel::kSharedBytes), "occupancy");
    char name[128];
    std::snprintf(name, sizeof name, "z first, %2d x %2d x %d, %3d threads, by %d%s (%d registers, %d KB, %d blocks, spills %d)",
                  Tuning.columns, Tuning.rows, Tuning.depth, Tuning.threads, Tuning.vector, Tuning.ahead ? ", ahead" : "",
                  attributes.numRegs, Kernel::kSharedBytes / 1024, blocks, static_cast<int>(attributes.localSizeBytes));
    return {name, [stream](const FusedLevel& l) { Kernel::launch(l, stream); }};
}
template <ZForwardTuning... Tunings>
std::vector<NamedKernel> zFirstKernels(cudaStream_t stream) {
    return {zFirstKernel<Tunings>(stream)...};
}
constexpr ZForwardTuning box(int columns, int rows, int depth, int threads, int blocks, int vector, bool ahead = false) {
    return {.threads = threads,
            .columns = columns,
            .rows = rows,
            .depth = depth,
            .blocks = blocks,
            .vector = vector,
            .ahead = ahead,
            .trial = true};
}

/// Forward kernels for coarse levels, one by one and in the chain of levels.
class CoarseBench {
public:
    CoarseBench(const CudaSession& session, const Shape& shape, int samples)
        : session_(session), stream_(session.stream()), shape_(shape), samples_(samples), levels_(session, shape, 3) {
        (void)prepareFusedForward(kTaps, true, 227 * 1024);
        kernels_ = zFirstKernels<box(24, 8, 4, 384, 2, 2), box(24, 8, 4, 288, 2, 4), box(24, 14, 2, 256, 3, 4), box(24, 8, 2, 192, 4, 4),
                                 box(32, 8, 4, 256, 2, 4), box(32, 8, 4, 256, 2, 4, true), box(32, 8, 3, 384, 2, 4),
                                 box(24, 8, 4, 704, 1, 2, true)>(stream_);
        kernels_.insert(kernels_.begin(), {"before: medium", [stream = stream_](const FusedLevel& l) { launchFusedForward(l, stream); }});
    }
    void run() {
        const std::vector<Choice> second = bestOf(2);
        std::vector<Choice> third = bestOf(3);
        std::stable_sort(third.begin() + 1, third.end(), [](const Choice& a, const Choice& b) { return a.ms < b.ms; });
        third.resize(3);
        chains(second, third);
    }

private:
    /// A kernel with a number of parts.
    struct Choice {
        std::string name;
        std::size_t kernel;
        int parts;
        double ms;
    };

    void launch(int number, std::size_t kernel, int parts, bool early) {
        FusedLevel l = levels_.level(number, FusedKernel::medium);
        l.chunks = parts;
        l.early = early;
        kernels_[kernel].launch(l);
    }
    void launchFirst() { launchFusedForward(levels_.level(1, FusedKernel::wide), stream_); }
    std::vector<Choice> choicesOf(int number) {
        std::vector<Choice> choices;
        const int depth = static_cast<int>(levels_.volume().plan.axes[2].count[static_cast<std::size_t>(number)]);
        for (std::size_t k = 0; k < kernels_.size(); ++k) {
            std::vector<int> tried;
            for (const int chunk : {0, 1, 2, 3, 4, 5, 6, 8, 12, 24, 36, 45, 72}) {
                if (chunk > 8 && depth < 60) continue;
                if (chunk > 0 && chunk < 4 && depth > 60) continue;
                const int parts = chunk == 0 ? 0 : (depth + chunk - 1) / chunk;
                if (std::find(tried.begin(), tried.end(), parts) != tried.end()) continue;
                tried.push_back(parts);
                if (k > 0 || chunk == 0) choices.push_back({kernels_[k].name + ", parts " + std::to_string(parts), k, parts, 0});
            }
        }
        return choices;
    }
    /// Times all choices of a level, checks them in the chain of levels, and returns the fastest one of each kernel.
    std::vector<Choice> bestOf(int number) {
        std::vector<Choice> choices = choicesOf(number);
        std::vector<Candidate> all, inChain;
        for (const Choice& c : choices) {
            all.push_back({c.name, [this, number, k = c.kernel, parts = c.parts] { launch(number, k, parts, false); }});
            inChain.push_back({c.name, [this, number, k = c.kernel, parts = c.parts] {
                                   launchFirst();
                                   if (number == 3) launch(2, 0, 0, true);
                                   launch(number, k, parts, true);
                                   if (number == 2) launch(3, 0, 0, true);
                                   levels_.clear();
                               }});
        }
        all.push_back({"a kernel that does nothing", [this] { fillNoise<<<1, 32, 0, stream_>>>(levels_.volume().image.data(), 0); }});
        compare(inChain, levels_.volume(), session_, true);
        for (std::size_t i = 0; i < inChain.size(); ++i) all[i].error = inChain[i].error;
        launchFirst();
        launch(2, 0, 0, false);
        measure(all, samples_, stream_);
        print((textOf(shape_) + ", level " + std::to_string(number)).c_str(), all, 1);
        std::vector<Choice> best;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            choices[i].ms = median(all[i].queued);
            if (best.empty() || best.back().kernel != choices[i].kernel) best.push_back(choices[i]);
            else if (choices[i].ms < best.back().ms) best.back() = choices[i];
        }
        return best;
    }
    void chains(const std::vector<Choice>& second, const std::vector<Choice>& third) {
        Levels alone(session_, shape_, 1);
        const int beside = deviceLimits(session_.device()).multiprocessors;
        const auto levelTwo = [this](const Choice& c) { launch(2, c.kernel, c.parts, true); };
        const auto levelThree = [this](const Choice& c) { launch(3, c.kernel, c.parts, true); };
        std::vector<Candidate> all;
        all.push_back({"one level", [&] { launchFusedForward(alone.level(1, FusedKernel::wide), stream_); }});
        all.push_back({"level 1 of three", [&] { launchFirst(); }});
        all.push_back({"level 1 of three, clear", [&] { launchFirst(), levels_.clear(beside); }});
        for (const Choice& two : second) {
            all.push_back({"level 2: " + two.name, [&] { launchFirst(), levelTwo(two); }});
            for (const Choice& three : third) {
                all.push_back({"level 2: " + two.name + "; 3: " + three.name + "; no clear",
                               [&] { launchFirst(), levelTwo(two), levelThree(three); }});
                all.push_back({"with clear", [&] { launchFirst(), levels_.clear(beside), levelTwo(two), levelThree(three); }});
                all.push_back({"with clear last", [&] { launchFirst(), levelTwo(two), levelThree(three), levels_.clear(); }});
            }
        }
        measure(all, samples_, stream_);
        print("chains", all, 1);
    }

    const CudaSession& session_;
    cudaStream_t stream_;
    Shape shape_;
    int samples_;
    Levels levels_;
    std::vector<NamedKernel> kernels_;
};

/// Times the variants.
void benchVariants(const CudaSession& session, const Shape& shape, int levels, bool onlyTuned, double floor, int samples) {
    Volume v(session, shape, levels);
    std::vector<std::unique_ptr<DeviceTransform>> transforms;
    std::vector<Candidate> forward, inverse, all;
    RunContext context;
    ProgressShare progress(nullptr, 1, 1);
    for (const auto variant : {WaveletVariant::fused, WaveletVariant::constant, WaveletVariant::shared, WaveletVariant::global}) {
        if (onlyTuned && variant != WaveletVariant::fused) continue;
        transforms.push_back(std::make_unique<DeviceTransform>(v.plan, variant, session, true, true));
        DeviceTransform* const t = transforms.back().get();
        forward.push_back({std::string(info(variant).name) + ", forward", [&, t] {
                               t->forward(v.imageView<const float>(), denseView(v.mosaic.data(), v.plan.mosaic), context, progress);
                           }});
        inverse.push_back({std::string(info(variant).name) + ", inverse", [&, t] {
                               t->inverse(denseView<const float>(v.mosaic.data(), v.plan.mosaic), v.imageView<float>(), context, progress);
                           }});
    }
    compare(forward, v, session, true);
    compare(inverse, v, session, false);
    for (std::size_t i = 0; i < forward.size(); ++i) all.insert(all.end(), {forward[i], inverse[i]});
    measure(all, samples, session.stream());
    print((textOf(shape) + ", levels " + std::to_string(levels)).c_str(), all, floor);
}

void bench(const CudaSession& session, int samples, bool onlyTuned) {
    for (const bool forward : {true, false})
        for (const Shape& shape : {Shape{512, 512, 78, 1}, Shape{512, 512, 512, 1}, Shape{259, 259, 42, 1}, Shape{133, 133, 24, 1}}) {
            Volume v(session, shape, 1);
            const double floor = copyFloor(v, samples, session.stream());
            const std::vector<int> chunks = shape.depth < 30    ? std::vector<int>{0, 3, 5, 8}
                                            : shape.depth < 100 ? std::vector<int>{0, 1, 2, 3, 4, 6}
                                                                : std::vector<int>{0, 1, 2, 4, 6, 8, 16};
            if (!forward) {
                tryAll<false, trial(32, 256, 4, 2, false), trial(32, 512, 2, 2, false), trial(44, 352, 2, 2, false),
                       trial(32, 256, 2, 4, false)>(v, session, chunks, (textOf(shape) + ", inverse").c_str(), floor, samples);
                continue;
            }
            tryAll<true, trial(96, 576, 4, 1, true, 2, 8), trial(88, 544, 4, 1, true), trial(96, 384, 6, 1, true, 2, 8),
                   trial(88, 384, 6, 1, true), trial(48, 384, 2, 2, false), trial(32, 256, 3, 3, false), trial(32, 256, 2, 4, false)>(
                v, session, chunks, (textOf(shape) + ", forward").c_str(), floor, samples);
            for (const int levels : {1, 2, 3})
                if (shape.width >= 512) benchVariants(session, shape, levels, onlyTuned, floor, samples);
        }
}

}  // namespace

int main(int argc, char** argv) {
    return benchmarkMain([&] {
        const CudaSession session(0);
        const CurrentDevice current(0);
        const int samples = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
        if (argc > 2 && std::string(argv[2]) == "coarse")
            for (const Shape& shape : {Shape{512, 512, 78, 1}, Shape{512, 512, 512, 1}}) CoarseBench(session, shape, samples).run();
        else bench(session, samples, argc > 2);
        return 0;
    });
}
