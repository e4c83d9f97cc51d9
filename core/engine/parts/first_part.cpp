// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/first_part.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/parts/part_views.hpp"
#include "core/image/buffer.hpp"

namespace parallax {
namespace {

void copySamples(const View<const float>& from, const View<float>& to) {
    for (std::int64_t c = 0; c < from.shape.channels; ++c)
        for (std::int64_t z = 0; z < from.shape.depth; ++z)
            for (std::int64_t y = 0; y < from.shape.height; ++y) std::copy_n(from.row(y, z, c), from.shape.width, to.row(y, z, c));
}

}  // namespace

void runOnFirstPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                    const std::function<void(const View<const float>& input, const View<float>& output)>& run) {
    const Partition parts = placesOf(communicator, static_cast<std::size_t>(part.range.count()));
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    const auto exchange = [&] { communicator.startExchange(std::exchange(sends, {}), std::exchange(receives, {}))->finish(); };
    if (communicator.rank() > 0) {
        if (!part.range.empty()) sends.push_back({0, input});
        exchange();
        if (!part.range.empty()) receives.push_back({0, output});
        return exchange();
    }
    Buffer whole(part.image), result(part.image);
    const View<float> in = whole.view<float>(), out = result.view<float>();
    for (int r = 1; r < parts.parts(); ++r)
        if (!parts[r].empty()) receives.push_back({r, viewOf(in, parts[r])});
    if (!part.range.empty()) copySamples(input, viewOf(in, part.range));
    exchange();
    run(in, out);
    for (int r = 1; r < parts.parts(); ++r)
        if (!parts[r].empty()) sends.push_back({r, viewOf(View<const float>(out), parts[r])});
    if (!part.range.empty()) copySamples(viewOf(View<const float>(out), part.range), output);
    exchange();
}

}  // namespace parallax
