// SPDX-License-Identifier: GPL-3.0-or-later
// Times each tone mapping pass of every operator on an RGB image, beside a copy of as many bytes: to be run after a change of
// gpu/operations/tone_mapping/tuning.hpp. Does not check results.
// Usage: bench_gpu_tone_mapping [--size N (default 8192)]
#include <functional>

#include "core/operations/catalog.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/operations/tone_mapping/launchers.hpp"
#include "gpu/operations/tone_mapping/local_plan.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;
using namespace parallax::gpu;

struct Trial {
    std::string name;
    double bytes;  ///< fewest bytes that it must move; 0: not counted
    std::function<void()> run;
    std::vector<double> ms{};
};

class Bench {
public:
    explicit Bench(std::int64_t size)
        : session_(0),
          size_(size),
          in_(session_.allocator(), static_cast<std::size_t>(3 * size * size)),
          out_(session_.allocator(), static_cast<std::size_t>(3 * size * size)),
          state_(session_.allocator(), 1),
          ticket_(session_.allocator(), 1),
          parts_(session_.allocator(), 1 << 16),
          counts_(session_.allocator(), kMaximumToneBins + kHistogramExtraCounts),
          fixed_(session_.allocator(), kMaximumToneBins + 1),
          cumulative_(session_.allocator(), kMaximumToneBins + 1) {
        // Light over twenty powers of two that changes slowly, with texture, like the image of bench_tone_mapping.
        std::vector<float> row(static_cast<std::size_t>(size));
        std::uint32_t bits = 1;
        for (std::int64_t y = 0; y < 3 * size; ++y) {
            const float down = std::cos(12.0F * static_cast<float>(y % size) / static_cast<float>(size));
            for (std::int64_t x = 0; x < size; ++x) {
                bits = bits * 1664525U + 1013904223U;
                row[static_cast<std::size_t>(x)] =
                    std::exp2(3 * (down + std::sin(8.0F * static_cast<float>(x) / static_cast<float>(size)))) *
                    (0.9F + 0.2F * static_cast<float>(bits >> 8) * 0x1p-24F);
            }
            check(cudaMemcpyAsync(in_.data() + y * size, row.data(), row.size() * sizeof(float), cudaMemcpyHostToDevice, session_.stream()),
                  "upload");
            check(cudaStreamSynchronize(session_.stream()), "upload");
        }
        check(cudaMemsetAsync(state_.data(), 0, sizeof(ToneState), session_.stream()), "clear");
        check(cudaMemsetAsync(ticket_.data(), 0, sizeof(unsigned), session_.stream()), "clear");
        const std::int64_t plane = size * size;
        planes_.width = planes_.inRowStride = planes_.outRowStride = size;
        planes_.height = size;
        planes_.aligned = plane % 4 == 0;
        for (int c = 0; c < 3; ++c) {
            planes_.in[c] = in_.data() + c * plane;
            planes_.out[c] = out_.data() + c * plane;
        }
        multiprocessors_ = deviceLimits(0).multiprocessors;
    }

    ToneSetup setupOf(ToneOperator op) const { return toneSetup(planOf(op), size_ * size_); }
    ToneMappingPlan planOf(ToneOperator op) const {
        Problem problem{.shape = {size_, size_, 1, 3},
                        .channelNames = defaultChannelNames(3),
                        .alphaChannel = -1,
                        .statistics = {},
                        .parameters = ParameterBlock(toneMappingParameterTable()),
                        .facts = {}};
        problem.parameters.assign(ToneMappingParameters{.op = op});
        return planToneMapping(problem);
    }
    ToneMemory memory() {
        return {.state = state_.data(),
                .parts = parts_.data(),
                .ticket = ticket_.data(),
                .counts = counts_.data(),
                .fixed = fixed_.data(),
                .cumulative = cumulative_.data()};
    }

    /// Samples are taken in turns.
    void compare(const char* title, std::vector<Trial> trials) {
        timeInTurns(session_.clock(), trials, 9, 2, 5);
        std::printf("\n%s, %lld x %lld RGB\n", title, static_cast<long long>(size_), static_cast<long long>(size_));
        for (const Trial& t : trials) {
            std::printf("  %-52s %8.4f ms  least %8.4f", t.name.c_str(), median(t.ms), t.ms.front());
            if (t.bytes > 0) std::printf("  %6.0f GB/s", t.bytes / median(t.ms) * 1e-6);
            std::printf("\n");
        }
    }

    void passes() {
        const double read = 12.0 * static_cast<double>(size_ * size_);
        std::vector<Trial> trials;
        trials.push_back(
            {"copy of the image", 2 * read, [this] {
                 check(cudaMemcpyAsync(out_.data(), in_.data(), in_.size() * sizeof(float), cudaMemcpyDeviceToDevice, session_.stream()),
                       "copy");
             }});
        const auto pass = [&](const char* name, ToneOperator op, TonePass which) {
            const ToneSetup setup = setupOf(op);
            trials.push_back(
                {name, read, [=, this] { launchTonePass(which, planes_, setup, memory(), multiprocessors_, false, session_.stream()); }});
        };
        const auto map = [&](const char* name, ToneOperator op) {
            const ToneSetup setup = setupOf(op);
            trials.push_back(
                {name, 2 * read, [=, this] { launchToneMapping(planes_, setup, memory(), multiprocessors_, true, session_.stream()); }});
        };
        pass("global: luminance", ToneOperator::global, TonePass::luminance);
        map("global: mapping", ToneOperator::global);
        const ToneSetup histogram = setupOf(ToneOperator::histogram);
        trials.push_back({"histogram: luminance, counts, curve", 2 * read, [=, this] {
                              launchTonePass(TonePass::luminance, planes_, histogram, memory(), multiprocessors_, false, session_.stream());
                              launchToneCounts(planes_, histogram, memory(), multiprocessors_, true, session_.stream());
                              launchToneCurve(histogram, memory(), session_.stream());
                          }});
        trials.push_back({"histogram: curve alone", 0, [=, this] { launchToneCurve(histogram, memory(), session_.stream()); }});
        map("histogram: mapping", ToneOperator::histogram);
        pass("photoreceptor: samples", ToneOperator::photoreceptor, TonePass::samples);
        pass("photoreceptor: scaled", ToneOperator::photoreceptor, TonePass::scaled);
        pass("photoreceptor: mapped", ToneOperator::photoreceptor, TonePass::mapped);
        map("photoreceptor: mapping", ToneOperator::photoreceptor);
        pass("local: luminance", ToneOperator::local, TonePass::luminance);
        compare("Passes", trials);
    }

    /// The local operator, all bands. Columns follow their own rows, since their time depends on the samples.
    void local() {
        const ToneSetup setup = setupOf(ToneOperator::local);
        const Bands bands(*this, kToneRowTuning.together);
        std::vector<Trial> trials;
        const auto nothing = [](const auto&...) {};
        const auto add = [&](const char* name, const Bands& of, auto rows, auto columns) {
            trials.push_back({name, 0, [=, &of, this] { of.run(*this, setup, rows, columns); }});
        };
        launchTonePass(TonePass::luminance, planes_, setup, memory(), multiprocessors_, false, session_.stream());
        add("rows", bands, launchToneRows, nothing);
        add("rows and columns", bands, launchToneRows, launchToneColumns);
        compare("Local operator, without the statistics", trials);
    }

private:
    /// The memory of the local operator's bands and weights.
    struct Bands {
        Bands(Bench& bench, int together)
            : plan(bench.planOf(ToneOperator::local), {bench.size_, bench.size_, 1, 3}, kToneBandBytes, together),
              weights(bench.session_.allocator(), std::span<const float>(plan.weights), bench.session_.stream()),
              filtered(bench.session_.allocator(), plan.floats()) {
            plan.band.weights = weights.data();
            plan.band.filtered = filtered.data();
        }
        template <class Rows, class Columns>
        void run(Bench& bench, const ToneSetup& setup, const Rows& rows, const Columns& columns) const {
            for (std::int64_t begin = 0; begin < bench.size_; begin += plan.bandRows) {
                const ToneBand band = plan.bandAt(begin, bench.size_);
                rows(bench.planes_, setup, band, plan.argument, bench.memory(), bench.session_.stream());
                columns(bench.planes_, setup, band, plan.argument, bench.memory(), bench.session_.stream());
            }
        }
        LocalPlan plan;
        DeviceBuffer<float> weights, filtered;
    };

    CudaSession session_;
    std::int64_t size_;
    DeviceBuffer<float> in_, out_;
    DeviceBuffer<ToneState> state_;
    DeviceBuffer<unsigned> ticket_;
    DeviceBuffer<TonePart> parts_;
    DeviceBuffer<std::uint64_t> counts_, fixed_;
    DeviceBuffer<float> cumulative_;
    TonePlanes planes_;
    int multiprocessors_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        Bench bench(std::max<std::int64_t>(arguments.number("--size", 8192), 64));
        bench.passes();
        bench.local();
        return 0;
    });
}
