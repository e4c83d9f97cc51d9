// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace parallax::solvers {

/// Inverse of the small symmetric positive semidefinite matrix of a coarsest grid, row by row. A constant null space is shifted away.
class DenseInverse {
public:
    DenseInverse() = default;
    DenseInverse(std::vector<double> a, std::size_t n, bool singular) : n_(n), inverse_(n * n, 0) {
        double trace = 0;
        for (std::size_t i = 0; i < n; ++i) trace += a[i * n + i];
        if (singular)
            for (double& entry : a) entry += trace / static_cast<double>(n * n);
        for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
        // Gauss-Jordan: no pivoting is needed for positive definite matrices.
        for (std::size_t k = 0; k < n; ++k) {
            const double pivot = a[k * n + k] > 0 ? a[k * n + k] : 1;
            for (std::size_t j = 0; j < n; ++j) {
                a[k * n + j] /= pivot;
                inverse_[k * n + j] /= pivot;
            }
            for (std::size_t i = 0; i < n; ++i) {
                const double factor = i == k ? 0 : a[i * n + k];
                if (factor == 0) continue;
                for (std::size_t j = 0; j < n; ++j) {
                    a[i * n + j] -= factor * a[k * n + j];
                    inverse_[i * n + j] -= factor * inverse_[k * n + j];
                }
            }
        }
    }
    void apply(const float* f, float* z) const {
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < n_; ++j) sum += inverse_[i * n_ + j] * static_cast<double>(f[j]);
            z[i] = static_cast<float>(sum);
        }
    }

private:
    std::size_t n_ = 0;
    std::vector<double> inverse_;
};

}  // namespace parallax::solvers
