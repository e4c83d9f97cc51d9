// SPDX-License-Identifier: GPL-3.0-or-later
// Every variant of reduction and histogram against the host, in double or exactly.
#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/reduction.hpp"
#include "gpu/primitives/scan.hpp"
#include "tests/gpu/device_arrays.hpp"

namespace parallax::gpu {
namespace {

// ---- reductions -----------------------------------------------------------------------------------------------------------------

struct Expected {
    double sum = 0, magnitude = 0;
    std::int64_t count = 0;
    float minimum = kInf, maximum = -kInf;
};
Expected expected(const std::vector<float>& values, float delta) {
    Expected e;
    for (const float v : values) {
        const double x = static_cast<double>(v + delta);
        if (x > 0 && std::isfinite(x)) {
            e.sum += std::log(x);
            e.magnitude += std::fabs(std::log(x));
            ++e.count;
        }
        if (!std::isfinite(v)) continue;
        e.minimum = std::min(e.minimum, v);
        e.maximum = std::max(e.maximum, v);
    }
    return e;
}

struct Reduced {
    LogSum logs;
    float minimum, maximum;
};
Reduced reduce(CudaSession& session, ReductionVariant variant, const float* in, std::int64_t n, float delta) {
    Guarded workspace(session, reductionWorkspaceBytes(variant, n)), result(session, 64);
    initialiseReduction(variant, workspace.workspace(), session.stream());
    launchLogSum(variant, in, n, delta, result.as<LogSum>(), workspace.workspace(), session.stream());
    launchMinimum(variant, in, n, result.as<float>() + 8, workspace.workspace(), session.stream());
    launchMaximum(variant, in, n, result.as<float>() + 9, workspace.workspace(), session.stream());
    Reduced r{};
    r.logs = result.download<LogSum>(1)[0];
    const std::vector<float> all = result.download<float>(10);
    r.minimum = all[8];
    r.maximum = all[9];
    EXPECT_TRUE(workspace.intact()) << "memory behind the workspace was written";
    return r;
}

void expectReduced(const Reduced& r, const Expected& e) {
    EXPECT_EQ(r.logs.count, e.count);
    // A logarithm in single precision has an error of 1 ulp, a product of mantissas 2^-24 per element.
    EXPECT_NEAR(r.logs.sum, e.sum, 1.3e-7 * (e.magnitude + static_cast<double>(e.count)) + 1e-12);
    EXPECT_EQ(r.minimum, e.minimum);
    EXPECT_EQ(r.maximum, e.maximum);
}

TEST(Primitives, ReductionsMatchTheHostForEveryLengthAndContent) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    for (const std::int64_t n : kLengths)
        for (const Content content : contentsFor(n)) {
            const std::vector<float> values = make(content, n, static_cast<std::uint64_t>(n) + 5);
            const float delta = content == Content::subnormal ? 0.0F : 1e-6F;
            const Expected e = expected(values, delta);
            OnDevice<float> in(session, values);
            for (const ReductionVariant variant : kReductionVariants) {
                SCOPED_TRACE(std::string(info(variant).name) + ", content " + std::to_string(static_cast<int>(content)) + ", " +
                             std::to_string(n));
                expectReduced(reduce(session, variant, in.data(), n, delta), e);
            }
        }
}

TEST(Primitives, ReductionsHandleMoreThan65536Blocks) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const std::int64_t n = sizeFor(70000, 2000) * 512 + 77;  // blocks of the textbook variant; longer chunks for the tuned one
    const std::vector<float> values = make(Content::light, n, 11);
    const Expected e = expected(values, 1e-6F);
    OnDevice<float> in(session, values);
    for (const ReductionVariant variant : kReductionVariants) {
        SCOPED_TRACE(info(variant).name);
        expectReduced(reduce(session, variant, in.data(), n, 1e-6F), e);
    }
}

TEST(Primitives, ReductionsAreReproducibleForAnyPlacement) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    int tested = 0;
    for (const std::int64_t n : {std::int64_t{777}, sizeFor<std::int64_t>(3'000'001, 100'001)}) {
        const std::vector<float> values = make(Content::light, n, 12);
        OnDevice<float> in(session, values), moved(session, values, 3);
        for (const ReductionVariant variant : kReductionVariants) {
            SCOPED_TRACE(info(variant).name);
            if (!info(variant).deterministic) continue;
            ++tested;
            const Reduced first = reduce(session, variant, in.data(), n, 1e-6F);
            for (int i = 0; i < 10; ++i) {
                const Reduced again = reduce(session, variant, in.data(), n, 1e-6F);
                EXPECT_EQ(std::memcmp(&again.logs, &first.logs, sizeof(LogSum)), 0);
            }
            const Reduced other = reduce(session, variant, moved.data(), n, 1e-6F);
            EXPECT_EQ(other.logs.count, first.logs.count);
            if (variant == ReductionVariant::cub) {  // which has another path for unaligned data
                EXPECT_NEAR(other.logs.sum, first.logs.sum, 1e-9 * std::fabs(first.logs.sum));
            } else {
                EXPECT_EQ(std::memcmp(&other.logs, &first.logs, sizeof(LogSum)), 0);
            }
        }
    }
    EXPECT_GE(tested, 4) << "hardly any variant is reproducible";
}

TEST(Primitives, AWorkspaceServesManyLaunches) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const std::int64_t n = sizeFor(300'000, 30'000);
    const std::vector<float> values = make(Content::light, n, 13);
    OnDevice<float> in(session, values);
    for (const ReductionVariant variant : kReductionVariants) {
        SCOPED_TRACE(info(variant).name);
        Guarded workspace(session, reductionWorkspaceBytes(variant, n)), result(session, 200 * sizeof(float));
        initialiseReduction(variant, workspace.workspace(), session.stream());
        // Shorter arrays in between: fewer blocks use the same ticket.
        for (int i = 0; i < 200; ++i)
            launchMaximum(variant, in.data(), i % 3 == 1 ? 5000 : n, result.as<float>() + i, workspace.workspace(), session.stream());
        const std::vector<float> all = result.download<float>(200);
        const float some = expected(std::vector<float>(values.begin(), values.begin() + 5000), 0).maximum;
        for (int i = 0; i < 200; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i % 3 == 1 ? some : expected(values, 0).maximum) << i;
    }
}

// ---- histogram --------------------------------------------------------------------------------------------------------------------

std::vector<std::uint64_t> histogramOnHost(const std::vector<float>& values, const HistogramLimits& limits, int bins) {
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins) + kHistogramExtraCounts + 1);
    const Binning binning = Binning::of(limits, bins);
    for (const float v : values) ++counts[static_cast<std::size_t>(binning.slot(v))];
    counts.pop_back();
    return counts;
}

void expectHistogram(CudaSession& session, HistogramVariant variant, const float* in, std::int64_t n, const HistogramRequest& request,
                     const std::vector<std::uint64_t>& wanted) {
    Guarded workspace(session, histogramWorkspaceBytes(variant, n, request.bins)), counts(session, wanted.size() * sizeof(std::uint64_t));
    launchHistogram(variant, in, n, request, counts.as<std::uint64_t>(), workspace.workspace(), session.stream());
    EXPECT_EQ(counts.download<std::uint64_t>(static_cast<std::int64_t>(wanted.size())), wanted);
    EXPECT_TRUE(workspace.intact() && counts.intact()) << "memory behind the workspace or the counts was written";
}

TEST(Primitives, HistogramsMatchTheHostForEveryLengthContentAndNumberOfBins) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    constexpr HistogramLimits limits{-0.75F, 0.5F};
    for (const std::int64_t n : kLengths)
        for (const Content content : contentsFor(n)) {
            const std::vector<float> values = make(content, n, static_cast<std::uint64_t>(n) + 6);
            OnDevice<float> in(session, values), moved(session, values, 1);
            for (const int bins : {1, 2, 7, 256, 1000, 4096, 12285, 20000, 100000}) {
                if (n > 70000 && bins != 256 && bins != 100000) continue;
                const std::vector<std::uint64_t> wanted = histogramOnHost(values, limits, bins);
                for (const HistogramVariant variant : kHistogramVariants) {
                    SCOPED_TRACE(std::string(info(variant).name) + ", content " + std::to_string(static_cast<int>(content)) + ", " +
                                 std::to_string(n) + " in " + std::to_string(bins));
                    expectHistogram(session, variant, in.data(), n, {.bins = bins, .limits = limits}, wanted);
                    if (bins == 256) expectHistogram(session, variant, moved.data(), n, {.bins = bins, .limits = limits}, wanted);
                }
            }
        }
}

TEST(Primitives, HistogramsCountASingleFullBin) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const std::int64_t n = (std::int64_t{1} << sizeFor(24, 19)) + 12345;  // more than 65536 blocks of the textbook variant
    const std::vector<float> values = make(Content::constant, n, 1);
    OnDevice<float> in(session, values);
    for (const HistogramLimits limits : {HistogramLimits{0, 1}, HistogramLimits{0.1875F, 0.1875F}, HistogramLimits{0.5F, 1}}) {
        const std::vector<std::uint64_t> wanted = histogramOnHost(values, limits, 256);
        for (const HistogramVariant variant : kHistogramVariants) {
            SCOPED_TRACE(info(variant).name);
            expectHistogram(session, variant, in.data(), n, {.bins = 256, .limits = limits}, wanted);
        }
    }
}

TEST(Primitives, HistogramsTakeLimitsFromTheDevice) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const std::vector<float> values = make(Content::holes, 100'000, 8);
    const Expected e = expected(values, 0);
    OnDevice<float> in(session, values);
    OnDevice<HistogramLimits> limits(session, {{e.minimum, e.maximum}});
    const std::vector<std::uint64_t> wanted = histogramOnHost(values, {e.minimum, e.maximum}, 333);
    for (const HistogramVariant variant : kHistogramVariants) {
        SCOPED_TRACE(info(variant).name);
        expectHistogram(session, variant, in.data(), 100'000, {.bins = 333, .limits = {}, .deviceLimits = limits.data()}, wanted);
    }
}

// ---- all --------------------------------------------------------------------------------------------------------------------------

TEST(Primitives, RejectWorkspacesThatAreTooSmall) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    constexpr std::int64_t n = 5'000'000;
    Guarded in(session, n * sizeof(float)), out(session, n * sizeof(float));
    const auto refuses = [](auto&& launch) {
        try {
            launch();
            ADD_FAILURE() << "it ran";
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("workspace"), std::string::npos) << e.what();
        }
    };
    for (const ReductionVariant v : kReductionVariants) {
        // The requested size suffices for every reduction: that of single floats needs a quarter of it.
        Guarded small(session, reductionWorkspaceBytes(v, n) / 8);
        refuses([&] { launchMinimum(v, in.as<float>(), n, out.as<float>(), small.workspace(), session.stream()); });
    }
    for (const HistogramVariant v : kHistogramVariants) {
        Guarded small(session, histogramWorkspaceBytes(v, n, 256) - 1);
        refuses([&] {
            launchHistogram(v, in.as<float>(), n, {.bins = 256, .limits = {}}, out.as<std::uint64_t>(), small.workspace(),
                            session.stream());
        });
    }
    for (const ScanVariant v : kScanVariants) {
        Guarded small(session, scanWorkspaceBytes<float>(v, n) - 1);
        refuses([&] { launchExclusiveScan<float>(v, in.as<float>(), out.as<float>(), n, small.workspace(), session.stream()); });
    }
    EXPECT_THROW((void)reductionWorkspaceBytes(ReductionVariant::tree, -1), Error);
    EXPECT_THROW((void)histogramWorkspaceBytes(HistogramVariant::privatised, 10, 0), Error);
    EXPECT_THROW((void)histogramWorkspaceBytes(HistogramVariant::privatised, 10, kMaxHistogramBins + 1), Error);
}

TEST(Primitives, RunSideBySideInTwoStreams) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession sessions[2]{CudaSession(0), CudaSession(0)};
    constexpr std::int64_t n = sizeFor(4'000'000, 60'000);
    const std::vector<float> values[2]{make(Content::light, n, 21), make(Content::holes, n, 22)};
    OnDevice<float> in[2]{{sessions[0], values[0]}, {sessions[1], values[1]}};
    for (const ReductionVariant variant : kReductionVariants) {
        SCOPED_TRACE(info(variant).name);
        const std::size_t bytes = reductionWorkspaceBytes(variant, n);
        Guarded workspaces[2]{{sessions[0], bytes}, {sessions[1], bytes}};
        Guarded results[2]{{sessions[0], 50 * sizeof(float)}, {sessions[1], 50 * sizeof(float)}};
        for (int s = 0; s < 2; ++s) initialiseReduction(variant, workspaces[s].workspace(), sessions[s].stream());
        for (int i = 0; i < 50; ++i)
            for (int s = 0; s < 2; ++s)
                launchMaximum(variant, in[s].data(), n, results[s].as<float>() + i, workspaces[s].workspace(), sessions[s].stream());
        for (int s = 0; s < 2; ++s)
            for (const float found : results[s].download<float>(50)) EXPECT_EQ(found, expected(values[s], 0).maximum);
    }
}

}  // namespace
}  // namespace parallax::gpu
