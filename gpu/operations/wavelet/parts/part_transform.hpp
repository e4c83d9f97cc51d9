// SPDX-License-Identifier: GPL-3.0-or-later
// The transform of one part of an image or volume, on its device: see README.md (Several devices).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/wavelet/parts/exchange.hpp"
#include "core/parallel/communicator.hpp"
#include "gpu/operations/wavelet/band_groups.hpp"
#include "gpu/operations/wavelet/parts/part_windows.hpp"
#include "gpu/operations/wavelet/transform.hpp"

namespace parallax::gpu {

/// Lines of a level on a device, slices or rows one after the other.
struct LineMemory {
    float* data = nullptr;
    std::int64_t begin = 0;              ///< line at `data`
    std::int64_t pitch = 0, height = 1;  ///< of a line: samples from row to row, and rows
    bool slices = false;

    std::int64_t stride() const { return pitch * height; }
    float* at(std::int64_t line) const { return data + (line - begin) * stride(); }
    /// Lines from this one on, for the kernels.
    Strided<float> from(std::int64_t line) const { return {at(line), pitch, slices ? stride() : 0}; }
    /// Whole lines, padding included.
    View<float> lines(std::int64_t first, std::int64_t count) const {
        return denseView(at(first), slices ? Shape{pitch, height, count, 1} : Shape{pitch, count, 1, 1});
    }
};

/// Whether the kernels work on parts of this transform: those of an image are rows, those of a volume slices.
Distribution waveletDistribution(const WaveletPlan& plan);

/// All parts call the same functions in the same order, also those without lines.
class PartTransform {
public:
    struct Use {
        bool forward = true, inverse = false;  ///< directions
        std::vector<int> channels{};           ///< of the image that are transformed
        int mosaics = 1;                       ///< channels of coefficients that are kept at the same time
        std::int64_t smallLevel = PartWindows::kSmallLevel;
    };
    PartTransform(const WaveletPlan& plan, WaveletVariant variant, const Use& use, const CudaSession& session)
        : plan_(plan), variant_(variant), use_(use), session_(session) {}

    /// Prepares for a division of the lines of the image, of which this part has `own`. Returns whether it is another one than before.
    bool divide(std::int64_t own, Communicator& communicator);
    const PartLevels& levels() const { return *levels_; }
    /// Units of progress of one channel.
    std::int64_t units(bool forward) const;

    /// Copies channels between the part's lines of the image and those that it keeps, which include what level 1 needs of other parts.
    void takeImage(const View<const float>& rows, Communicator& communicator);
    void giveImage(const View<float>& rows);
    /// Moves coefficients between the parts that compute them and those that have their rows or slices in the mosaic.
    /// Exchanges coefficients with another transform of the same plan and division, and shares them.
    void swapMosaics(PartTransform& other, Communicator& communicator);
    /// The part has `own` of these. Coefficients that are taken are shared.
    void takeMosaic(const View<const float>& rows, std::int64_t own, Communicator& communicator);
    void giveMosaic(const View<float>& rows, std::int64_t own, Communicator& communicator);

    /// Copies coefficients that the inverse of other parts needs, for one that follows forward().
    void shareCoefficients(int mosaic, Communicator& communicator);

    /// The part's coefficients of these bands, which are those of one level and then those of the next finer one, in the memory of
    /// `mosaic`.
    std::vector<BandsInMemory> bandsInMemory(const std::vector<WaveletBand>& bands, int mosaic);

    /// Enqueue the transform of a channel. The inverse needs shared coefficients.
    /// `image`: index in Use::channels.
    void forward(int image, int mosaic, Communicator& communicator, const RunContext& context, ProgressShare& progress);
    void inverse(int mosaic, int image, Communicator& communicator, const RunContext& context, ProgressShare& progress);

    /// Device memory of the largest of so many parts.
    static std::uint64_t deviceBytes(const WaveletPlan& plan, WaveletVariant variant, const Use& use, int parts);

private:
    /// The coefficients of a level; along the divided axis those of the low filter, then those of the high filter.
    struct LevelMemory {
        LineMemory low, high;
    };
    std::size_t axis() const { return levels_->axis(); }
    void makeTransforms();
    std::unique_ptr<DeviceTransform> makeTransform(int level, bool forward, const LevelSlab& slab) const;
    LineMemory samples(int level, int channel, bool forward);
    LevelMemory coefficients(int level, int channel);
    /// Where a box of a band begins.
    Strided<float> boxInBand(const MosaicBox& box, int channel);
    void moveBoxes(const View<const float>* fromRows, const View<float>* toRows, const Partition& mosaic, Communicator& communicator);
    static void exchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives, Communicator& communicator,
                         const RunContext& context);
    static void addCopies(const std::vector<LineCopy>& copies, const LineMemory& memory, int rank, std::vector<HaloSend>& sends,
                          std::vector<HaloReceive>& receives);

    WaveletPlan plan_;
    WaveletVariant variant_;
    Use use_;
    const CudaSession& session_;
    std::optional<PartLevels> levels_;
    std::optional<PartWindows> windows_;
    std::vector<std::unique_ptr<DeviceTransform>> forward_, inverse_;  // of a level; null without results there
    std::vector<DeviceBuffer<float>> samples_;                         // of the approximation of a level; [0]: of the image, all channels
    std::vector<DeviceBuffer<float>> coefficients_;                    // of a level, all channels
    DeviceBuffer<float> boxes_;                                        // packed
};

}  // namespace parallax::gpu
