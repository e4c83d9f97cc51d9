// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/parts/part_execution.hpp"
#include "core/operations/wavelet/parts/coefficient_change.hpp"
#include "core/operations/wavelet/parts/transform.hpp"

namespace parallax {

/// Denoising or compression on parts: transform, change and inverse of the filtered channels; the others are copied. Coefficients stay with
/// the rank that computes them.
template <class T>
class PartRoundTrip final : public Execution, public PartExecution {
public:
    PartRoundTrip(const WaveletPlan& plan, std::vector<int> filtered, std::vector<int> copied, std::unique_ptr<LevelPasses<T>> passes,
                  std::unique_ptr<CoefficientChange<T>> change)
        : plan_(plan),
          filtered_(std::move(filtered)),
          copied_(std::move(copied)),
          transform_(plan, std::move(passes)),
          change_(std::move(change)) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override;
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override;
    std::vector<Statistic> statistics(RunContext&) override { return change_->statistics(); }
    double dataTolerance() const override { return change_->dataTolerance(); }

private:
    WaveletPlan plan_;
    std::vector<int> filtered_, copied_;
    PartTransform<T> transform_;
    std::unique_ptr<CoefficientChange<T>> change_;
    Buffer mosaic_;
};

}  // namespace parallax
