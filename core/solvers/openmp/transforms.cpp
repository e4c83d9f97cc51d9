// SPDX-License-Identifier: GPL-3.0-or-later
// Direct solution: cosine transforms diagonalise A with Neumann borders, sine transforms with Dirichlet borders.
#include "core/image/error.hpp"
#include "core/solvers/openmp/methods.hpp"

#ifdef PARALLAX_HAS_FFTW_DOUBLE
#include <fftw3.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>

#include "core/parallel/all_to_all.hpp"
#include "core/solvers/iterate.hpp"
#include "core/solvers/lap_clock.hpp"
#include "core/solvers/openmp/grid_rows.hpp"
#include "core/solvers/openmp/stages.hpp"
#include "core/solvers/reporting.hpp"
#endif

namespace parallax::solvers {
namespace {

constexpr const char* kTransformSummary =
    "Direct, by cosine or sine transforms of FFTW in double precision: no iterations, but uniform weights only";
const Support kUniformOnly = Support::no("It needs the same weights everywhere, and finite samples");

#ifdef PARALLAX_HAS_FFTW_DOUBLE

/// FFTW's planner is not thread-safe.
std::mutex& plannerMutex() {
    static std::mutex mutex;
    return mutex;
}

/// Transforms lines of one length in place, and back.
class Lines {
public:
    Lines(std::int64_t n, Border border) : n_(n) {
        if (n > std::numeric_limits<int>::max() / 4) throw Error(ErrorCode::memory, "The image is too wide for a transform");
        const std::scoped_lock lock(plannerMutex());
        const auto line = makeArray(n);
        const auto plan = [&](fftw_r2r_kind kind) {
            return fftw_plan_r2r_1d(static_cast<int>(n), line.get(), line.get(), kind, FFTW_ESTIMATE | FFTW_UNALIGNED);
        };
        forward_ = plan(border == Border::neumann ? FFTW_REDFT10 : FFTW_RODFT00);
        inverse_ = border == Border::neumann ? plan(FFTW_REDFT01) : nullptr;
        for (std::int64_t k = 0; k < n; ++k) {
            const auto length = static_cast<double>(n);
            const double half = border == Border::neumann ? std::sin(std::numbers::pi * static_cast<double>(k) / (2 * length))
                                                          : std::sin(std::numbers::pi * static_cast<double>(k + 1) / (2 * (length + 1)));
            eigenvalues_.push_back(4 * half * half);
        }
        scale_ = 1 / (2.0 * static_cast<double>(border == Border::neumann ? n : n + 1));
    }
    ~Lines() {
        const std::scoped_lock lock(plannerMutex());
        fftw_destroy_plan(forward_);
        if (inverse_) fftw_destroy_plan(inverse_);
    }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    void transform(double* line, bool back) const { fftw_execute_r2r(back && inverse_ ? inverse_ : forward_, line, line); }
    /// Eigenvalue of the second difference, for a weight of 1.
    double eigenvalue(std::int64_t k) const { return eigenvalues_[static_cast<std::size_t>(k)]; }
    double scale() const { return scale_; }
    std::int64_t length() const { return n_; }

private:
    std::int64_t n_;
    fftw_plan forward_ = nullptr, inverse_ = nullptr;
    std::vector<double> eigenvalues_;
    double scale_ = 1;
};

/// Samples divided by lines along the last axis instead of by rows or slices. With one part both are the same.
class TransposedPart {
public:
    /// `lines`: of a slice of the last axis, the samples of a row of an image or of a slice of a volume.
    TransposedPart(const GridPart& part, std::int64_t lines)
        : part_(part), all_(lines), shares_(lines, part.communicator() ? part.communicator()->size() : 1) {
        if (!part.communicator()) return;
        own_ = shares_[part.communicator()->rank()];
        units_ = placesOf(*part.communicator(), static_cast<std::size_t>(part.samples() / lines));
        samples_ = makeArray(own_.count() * units_.units());
    }
    /// Lines that this part has in turn.
    PartRange lines() const { return part_.communicator() ? own_ : PartRange{0, all_}; }
    /// Returns the samples of its lines, of which those at one place of the last axis follow each other. `rows`: the own rows.
    double* fetch(double* rows) {
        if (!part_.communicator()) return rows;
        move(rows, true);
        return samples_.get();
    }
    /// The opposite: from the lines to the own rows.
    void giveBack(double* rows) {
        if (part_.communicator()) move(rows, false);
    }

private:
    void move(double* rows, bool toLines) {
        const Communicator& communicator = *part_.communicator();
        std::vector<View<float>> ofRows, ofLines;
        for (int r = 0; r < communicator.size(); ++r) {
            // The own rows of the lines of rank r, and the own lines of its rows, as floats.
            const std::int64_t ownUnits = units_[communicator.rank()].count();
            View<float> part = denseView(reinterpret_cast<float*>(rows + shares_[r].first), Shape{2 * all_, ownUnits, 1, 1});
            part.shape.width = 2 * shares_[r].count();
            ofRows.push_back(part);
            ofLines.push_back(denseView(reinterpret_cast<float*>(samples_.get() + units_[r].first * own_.count()),
                                        Shape{2 * own_.count(), units_[r].count(), 1, 1}));
        }
        const auto constant = [](const std::vector<View<float>>& views) {
            return std::vector<View<const float>>(views.begin(), views.end());
        };
        if (toLines) allToAll(*part_.communicator(), constant(ofRows), ofLines);
        else allToAll(*part_.communicator(), constant(ofLines), ofRows);
    }

    const GridPart& part_;
    std::int64_t all_;
    Partition shares_, units_;  // lines, and rows or slices, of all ranks
    PartRange own_;
    Array<double> samples_;
};

class TransformMethod final : public HostMethod {
public:
    void forEachRow(const RunContext& context, std::int64_t rows, const std::function<void(std::int64_t)>& body) const override {
        runStages<1>(context, rows, 1024, {0}, [&](int, std::int64_t row) { body(row); });
    }

    SolveHistory solve(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u, const SolveOptions&,
                       const RunContext& context, SolveProgress& progress) override {
        const auto start = std::chrono::steady_clock::now();
        if (!stencil.hasConstantWeights())
            throw Error(ErrorCode::unavailable, "'dct' cannot solve this", kUniformOnly.reason, "Choose the variant 'multigrid'");
        const Shape& shape = stencil.shape;
        const bool isVolume = shape.depth > 1;
        const Lines x(shape.width, stencil.border), y(shape.height, stencil.border), z(isVolume ? shape.depth : 1, stencil.border);
        const std::int64_t rows = part.rows(), pixels = shape.pixels();
        SolveHistory history{.points = {{1, 0}}, .end = SolveEnd::direct, .laps = {}, .removedMeans = {}, .removedShares = {}};
        LapClock clock;
        const std::size_t setUp = clock.add(kLapSetUp), rowLap = clock.add(kLapRows), columnLap = clock.add(kLapColumns),
                          end = clock.add(kLapEnd);
        // The lines along the last axis: those of an image or a volume, of which a part has some in turn.
        const std::int64_t line = isVolume ? shape.width * shape.height : shape.width;
        TransposedPart across(part, line);
        clock.lap(setUp);
        for (std::int64_t c = 0; c < channels; ++c) {
            const double* const g = f + c * part.keptSamples() + part.samplesBefore();
            double* const v = u + c * part.keptSamples() + part.samplesBefore();
            const auto forRows = [&](auto&& body) {
                runStages<1>(context, rows, shape.width, {0}, [&](int, std::int64_t row) { body(row, row * shape.width); });
            };
            std::vector<double> sums(static_cast<std::size_t>(rows)), squares(sums);
            forRows([&](std::int64_t row, std::int64_t at) {
                double sum = 0, square = 0;
                for (std::int64_t i = at; i < at + shape.width; ++i) {
                    sum += g[i];
                    square += g[i] * g[i];
                    v[i] = g[i];
                }
                sums[static_cast<std::size_t>(row)] = sum;
                squares[static_cast<std::size_t>(row)] = square;
                x.transform(v + at, false);
            });
            clock.lap(rowLap);
            const auto slices = [&](bool back) {
                if (isVolume) columns(context, y, v, shape.width, shape.height, rows / shape.height, line, back);
            };
            slices(false);
            double* const w = across.fetch(v);
            const std::int64_t length = isVolume ? shape.depth : shape.height;
            const PartRange lines = across.lines();
            columns(context, isVolume ? z : y, w, lines.count(), length, 1, 0, false);
            clock.lap(columnLap);
            runStages<1>(context, length, lines.count(), {0}, [&](int, std::int64_t k) {
                double* const row = w + k * lines.count() - lines.first;
                const double scale = x.scale() * y.scale() * (isVolume ? z.scale() : 1);
                for (std::int64_t first = lines.first; first < lines.last;) {
                    const std::int64_t lineY = isVolume ? first / shape.width : k;
                    const std::int64_t last = isVolume ? std::min(lines.last, (lineY + 1) * shape.width) : lines.last;
                    const double sides = stencil.axisWeights[1] * y.eigenvalue(lineY) +
                                         (isVolume ? stencil.axisWeights[2] * z.eigenvalue(k) : 0) + stencil.diagonal;
                    const std::int64_t beforeRow = isVolume ? lineY * shape.width : 0;
                    for (std::int64_t i = first; i < last; ++i) {
                        const double eigenvalue = stencil.axisWeights[0] * x.eigenvalue(i - beforeRow) + sides;
                        // The mean of a singular system.
                        row[i] = eigenvalue > 0 ? row[i] * scale / eigenvalue : 0;
                    }
                    first = last;
                }
            });
            clock.lap(rowLap);
            columns(context, isVolume ? z : y, w, lines.count(), length, 1, 0, true);
            across.giveBack(v);
            slices(true);
            clock.lap(columnLap);
            forRows([&](std::int64_t, std::int64_t at) { x.transform(v + at, true); });
            clock.lap(rowLap);
            const double sum = part.sum(sums), square = part.sum(squares);
            const auto n = static_cast<double>(pixels);
            const double mean = isSingular(stencil) ? sum / n : 0;
            if (isSingular(stencil)) {
                history.removedMeans.push_back(mean);
                history.removedShares.push_back(square > 0 ? std::fabs(mean) / std::sqrt(square / n) : 0);
            }
            // The true residual.
            part.exchange(u + c * part.keptSamples());
            const GridRows grid(stencil);
            forRows([&](std::int64_t row, std::int64_t at) {
                thread_local std::vector<double> r, unused;
                r.assign(g + at, g + at + shape.width);
                for (double& sample : r) sample -= mean;
                double norm = 0;
                for (const double sample : r) norm += sample * sample;
                squares[static_cast<std::size_t>(row)] = norm;
                unused.resize(r.size());
                const std::int64_t gridRow = part.first() + row;
                sums[static_cast<std::size_t>(row)] =
                    updateSolution(grid.neighbours(static_cast<const double*>(v) - part.first() * shape.width, gridRow),
                                   grid.coefficients(gridRow), {.alpha = 1, .u = unused.data(), .r = r.data()}, shape.width);
            });
            const double residual = part.sum(sums), norm = part.sum(squares);
            // A constant right-hand side of a singular system leaves rounding errors only.
            if (std::sqrt(norm) > kRoundingShare * std::fabs(mean) * std::sqrt(n))
                history.trueResidual = std::max(history.trueResidual, norm > 0 ? std::sqrt(residual / norm) : 0);
            else std::fill_n(v, part.samples(), 0.0);
            clock.lap(end);
        }
        history.laps = clock.laps();
        history.points.push_back({history.trueResidual, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
        checkResidual(history.trueResidual, 1, 1);
        progress.finishSolve();
        return history;
    }

private:
    /// Transforms lines of samples `stride` apart, of `count` slices: blocks of neighbouring ones are gathered, so that memory is read in
    /// whole cache lines.
    static void columns(const RunContext& context, const Lines& lines, double* v, std::int64_t stride, std::int64_t length,
                        std::int64_t count, std::int64_t sliceStride, bool back) {
        constexpr std::int64_t kBlock = 8;
        const std::int64_t blocks = (stride + kBlock - 1) / kBlock;
        runStages<1>(context, blocks * count, kBlock * length, {0}, [&](int, std::int64_t task) {
            const std::int64_t first = task % blocks * kBlock, width = std::min(kBlock, stride - first);
            double* const from = v + task / blocks * sliceStride + first;
            thread_local std::vector<double> block;
            block.resize(static_cast<std::size_t>(width * length));
            for (std::int64_t i = 0; i < length; ++i)
                for (std::int64_t k = 0; k < width; ++k) block[static_cast<std::size_t>(k * length + i)] = from[i * stride + k];
            for (std::int64_t k = 0; k < width; ++k) lines.transform(block.data() + k * length, back);
            for (std::int64_t i = 0; i < length; ++i)
                for (std::int64_t k = 0; k < width; ++k) from[i * stride + k] = block[static_cast<std::size_t>(k * length + i)];
        });
    }
};

#endif

}  // namespace

HostMethodKind openmpTransforms() {
    HostMethodKind kind{.variant = "dct", .summary = kTransformSummary, .make = {}, .bytes = [](const Shape&, std::int64_t, bool) {
                            return std::uint64_t{0};
                        }};
#ifdef PARALLAX_HAS_FFTW_DOUBLE
    kind.make = [] { return std::make_unique<TransformMethod>(); };
    kind.supports = [](bool weighted) { return weighted ? kUniformOnly : Support{}; };
#else
    kind.make = []() -> std::unique_ptr<HostMethod> { return nullptr; };
    kind.supports = [](bool) {
        return Support::no("FFTW in double precision was not found when this backend was built, Debian package libfftw3-dev");
    };
#endif
    return kind;
}

}  // namespace parallax::solvers
