// SPDX-License-Identifier: GPL-3.0-or-later
// cuSPARSE and cuBLAS, loaded on first use: peers for comparisons, needed neither to build the backend nor to run it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace parallax::gpu {

/// Whether both libraries are available, and if not, why.
struct LinearAlgebraState {
    bool loaded = false;
    std::string reason;  ///< a sentence, if not loaded
};
const LinearAlgebraState& linearAlgebraState();

/// A square matrix in compressed rows, in device memory.
struct CompressedRows {
    std::int64_t rows = 0, entries = 0;
    int* begin = nullptr;  ///< rows + 1
    int* columns = nullptr;
    double* values = nullptr;
};

/// Products and vector operations of a stream. All scalars are in device memory. Throws Error(failed) with the library's status.
class LinearAlgebra {
public:
    /// Throws Error(unavailable) without the libraries.
    explicit LinearAlgebra(cudaStream_t stream);
    ~LinearAlgebra();
    LinearAlgebra(const LinearAlgebra&) = delete;
    LinearAlgebra& operator=(const LinearAlgebra&) = delete;

    /// Replaces the workspace of vector operations, which the library allocates itself. `work` must be aligned to 256 bytes and outlive the
    /// operations.
    void setWorkspace(void* work, std::size_t bytes) const;
    /// Bytes of workspace for multiply().
    std::size_t workBytes(const CompressedRows& a, double* p, double* q, const double* one, const double* zero) const;
    /// q = A p.
    void multiply(const CompressedRows& a, double* p, double* q, const double* one, const double* zero, void* work) const;
    void dot(std::int64_t n, const double* u, const double* v, double* result) const;
    /// v += factor u.
    void add(std::int64_t n, const double* factor, const double* u, double* v) const;
    /// v *= factor.
    void scale(std::int64_t n, const double* factor, double* v) const;

private:
    void* sparse_ = nullptr;
    void* dense_ = nullptr;
};

}  // namespace parallax::gpu
