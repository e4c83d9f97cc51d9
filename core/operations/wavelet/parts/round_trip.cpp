// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/round_trip.hpp"

#include <algorithm>

namespace parallax {

template <class T>
void PartRoundTrip<T>::run(std::span<const View<const float>>, std::span<const View<float>>, RunContext&) {
    throw Error(ErrorCode::failed, "This execution was prepared for a part of an image");
}

template <class T>
void PartRoundTrip<T>::runPart(const ImagePart&, const View<const float>& input, const View<float>& output, Communicator& communicator,
                               RunContext& context) {
    const std::int64_t rows = input.shape.samples() == 0 ? 0 : input.shape.height * input.shape.depth;
    for (const int c : copied_)
        for (std::int64_t row = 0; row < rows; ++row) {
            context.throwIfStopped();
            const std::int64_t y = row % input.shape.height, z = row / input.shape.height;
            std::copy_n(input.row(y, z, c), input.shape.width, output.row(y, z, c));
            if (context.progress) context.progress->add();
        }
    transform_.divide(linesIn(input.shape, plan_.image), communicator, effectiveThreads(context));
    const PartLevels& levels = transform_.levels();
    Shape own = levels.own().mosaic;
    own.channels = 1;
    constexpr SampleType kType = sizeof(T) == sizeof(double) ? SampleType::float64 : SampleType::float32;
    if (own.samples() > 0 && (mosaic_.empty() || mosaic_.shape() != own)) mosaic_ = Buffer(own, kType);
    const View<T> mosaic = own.samples() > 0 ? mosaic_.view<T>() : View<T>{};
    const auto channels = static_cast<std::int64_t>(filtered_.size());
    ProgressShare progress(context.progress, rows * channels, (transform_.units(false) + transform_.units(true)) * channels);
    change_->begin(levels.own(), {&communicator, levels.axis()});
    for (const int c : filtered_) {
        transform_.forward(input.channel(c), mosaic, communicator, context, progress);
        change_->change(mosaic, c, context);
        transform_.inverse(mosaic, output.channel(c), communicator, context, progress);
    }
    change_->end();
}

template class PartRoundTrip<float>;
template class PartRoundTrip<double>;

}  // namespace parallax
