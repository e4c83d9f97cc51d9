// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/transform.hpp"

#include <utility>

namespace parallax {

std::int64_t linesIn(const Shape& view, const Shape& whole) { return view.samples() == 0 ? 0 : whole.depth > 1 ? view.depth : view.height; }

template <class T>
void PartTransform<T>::divide(std::int64_t own, Communicator& communicator, int threads) {
    const Partition image = placesOf(communicator, static_cast<std::size_t>(own));
    if (levels_ && levels_->partition(0) == image && levels_->rank() == communicator.rank()) return;
    levels_ = std::make_unique<PartLevels>(plan_, plan_.image.depth > 1 ? 2 : 1, image, communicator.rank());
    approximations_.clear();
    halos_.clear();
    halos_.resize(static_cast<std::size_t>(plan_.levels) + 1);
    for (int level = 1; level < plan_.levels; ++level) {
        Shape shape = levels_->own().levelShape(level);
        shape.channels = 1;
        approximations_.push_back(shape.samples() > 0 ? Buffer(shape, SampleType::float64) : Buffer());
    }
    passes_->divide(*levels_, threads);
}

template <class T>
Shape PartTransform<T>::levelShape(int level) const {
    Shape shape = plan_.levelShape(level);
    shape.channels = 1;
    return shape;
}

/// Without data for the last level, whose approximation is in the mosaic, and for ranks without lines of it.
template <class T>
View<double> PartTransform<T>::approximation(int level) {
    if (level == plan_.levels || levels_->range(level).empty()) return {};
    return approximations_[static_cast<std::size_t>(level) - 1].template view<double>();
}

template <class T>
void PartTransform<T>::forward(const View<const float>& image, const View<T>& mosaic, Communicator& communicator, const RunContext& context,
                               ProgressShare& progress) {
    for (int level = 1; level <= plan_.levels; ++level) {
        typename LevelPasses<T>::Input input;
        const auto exchange = [&]<class In>(const View<const In>& own, PartLines<In>& to) {
            LineExchange<In> lines(*levels_, level - 1, levels_->analysisHalo(level));
            to = lines.add(own, levelShape(level - 1), halos_[static_cast<std::size_t>(level) - 1][8]);
            lines.run(communicator, context);
        };
        if (level == 1) exchange(image, input.image);
        else exchange(View<const double>(approximation(level - 1)), input.approximation);
        context.throwIfStopped();
        if (!levels_->range(level).empty()) passes_->analyse(level, input, mosaic, approximation(level), context, progress);
    }
}

template <class T>
void PartTransform<T>::inverse(const View<const T>& mosaic, const View<float>& image, Communicator& communicator, const RunContext& context,
                               ProgressShare& progress) {
    for (int level = plan_.levels; level >= 1; --level) {
        typename LevelPasses<T>::Bands bands;
        LineExchange<T> coefficients(*levels_, level, levels_->synthesisHalo(level));
        LineExchange<double> approximations(*levels_, level, levels_->synthesisHalo(level));
        std::array<Buffer, 9>& halos = halos_[static_cast<std::size_t>(level)];
        bands.bands[0].shape = levelShape(level);
        for (const WaveletBand& band : levels_->own().bands()) {
            if (band.level != level) continue;
            View<const T> own = mosaic;
            if (band.samples() > 0) {
                own.data = &mosaic.at(band.origin[0], band.origin[1], band.origin[2]);
                own.shape = {band.extent[0], band.extent[1], band.extent[2], 1};
            }
            bands.bands[band.details] = coefficients.add(own, levelShape(level), halos[band.details]);
        }
        if (level < plan_.levels)
            bands.approximation = approximations.add(View<const double>(approximation(level)), levelShape(level), halos[8]);
        coefficients.run(communicator, context);
        approximations.run(communicator, context);
        context.throwIfStopped();
        if (levels_->range(level - 1).empty()) continue;
        const typename LevelPasses<T>::Output output{level == 1 ? image : View<float>{},
                                                     level == 1 ? View<double>{} : approximation(level - 1)};
        passes_->synthesise(level, bands, output, context, progress);
    }
}

template class PartTransform<float>;
template class PartTransform<double>;

}  // namespace parallax
