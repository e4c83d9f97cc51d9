// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/transform_execution.hpp"

namespace parallax {

void PartTransformExecution::run(std::span<const View<const float>>, std::span<const View<float>>, RunContext&) {
    throw Error(ErrorCode::failed, "This execution was prepared for a part of an image");
}

void PartTransformExecution::runPart(const ImagePart&, const View<const float>& input, const View<float>& output,
                                     Communicator& communicator, RunContext& context) {
    const View<const float> out = output, &image = inverse_ ? out : input, &rows = inverse_ ? input : out;
    transform_.divide(linesIn(image.shape, plan_.image), communicator, effectiveThreads(context));
    const Partition mosaic = placesOf(communicator, static_cast<std::size_t>(linesIn(rows.shape, plan_.mosaic)));
    const MosaicExchange exchange(transform_.levels(), mosaic);
    Shape own = transform_.levels().own().mosaic;
    own.channels = 1;
    if (own.samples() > 0 && (mosaic_.empty() || mosaic_.shape() != own)) mosaic_ = Buffer(own);
    const View<float> coefficients = own.samples() > 0 ? mosaic_.view<float>() : View<float>{};
    const std::int64_t channels = plan_.image.channels;
    ProgressShare progress(context.progress, output.shape.samples() == 0 ? 0 : output.shape.height * output.shape.depth * channels,
                           transform_.units(inverse_) * channels);
    for (std::int64_t c = 0; c < channels; ++c) {
        if (inverse_) {
            exchange.fromRows(input.channel(c), coefficients, communicator, context);
            transform_.inverse(coefficients, output.channel(c), communicator, context, progress);
        } else {
            transform_.forward(input.channel(c), coefficients, communicator, context, progress);
            exchange.toRows(coefficients, output.channel(c), communicator, context);
        }
    }
}

}  // namespace parallax
