// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/transfer_curve.hpp"

#include <algorithm>
#include <cmath>

namespace parallax {
namespace {

constexpr int kPoints = 257;
/// Darker than this part of the largest luminance is black on any display.
constexpr double kDarkest = 1e-8;

double receptor(const ToneMappingPlan& plan, const ToneConstants& k, double luminance) {
    const ToneMappingParameters& p = plan.parameters;
    const double sample = tone::positive((luminance - k.low) * k.perRange);
    double sum = 0;  // grey in, and the channels differ by their means alone
    for (int c = 0; c < plan.channels(); ++c) {
        const double adapted = tone::adaptation(sample, sample, k.average[c], p.chromatic, p.light);
        sum += plan.weights.c[c] * tone::photoreceptor(sample, adapted, k.f, k.m);
    }
    return (sum - k.mappedLow) * k.mappedPerRange;
}

}  // namespace

TransferCurve toneTransferCurve(const ToneMappingPlan& plan, const ToneConstants& constants, const AdjustmentCurve* curve, double smallest,
                                double largest) {
    const ToneMappingParameters& p = plan.parameters;
    TransferCurve points;
    if (p.op == ToneOperator::gradient || (p.op == ToneOperator::local && p.output == ToneOutput::scale)) return points;
    const double first = std::max(smallest, largest * kDarkest);
    if (!(first > 0) || !(largest > first) || !std::isfinite(largest)) return points;
    const auto add = [&](double luminance) {
        double display = 0;
        switch (p.op) {
            case ToneOperator::global: display = luminance * tone::globalFactor(luminance, constants.q, constants.k); break;
            case ToneOperator::local: display = luminance * tone::localFactor(luminance, constants.q); break;
            case ToneOperator::photoreceptor: display = receptor(plan, constants, luminance); break;
            case ToneOperator::histogram: display = curve ? (*curve)(luminance, p.delta) : 0; break;
            case ToneOperator::gradient: break;
        }
        display = encodedValue(p, display);
        if (!std::isfinite(display)) return;
        points.input.push_back(luminance);
        points.output.push_back(display);
    };
    if (curve && !curve->cumulative.empty()) {
        // It bends at the edges of the bins alone.
        add(first);
        double last = first;
        for (int i = 1; i < curve->scale.bins; ++i) {
            const double edge = std::exp(curve->scale.first + i / curve->scale.perUnit) - p.delta;
            if (edge <= last || edge >= largest) continue;
            add(edge);
            last = edge;
        }
        add(largest);
        return points;
    }
    for (int i = 0; i < kPoints; ++i) add(i + 1 == kPoints ? largest : first * std::pow(largest / first, i / (kPoints - 1.0)));
    return points;
}

}  // namespace parallax
