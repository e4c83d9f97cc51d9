// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/gradient/part.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gpu/runtime/memory/pinned_allocator.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kNotUploaded = "Statistics could not be uploaded";

/// Levels that are divided: a quarter and a sixteenth of the image follow, which are cheap enough to be computed by all.
constexpr int kBandedLevels = 2;
/// Rows of the finest level beside those of a part. A level needs two rows beside those that it is made of, a gradient one, the divergence
/// one, and the rows at the ends of a window are wrong, since nothing is known beside them: eight would do.
constexpr std::int64_t kMargin = 16;

int bandedLevels(std::size_t levels) { return std::clamp(static_cast<int>(levels) - 1, 1, kBandedLevels); }

/// The rows of the finest level that a part computes. Windows of coarser levels begin at whole rows.
PartRange windowOf(const PartRange& own, std::int64_t height) {
    if (own.empty()) return {own.first, own.first};
    constexpr std::int64_t step = std::int64_t{1} << kBandedLevels;
    return {std::max<std::int64_t>(own.first - kMargin, 0) / step * step, std::min(own.last + kMargin, height)};
}

/// Rows of a level, given those of the finest one: those with an even number remain, level by level.
PartRange rowsAt(const PartRange& finest, int level) {
    const auto row = [&](std::int64_t y) { return (y + (std::int64_t{1} << level) - 1) >> level; };
    return {row(finest.first), row(finest.last)};
}

std::vector<GradientLevel> levelsOf(const GradientPlan& gradient, const PartRange& window) {
    const int banded = bandedLevels(gradient.levels.size());
    std::vector<GradientLevel> levels;
    for (Shape shape : gradient.levels) {
        const auto k = static_cast<int>(levels.size());
        if (k < banded) shape.height = rowsAt(window, k).count();
        levels.push_back(gradientLevel(shape));
    }
    return levels;
}

std::int64_t elementsOf(const std::vector<GradientLevel>& levels) {
    std::int64_t sum = 0;
    for (const GradientLevel& level : levels) sum += level.elements();
    return sum;
}

template <class T>
void download(T* to, const T* from, std::size_t count, cudaStream_t stream, const char* what) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream), what);
    check(cudaStreamSynchronize(stream), what);
}
template <class T>
void upload(T* to, const T* from, std::size_t count, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream), kNotUploaded);
}

Partition partsOf(const Problem& problem, const CudaSession& session) { return {problem.shape.height, session.group()->size()}; }

}  // namespace

GradientPart::GradientPart(SolverMethod method, const Problem& problem, const CudaSession& session)
    : ExecutionOfPart(problem, problem.shape.width * partsOf(problem, session)[session.rank()].count(), session),
      rows_(partsOf(problem, session)),
      own_(rows_[session.rank()]),
      window_(windowOf(own_, problem.shape.height)),
      banded_(bandedLevels(gradient().levels.size())),
      levels_(levelsOf(gradient(), window_)),
      solve_(method, solverProblem(gradient()), session),
      pyramid_(session.allocator(), static_cast<std::size_t>(2 * elementsOf(levels_))),
      total_(pinnedAllocator(session.device()), 1) {
    placeGradientLevels(levels_, pyramid_.data());
}

std::uint64_t GradientPart::estimateBytes(SolverMethod method, const Problem& problem, int parts) {
    const GradientPlan gradient = planGradient(planToneMapping(problem), problem.shape);
    const Partition rows(problem.shape.height, parts);
    std::uint64_t most = 0;
    for (int part = 0; part < parts; ++part) {
        const std::vector<GradientLevel> levels = levelsOf(gradient, windowOf(rows[part], problem.shape.height));
        most = std::max(most, GradientCourse::estimateBytes(problem.shape.width * rows[part].count()) +
                                  2 * static_cast<std::uint64_t>(elementsOf(levels)) * sizeof(float));
    }
    return most + estimateGroupBytes(method, solverProblem(gradient), parts);
}

void GradientPart::runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                           RunContext& context) {
    CudaSession& session = cudaSession(context);
    const CurrentDevice current(session.device());
    const cudaStream_t stream = session.stream();
    context.throwIfStopped();
    beginRun();
    const bool any = !own_.empty();
    if (any) copyChannels(plan().copied, input, output, stream, context);
    const TonePlanes planes = any ? planesOf(input, output) : TonePlanes();
    const GradientMemory memory = this->memory(levels_[0]);
    findLuminance(planes, memory, communicator, stream);
    buildPyramid(planes, memory, communicator, stream);
    attenuate(memory, communicator, stream);
    const auto half = [&](const PartRange& range) { return range.count() * setup().channels / 2; };
    const std::int64_t rows = own_.count() * setup().channels, before = rows / 4;
    if (context.progress) context.progress->add(before);
    const Band band{levels_[0], static_cast<int>(own_.first - window_.first), planes, memory.plane};
    solve_.run(part, band, communicator, session, [&](GroupSolver& solver, const std::vector<Band>& bands) {
        // The progress of all parts of this process.
        std::int64_t solved = half(own_);
        if (solve_.rowsHere(part) != own_.count()) {
            solved = 0;
            for (int r = 0; r < rows_.parts(); ++r) solved += half(rows_[r]);
        }
        solvers::SolveProgress progress(context, solved);
        solver.begin();
        solver.compute([&](int member, const BandSystem& system) {
            const Band& of = bands[static_cast<std::size_t>(member)];
            if (system.grid.height > 0) launchGradientDivergence(of.finest, of.first, system.grid, system.rightSide, system.stream);
        });
        solver.solve(false, context, progress);
        solver.compute([&](int member, const BandSystem& system) {
            const Band& of = bands[static_cast<std::size_t>(member)];
            GradientMemory its;
            its.plane = of.plane;
            if (system.grid.height > 0) launchGradientPlane(of.planes, setup(), its, system.grid, system.solution, system.stream);
        });
    });
    findRange(
        memory, stream,
        [&] {
            HistogramLimits limits{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
            if (any) download(&limits, &memory.state->all, 1, stream, kNotDownloaded);
            double low[] = {static_cast<double>(limits.low)}, high[] = {static_cast<double>(limits.high)};
            communicator.allReduce(low, Reduce::minimum);
            communicator.allReduce(high, Reduce::maximum);
            limits = {static_cast<float>(low[0]), static_cast<float>(high[0])};
            upload(&memory.state->all, &limits, 1, stream);
        },
        [&] {
            std::vector<std::uint64_t> counts(kCounts);
            download(counts.data(), memory.counts, counts.size(), stream, kNotDownloaded);
            std::vector<std::int64_t> shared(counts.begin(), counts.end());
            communicator.allReduce(shared);
            counts.assign(shared.begin(), shared.end());
            upload(memory.counts, counts.data(), counts.size(), stream);
        });
    context.throwIfStopped();
    if (any) launchGradientMapping(planes, setup(), numbers(), memory, stream);
    shareBrighter(memory, communicator, stream);
    if (context.progress) context.progress->add(rows - before - half(own_));
}

void GradientPart::findLuminance(const TonePlanes& planes, const GradientMemory& memory, Communicator& communicator, cudaStream_t stream) {
    ToneMemory tone = memory.tone;
    tone.total = total_.data();
    if (!own_.empty()) launchTonePass(TonePass::luminance, planes, setup(), tone, multiprocessors(), false, stream);
    check(cudaStreamSynchronize(stream), "The statistics of tone mapping failed");
    const TonePart own = own_.empty() ? TonePart() : *total_.data();
    TonePart all;
    for (const TonePart& found : gatherBlocks<TonePart>(communicator, {&own, 1})) all.merge(found);
    ToneState state{};
    concludePass(TonePass::luminance, setup(), all, state);
    upload(tone.state, &state, 1, stream);
}

template <class Wanted, class Own>
void GradientPart::exchange(const GradientLevel& level, std::int64_t at, Wanted&& wanted, Own&& own, Communicator& communicator) const {
    const int rank = communicator.rank();
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    // With the gaps between rows, so that they are one copy.
    const auto rows = [&](std::int64_t first, std::int64_t last) {
        return denseView(level.logarithms + level.at(0, static_cast<int>(first - at)), Shape{level.pitch, last - first, 1, 1});
    };
    for (int to = 0; to < rows_.parts(); ++to)
        for (int from = 0; from < rows_.parts(); ++from) {
            const PartRange needed = wanted(rows_[to]), has = own(rows_[from]);
            const std::int64_t first = std::max(needed.first, has.first), last = std::min(needed.last, has.last);
            if (from == to || first >= last) continue;
            if (from == rank) sends.push_back({to, rows(first, last)});
            if (to == rank) receives.push_back({from, rows(first, last)});
        }
    communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

void GradientPart::buildPyramid(const TonePlanes& planes, const GradientMemory& memory, Communicator& communicator, cudaStream_t stream) {
    const std::int64_t height = gradient().levels.front().height;
    if (!own_.empty()) {
        GradientLevel own = levels_[0].from(static_cast<int>(own_.first - window_.first));
        own.height = static_cast<int>(own_.count());
        launchGradientLogarithms(planes, setup(), memory, own, stream);
    }
    exchange(
        levels_[0], window_.first, [&](const PartRange& range) { return windowOf(range, height); },
        [](const PartRange& range) { return range; }, communicator);
    const auto count = static_cast<int>(levels_.size());
    for (int k = 0; k + 1 < count; ++k) {
        const GradientLevel& fine = levels_[static_cast<std::size_t>(k)];
        GradientLevel coarse = levels_[static_cast<std::size_t>(k) + 1];
        if (k + 1 == banded_) {
            // All devices have this level as a whole. Each computes its rows, and some of others, which those replace.
            const PartRange rows = rowsAt(window_, banded_);
            coarse = coarse.from(static_cast<int>(rows.first));
            coarse.height = static_cast<int>(rows.count());
        }
        if (coarse.height > 0 && fine.height > 0) launchGradientReduction(fine, coarse, stream);
        if (k + 1 != banded_) continue;
        exchange(
            levels_[static_cast<std::size_t>(banded_)], 0,
            [&](const PartRange&) {
                return PartRange{0, gradient().levels[static_cast<std::size_t>(banded_)].height};
            },
            [&](const PartRange& range) { return rowsAt(range, banded_); }, communicator);
    }
}

void GradientPart::attenuate(const GradientMemory& memory, Communicator& communicator, cudaStream_t stream) {
    const auto count = static_cast<int>(levels_.size());
    std::vector<double> means(static_cast<std::size_t>(banded_), 0);
    for (int k = 0; k < banded_; ++k) {
        const GradientLevel& level = levels_[static_cast<std::size_t>(k)];
        if (level.height == 0) continue;
        const PartRange own = rowsAt(own_, k);
        const std::int64_t first = rowsAt(window_, k).first;
        const auto pixels = static_cast<double>(gradient().levels[static_cast<std::size_t>(k)].pixels());
        launchGradientMagnitudes(level, k, {static_cast<int>(own.first - first), static_cast<int>(own.last - first), pixels}, memory,
                                 stream);
    }
    if (!own_.empty()) download(means.data(), memory.state->means, means.size(), stream, kNotDownloaded);
    communicator.allReduce(means, Reduce::sum);
    upload(memory.state->means, means.data(), means.size(), stream);
    for (int k = count; k-- > 0;) {
        const GradientLevel& level = levels_[static_cast<std::size_t>(k)];
        if (level.height == 0) continue;
        if (k >= banded_) launchGradientMagnitudes(level, k, wholeGradientLevel(level), memory, stream);
        if (k + 1 == count) {
            launchGradientAttenuation(level, k, nullptr, numbers(), memory, stream);
            continue;
        }
        GradientLevel coarse = levels_[static_cast<std::size_t>(k) + 1];
        if (k + 1 == banded_) coarse = coarse.from(static_cast<int>(rowsAt(window_, banded_).first));
        launchGradientAttenuation(level, k, &coarse, numbers(), memory, stream);
    }
}

/// Counts pixels brighter than white in all parts.
void GradientPart::shareBrighter(const GradientMemory& memory, Communicator& communicator, cudaStream_t stream) {
    ToneState state;
    download(&state, memory.tone.state, 1, stream, kNotDownloaded);
    std::int64_t all[] = {static_cast<std::int64_t>(state.brighter)};
    communicator.allReduce(all);
    setBrighter(static_cast<unsigned long long>(all[0]));
}

}  // namespace parallax::gpu
