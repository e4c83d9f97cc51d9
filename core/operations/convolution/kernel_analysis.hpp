// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of a kernel (rank, factors, frequency response), for the kernel editor and for implementations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/operations/convolution/kernel.hpp"

namespace parallax {

/// Returns the singular values of the matrix of weights, largest first; as many as the smaller of width and height. One-sided Jacobi
/// rotations (Hestenes 1958; Golub and Van Loan, Matrix Computations, 4th ed., section 8.6.3), in double. About 0.1 s for 127 x 127.
std::vector<double> singularValues(const Kernel& kernel);

/// Returns the number of separable kernels whose sum it is: singular values above float accuracy, max(width, height) 2^-24 of the largest.
/// 1 is a separable kernel, 0 the kernel of zeros.
int kernelRank(const Kernel& kernel);

struct RankOne {
    SeparableKernel factors;  ///< magnitudes of the row sum to 1: an image filtered by rows is no larger than the image
    /// As float32, column * row is zero exactly where the kernel is. If not, an infinity in the image shows the difference.
    bool sameZeros = true;
};
/// Column * row from the pair of singular vectors of the largest singular value, the best approximation of rank 1 (Eckart and
/// Young 1936), if the weights differ from it by no more than float rounding: each by at most 1e-7 of the largest weight, all
/// together by at most 2^-23 of the sum of magnitudes. By the power method (Golub and Van Loan, section 8.2), which for such
/// kernels converges at once: cheap enough to be called before every run. Nothing for the kernel of zeros.
std::optional<RankOne> rankOne(const Kernel& kernel);

/// A kernel as the sum of two columns times rows.
struct RankTwo {
    std::array<SeparableKernel, 2> terms;  ///< the larger one first; magnitudes of each row sum to 1
    /// Sum of the magnitudes of both terms' weights over that of the kernel's, >= 1: by how much more their rounding errors count.
    double growth = 1;
};
/// The two largest singular values with their vectors, the best approximation of rank 2, if the weights differ from it as
/// little as rankOne() requires and rankOne() returns nothing. Sharpening, unsharp masks and Laplacians are of this kind. Two pivots of
/// Gaussian elimination span the rows, subspace iteration and one Jacobi rotation turn them into the singular vectors (Golub and Van Loan,
/// sections 3.4, 8.2 and 8.6): cheap enough to be called before every run.
std::optional<RankTwo> rankTwo(const Kernel& kernel);

/// |sum K(u, v) exp(-2 pi i (fx u + fy v))| on a grid of size x size, row-major, frequencies (i - size / 2) / size cycles a
/// pixel: zero frequency at [size / 2, size / 2], fy downwards. The anchor moves the phase alone. `size` > 0.
std::vector<double> frequencyResponse(const Kernel& kernel, int size);

/// Returns text that parseKernelText() turns back into the same weights: a line for each row, numbers separated by blanks.
std::string kernelText(const Kernel& kernel);

/// The kinds that are generated in a plane, with title and help of the table of parameters.
struct BuiltInKernel {
    KernelKind kind;
    std::string title, help;
};
std::vector<BuiltInKernel> builtInKernels();

/// Returns the weights of a kind with default parameters at this size, or at the next smaller size that the kind allows.
Kernel builtInKernel(KernelKind kind, int size);

}  // namespace parallax
