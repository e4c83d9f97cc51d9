// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/wavelet/parts/transform.hpp"

#include "core/image/host/host_vector.hpp"

namespace parallax {

/// A level of the reference: one line after the other in double, as SerialTransform does it, with the same bits.
template <class T>
class SerialPasses final : public LevelPasses<T> {
public:
    void divide(const PartLevels& levels, int threads) override;
    std::int64_t units(bool inverse) const override;
    void analyse(int level, const typename LevelPasses<T>::Input& input, const View<T>& mosaic, const View<double>& approximation,
                 const RunContext& context, ProgressShare& progress) override;
    void synthesise(int level, const typename LevelPasses<T>::Bands& bands, const typename LevelPasses<T>::Output& output,
                    const RunContext& context, ProgressShare& progress) override;

private:
    using Extent = std::array<std::int64_t, 3>;
    /// Samples along an axis of the box before its pass and after it, of a level.
    struct Pass {
        std::size_t axis = 0;
        Extent before{};  ///< of all axes
        std::int64_t after = 0;
    };
    std::vector<Pass> passes(int level, bool inverse) const;
    /// Lines that the rank reads, its own and those of the halo, ascending.
    std::vector<std::int64_t> window(int level, const LineHalo& halo) const;
    void makeBox(const std::vector<Pass>& passes);
    template <class F>
    void forEachLine(const Pass& pass, const RunContext& context, ProgressShare& progress, F&& f);

    const PartLevels* levels_ = nullptr;
    HostVector<double> box_;
    View<double> view_;
};

}  // namespace parallax
