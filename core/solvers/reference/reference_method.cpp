// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/host_method.hpp"
#include "core/solvers/reference/first_part.hpp"

namespace parallax::solvers {
namespace {

class ReferenceMethod final : public HostMethod {
public:
    void forEachRow(const RunContext& context, std::int64_t rows, const std::function<void(std::int64_t)>& body) const override {
        for (std::int64_t row = 0; row < rows; ++row) {
            context.throwIfStopped();
            body(row);
        }
    }
    SolveHistory solve(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u, const SolveOptions&,
                       const RunContext& context, SolveProgress& progress) override {
        return solveOnFirstPart(stencil, part, channels, f, u, progress, [&](const Stencil& whole, const double* allF, double* allU) {
            return conjugateGradients(whole, channels, allF, allU, kReferenceOptions, context, progress);
        });
    }
};

}  // namespace

HostMethodKind referenceMethod() {
    return {
        .variant = "serial",
        .summary = "Conjugate gradients in double precision to a relative residual of 1e-12, serial: the oracle, not a baseline for speed",
        .make = [] { return std::make_unique<ReferenceMethod>(); },
        .bytes = [](const Shape& shape, std::int64_t channels, bool) { return conjugateGradientsBytes(shape, channels); }};
}

}  // namespace parallax::solvers
