// SPDX-License-Identifier: GPL-3.0-or-later
// Images and runs of the tests of solvers.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/image.hpp"

namespace parallax {

inline float sampleAt(std::int64_t i) { return static_cast<float>((i * 7919 + 13) * (i + 17) % 256 + 1) / 64; }

template <class F>
Image makeImage(const Shape& shape, F&& value) {
    Buffer buffer(shape);
    std::int64_t i = 0;
    const View<float> v = buffer.view<float>();
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < shape.width; ++x) v.at(x, y, z, c) = value(i++);
    return Image(std::move(buffer));
}

inline RunResult runReference(const std::string& step, Image image) {
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(processCatalog(), step));
    RunContext context;
    return Engine(processCatalog())
        .run(pipeline, std::make_shared<const Image>(std::move(image)), Target{.backend = "reference", .variant = {}}, context);
}

inline double valueOf(const std::vector<StatisticRecord>& statistics, const std::string& key) {
    for (const StatisticRecord& s : statistics)
        if (s.key == key) return s.value;
    return std::nan("");
}

}  // namespace parallax
