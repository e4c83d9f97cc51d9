// SPDX-License-Identifier: GPL-3.0-or-later
// A serial solution of stencil systems in double, for tests of solvers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/solvers/stencil.hpp"

namespace parallax::gpu {

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

inline std::vector<double> product(const solvers::Stencil& s, const std::vector<double>& u) {
    std::vector<double> q(u.size());
    std::size_t i = 0;
    for (std::int64_t z = 0; z < s.shape.depth; ++z)
        for (std::int64_t y = 0; y < s.shape.height; ++y)
            for (std::int64_t x = 0; x < s.shape.width; ++x) q[i++] = solvers::applied(s, u.data(), x, y, z);
    return q;
}

inline void removeMean(std::vector<double>& v) {
    double mean = 0;
    for (const double x : v) mean += x / static_cast<double>(v.size());
    for (double& x : v) x -= mean;
}

/// Plain conjugate gradients to 1e-13; of singular systems the solution with the mean 0.
inline std::vector<double> serialSolution(const solvers::Stencil& s, std::vector<double> f) {
    const bool singular = solvers::isSingular(s);
    if (singular) removeMean(f);
    std::vector<double> u(f.size()), r = f, p = f;
    double rr = dot(r, r);
    const double enough = 1e-26 * rr;
    for (int i = 0; i < 100000 && rr > enough; ++i) {
        const std::vector<double> q = product(s, p);
        const double alpha = rr / dot(p, q);
        for (std::size_t k = 0; k < u.size(); ++k) {
            u[k] += alpha * p[k];
            r[k] -= alpha * q[k];
        }
        const double next = dot(r, r);
        for (std::size_t k = 0; k < u.size(); ++k) p[k] = r[k] + next / rr * p[k];
        rr = next;
    }
    if (singular) removeMean(u);
    return u;
}

}  // namespace parallax::gpu
