// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients with a stored matrix, by cuSPARSE and cuBLAS: the peer.
#pragma once

#include "gpu/runtime/libraries/linear_algebra.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/solvers/device_laps.hpp"
#include "gpu/solvers/grid.hpp"

namespace parallax::gpu {

/// Entries of the matrix of one channel. Elements behind the ends of rows of the grid have empty rows.
std::int64_t compressedEntries(const Grid& grid);
void launchCompress(const SolveArguments& a, const CompressedRows& rows, cudaStream_t stream);

/// Scalars of an iteration, in device memory, one for each channel.
struct PeerScalars {
    double product;  ///< p . A p or r . r
    double alpha, minusAlpha, beta;
};
/// After p . A p, and after r . r, which ends the iteration. When the solve has ended, alpha is 0.
void launchPeerAlpha(const SolveArguments& a, PeerScalars* scalars, cudaStream_t stream);
void launchPeerResidual(const SolveArguments& a, PeerScalars* scalars, cudaStream_t stream);

class PeerIteration {
public:
    PeerIteration(const Grid& grid, double* p, double* q, const std::shared_ptr<Allocator>& allocator, cudaStream_t stream);
    static std::uint64_t estimateBytes(const Grid& grid);

    /// Makes the matrix from the weights.
    void assemble(const SolveArguments& a, cudaStream_t stream);
    /// To be called where an iteration begins from a new residual.
    void begin(double* p, const Grid& grid, cudaStream_t stream);
    /// p = r + beta p; q = A p; x += alpha p; r -= alpha q.
    void iterate(const SolveArguments& a, double* x, double* r, double* p, double* q, cudaStream_t stream, DeviceLaps* laps);
    /// q = A p, of the first channel alone.
    void multiply(double* p, double* q);

private:
    CompressedRows rows_;
    DeviceBuffer<int> begin_, columns_;
    DeviceBuffer<double> values_, constants_;  ///< constants: 1 and 0
    DeviceBuffer<PeerScalars> scalars_;
    DeviceBuffer<unsigned char> work_, denseWork_;  ///< of cuSPARSE, of cuBLAS
    LinearAlgebra algebra_;
};

}  // namespace parallax::gpu
