// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep.hpp"

#include <charconv>

#include "parallax/image/error.hpp"
#include "parallax/image/synthetic.hpp"

namespace parallax::cli {
namespace {

constexpr int kLargestSize = 1 << 20;

[[noreturn]] void refuse(const std::string& sweep, const std::string& why) {
    throw Error(ErrorCode::usage, "'" + sweep + "' is no sweep", why, "Write size=512,1024 or threads=1,2,4 or convolve.size=3,5,7");
}

int wholeNumber(const std::string& sweep, const std::string& text, int maximum) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > maximum)
        refuse(sweep, "'" + text + "' is not a whole number from 1 to " + std::to_string(maximum));
    return value;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == ',') parts.emplace_back();
        else parts.back() += c;
    return parts;
}

struct Sweep {
    std::string axis;
    std::vector<std::string> values;
};

Sweep parse(const std::string& sweep) {
    const auto equals = sweep.find('=');
    if (equals == std::string::npos || equals + 1 == sweep.size()) refuse(sweep, "values are missing");
    return {sweep.substr(0, equals), split(sweep.substr(equals + 1))};
}

/// Everything of a point but its input.
SweepPoint withValue(const std::string& sweep, const std::string& axis, const std::string& value, SweepPoint point) {
    point.name = axis + "=" + value;
    if (axis == "size") {
        (void)wholeNumber(sweep, value, kLargestSize);
    } else if (axis == "threads") {
        const int threads = wholeNumber(sweep, value, 4096);
        for (Target& t : point.targets) t.threads = threads;
    } else {
        const auto dot = axis.find('.');
        if (dot == std::string::npos) refuse(sweep, "'" + axis + "' is neither size, threads nor OPERATION.parameter");
        bool found = false;
        for (Step& s : point.pipeline.steps)
            if (s.operation->id() == axis.substr(0, dot)) {
                s.parameters.setText(axis.substr(dot + 1), value);
                found = true;
            }
        if (!found) refuse(sweep, "the pipeline has no operation '" + axis.substr(0, dot) + "'");
    }
    return point;
}

/// A square image of the same content: generated anew, or the image repeated and cut.
ImagePtr resized(const Image& image, int size) {
    if (isSynthetic(image.source.path)) {
        SyntheticRequest request = parseSynthetic(image.source.path);
        request.shape.width = request.shape.height = size;
        return std::make_shared<Image>(makeSynthetic(request));
    }
    Shape shape = image.shape();
    shape.width = shape.height = size;
    Image square = image.withSamples(Buffer(shape));
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < size; ++y)
                for (std::int64_t x = 0; x < size; ++x)
                    square.view().at(x, y, z, c) = image.view().at(x % image.shape().width, y % image.shape().height, z, c);
    return std::make_shared<Image>(std::move(square));
}

}  // namespace

void checkSweep(const std::string& sweep, const Pipeline& pipeline) {
    if (sweep.empty()) return;
    const Sweep parsed = parse(sweep);
    for (const std::string& value : parsed.values) (void)withValue(sweep, parsed.axis, value, {{}, nullptr, pipeline, {}});
}

void forEachPoint(const std::string& sweep, const SweepPoint& base, const std::function<void(const SweepPoint&)>& visit) {
    if (sweep.empty()) return visit(base);
    const Sweep parsed = parse(sweep);
    for (const std::string& value : parsed.values) {
        SweepPoint point = withValue(sweep, parsed.axis, value, base);
        if (parsed.axis == "size") point.input = resized(*base.input, wholeNumber(sweep, value, kLargestSize));
        visit(point);
    }
}

}  // namespace parallax::cli
