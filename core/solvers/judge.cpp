// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/judge.hpp"

#include <cmath>
#include <vector>

#include "core/solvers/solve.hpp"

namespace parallax::solvers {

Judgement residualJudgement(const Stencil& s, const double* f, const float* u, double tolerance) {
    const auto n = static_cast<std::size_t>(s.shape.pixels());
    double mean = 0;
    if (isSingular(s)) {
        for (std::size_t i = 0; i < n; ++i) mean += f[i];
        mean /= static_cast<double>(n);
    }
    double residual = 0, rounding = 0, norm = 0;
    std::size_t i = 0;
    for (std::int64_t z = 0; z < s.shape.depth; ++z)
        for (std::int64_t y = 0; y < s.shape.height; ++y)
            for (std::int64_t x = 0; x < s.shape.width; ++x, ++i) {
                if (s.fixed && s.fixed[i]) continue;
                double sum = 0, magnitude = 0, given = 0;
                const double diagonal = visitRow(s, x, y, z, [&](std::int64_t j, double w) {
                    const auto k = static_cast<std::size_t>(j);
                    const double term = w * static_cast<double>(u[k]);
                    sum += term;
                    magnitude += std::fabs(term);
                    if (s.fixed && s.fixed[k]) given += term;
                });
                const double own = diagonal * static_cast<double>(u[i]), b = f[i] - mean;
                residual += (b - own + sum) * (b - own + sum);
                rounding += (std::fabs(own) + magnitude) * (std::fabs(own) + magnitude);
                norm += (b + given) * (b + given);
            }
    Judgement j{.criterion = "Relative residual in float32", .value = 0, .bound = tolerance * SolveHistory::kSlack, .reason = {}};
    j.reason = "1.5 times the tolerance, and what rounding the result to float32 adds: 2^-24 |A||u| / |f|";
    if (norm > 0) {
        j.value = std::sqrt(residual / norm);
        j.bound += 0x1p-24 * std::sqrt(rounding / norm);
    }
    return j;
}

}  // namespace parallax::solvers
