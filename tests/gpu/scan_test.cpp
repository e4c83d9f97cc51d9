// SPDX-License-Identifier: GPL-3.0-or-later
// Every variant of the exclusive scan against the host.
#include "gpu/primitives/scan.hpp"
#include "tests/gpu/device_arrays.hpp"

namespace parallax::gpu {
namespace {

template <class T>
std::vector<T> scan(CudaSession& session, ScanVariant variant, const std::vector<T>& values, bool inPlace) {
    const auto n = static_cast<std::int64_t>(values.size());
    Guarded workspace(session, scanWorkspaceBytes<T>(variant, n)), out(session, values.size() * sizeof(T));
    OnDevice<T> in(session, values);
    if (inPlace && n > 0)
        check(cudaMemcpyAsync(out.as<T>(), in.data(), values.size() * sizeof(T), cudaMemcpyDeviceToDevice, session.stream()), "copy");
    launchExclusiveScan<T>(variant, inPlace ? out.as<T>() : in.data(), out.as<T>(), n, workspace.workspace(), session.stream());
    std::vector<T> result = out.template download<T>(n);
    EXPECT_TRUE(workspace.intact() && out.intact()) << "memory behind the workspace or the result was written";
    return result;
}

std::vector<std::int64_t> scanLengths() {
    std::vector<std::int64_t> lengths = kLengths;
    lengths.insert(lengths.end(),
                   {1024, 1024 * 1024, 1024 * 1024 + 1, sizeFor(70000, 1100) * 1024 + 5});  // two, three levels; more than 65536 blocks
    return lengths;
}

template <class T>
void scanIntegers() {
    CudaSession session(0);
    Random random(9);
    for (const std::int64_t n : scanLengths()) {
        std::vector<T> values(static_cast<std::size_t>(n)), wanted(static_cast<std::size_t>(n));
        T sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<T>((std::uint64_t{random.bits()} << 32) | random.bits());
            wanted[i] = sum;
            sum = static_cast<T>(sum + values[i]);
        }
        for (const ScanVariant variant : kScanVariants) {
            SCOPED_TRACE(std::string(info(variant).name) + ", " + std::to_string(n));
            EXPECT_TRUE(scan(session, variant, values, false) == wanted);
            if (n > sizeFor(2'000'000, 100'000)) continue;
            EXPECT_TRUE(scan(session, variant, values, true) == wanted) << "in place";
        }
    }
}

TEST(Primitives, ScansOf32BitIntegersMatchTheHost) {
    PARALLAX_NEEDS_DEVICE();
    scanIntegers<std::uint32_t>();
}
TEST(Primitives, ScansOf64BitIntegersMatchTheHost) {
    PARALLAX_NEEDS_DEVICE();
    scanIntegers<std::uint64_t>();
}

TEST(Primitives, ScansOfFloatsIgnoreNonFiniteElements) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    for (const std::int64_t n : kLengths)
        for (const Content content : {Content::uniform, Content::constant, Content::holes, Content::nothing}) {
            const std::vector<float> values = make(content, n, static_cast<std::uint64_t>(n) + 7);
            for (const ScanVariant variant : kScanVariants) {
                SCOPED_TRACE(std::string(info(variant).name) + ", content " + std::to_string(static_cast<int>(content)) + ", " +
                             std::to_string(n));
                const std::vector<float> result = scan(session, variant, values, false);
                double sum = 0, magnitude = 0;
                std::int64_t wrong = 0;
                for (std::size_t i = 0; i < values.size(); ++i) {
                    // In a tree each element is added at most log2(n) times.
                    wrong += !(std::fabs(static_cast<double>(result[i]) - sum) <= 0x1p-24 * 24 * magnitude);
                    if (!std::isfinite(values[i])) continue;
                    sum += static_cast<double>(values[i]);
                    magnitude += std::fabs(static_cast<double>(values[i]));
                }
                EXPECT_EQ(wrong, 0);
                if (!info(variant).deterministic || n == 0) continue;
                const std::vector<float> again = scan(session, variant, values, false);
                EXPECT_EQ(std::memcmp(result.data(), again.data(), result.size() * sizeof(float)), 0);
            }
        }
}

}  // namespace
}  // namespace parallax::gpu
