// SPDX-License-Identifier: GPL-3.0-or-later
// The edges of an image from formulas.hpp, in host memory. Rows can be worked on by several threads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operations/diffuse/plan.hpp"

#include "core/image/host/host_vector.hpp"

namespace parallax {

class DiffusionEdges {
public:
    /// `shape`: of an image or a volume, or of the rows or slices that a part keeps, which may be none.
    DiffusionEdges(const DiffusePlan& plan, const Shape& shape);

    /// Finds the samples of a row that are not finite in every channel, and makes them 0 in all; computes the guide of the others.
    /// `samples`: the solved channels of the image, one after the other, dense.
    void beginRow(double* samples, std::int64_t y, std::int64_t z);
    /// To be called when all rows have begun.
    bool findsAllFinite() const;
    /// To be called then. Whether the weights need arrays; `allFinite`: in all parts of the image.
    bool needsEdges(bool allFinite);
    /// Computes the weights from the samples of a row to the next ones along each axis.
    void weighRow(const double* samples, std::int64_t y, std::int64_t z);

    /// The system, with pointers into this object.
    solvers::Stencil stencil() const;
    bool isFinite(std::int64_t index) const { return finite_[static_cast<std::size_t>(index)] != 0; }
    static std::uint64_t bytes(const DiffusePlan& plan, const Shape& shape, bool allFinite);

private:
    double weight(const double* samples, int axis, std::int64_t i, std::int64_t j) const;

    const DiffusePlan& plan_;
    Shape shape_;
    bool hasEdges_ = false;
    HostVector<double> edges_[3], guide_;
    HostVector<std::uint8_t> finite_;
};

}  // namespace parallax
