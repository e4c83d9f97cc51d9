// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/compressed_rows.hpp"

#include "core/solvers/reporting.hpp"

namespace parallax::gpu {
namespace {

/// cuBLAS needs 16 KiB at least; dot products and vector updates gain nothing from more. Its own default, 32 MiB on sm_90, is memory that
/// no estimate knows.
constexpr std::size_t kDenseWorkBytes = 64 << 10;

}  // namespace

std::int64_t compressedEntries(const Grid& g) {
    const std::int64_t w = g.width, h = g.height, d = g.depth;
    return w * h * d + 2 * ((w - 1) * h * d + w * (h - 1) * d + w * h * (d - 1));
}

PeerIteration::PeerIteration(const Grid& grid, double* p, double* q, const std::shared_ptr<Allocator>& allocator, cudaStream_t stream)
    : algebra_(stream) {
    const std::int64_t entries = compressedEntries(grid);
    begin_ = {allocator, static_cast<std::size_t>(grid.plane()) + 1};
    columns_ = {allocator, static_cast<std::size_t>(entries)};
    values_ = {allocator, static_cast<std::size_t>(entries)};
    scalars_ = {allocator, static_cast<std::size_t>(grid.channels)};
    const double constants[] = {1, 0};
    constants_ = {allocator, std::span<const double>(constants), stream};
    rows_ = {grid.plane(), entries, begin_.data(), columns_.data(), values_.data()};
    work_ = {allocator, algebra_.workBytes(rows_, p, q, constants_.data(), constants_.data() + 1) + 1};
    denseWork_ = {allocator, kDenseWorkBytes};
    algebra_.setWorkspace(denseWork_.data(), kDenseWorkBytes);
}

std::uint64_t PeerIteration::estimateBytes(const Grid& grid) {
    const auto entries = static_cast<std::uint64_t>(compressedEntries(grid)), rows = static_cast<std::uint64_t>(grid.plane());
    // An eighth of the rows: the workspace of cuSPARSE is small.
    return entries * (sizeof(int) + sizeof(double)) + rows * sizeof(int) + static_cast<std::uint64_t>(grid.channels) * sizeof(PeerScalars) +
           rows / 8 + kDenseWorkBytes;
}

void PeerIteration::assemble(const SolveArguments& a, cudaStream_t stream) { launchCompress(a, rows_, stream); }

void PeerIteration::begin(double* p, const Grid& grid, cudaStream_t stream) {
    const char* what = "Device memory could not be cleared";
    check(cudaMemsetAsync(scalars_.data(), 0, scalars_.size() * sizeof(PeerScalars), stream), what);
    check(cudaMemsetAsync(p, 0, static_cast<std::size_t>(grid.elements()) * sizeof(double), stream), what);
}

void PeerIteration::multiply(double* p, double* q) {
    const double* const one = constants_.data();
    algebra_.multiply(rows_, p, q, one, one + 1, work_.data());
}

void PeerIteration::iterate(const SolveArguments& a, double* x, double* r, double* p, double* q, cudaStream_t stream, DeviceLaps* laps) {
    using namespace solvers;
    const std::int64_t n = a.grid.plane();
    const double* const one = constants_.data();
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        const std::int64_t offset = channel * n;
        algebra_.scale(n, &scalars_.data()[channel].beta, p + offset);
        algebra_.add(n, one, r + offset, p + offset);
        endLap(laps, kLapVectors);
        algebra_.multiply(rows_, p + offset, q + offset, one, one + 1, work_.data());
        endLap(laps, kLapMatrix);
        algebra_.dot(n, p + offset, q + offset, &scalars_.data()[channel].product);
        endLap(laps, kLapDots);
    }
    launchPeerAlpha(a, scalars_.data(), stream);
    endLap(laps, kLapDots);
    for (int channel = 0; channel < a.grid.channels; ++channel) {
        const std::int64_t offset = channel * n;
        algebra_.add(n, &scalars_.data()[channel].alpha, p + offset, x + offset);
        algebra_.add(n, &scalars_.data()[channel].minusAlpha, q + offset, r + offset);
        endLap(laps, kLapVectors);
        algebra_.dot(n, r + offset, r + offset, &scalars_.data()[channel].product);
        endLap(laps, kLapDots);
    }
    launchPeerResidual(a, scalars_.data(), stream);
    endLap(laps, kLapDots);
}

}  // namespace parallax::gpu
