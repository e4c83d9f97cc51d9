// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_part.hpp"

#include <ImfChannelList.h>

#include <algorithm>
#include <filesystem>

#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/exr/exr_deep.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {

std::int64_t bandLines(Imf::Compression compression, const Shape& shape, int threads) {
    const std::int64_t blockLines = exrBlockLines(compression);
    constexpr std::int64_t kBlocksPerThread = 8, kMaxSamples = std::int64_t{64} << 20;
    std::int64_t lines = kBlocksPerThread * threads * blockLines;
    lines = std::min(lines, std::max(kMaxSamples / std::max<std::int64_t>(1, shape.width * shape.channels), 2 * threads * blockLines));
    return (lines + 255) / 256 * 256;
}

Imf::FrameBuffer planarFrame(View<float> v, const std::vector<std::string>& names, const Imath::Box2i& window) {
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < names.size(); ++c) {
        // OpenEXR addresses samples from pixel (0, 0), which may lie outside.
        const std::ptrdiff_t toOrigin = static_cast<std::ptrdiff_t>(window.min.y) * v.rowStride + window.min.x;
        frame.insert(names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(v.row(0, 0, static_cast<std::int64_t>(c)) - toOrigin),
                                          sizeof(float), sizeof(float) * static_cast<std::size_t>(v.rowStride)));
    }
    return frame;
}

std::vector<ExrPlane> planesOf(const Imf::Header& header, const std::vector<std::string>& names, const View<float>& view) {
    std::vector<ExrPlane> planes;
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it) {
        const auto name = std::find(names.begin(), names.end(), it.name());
        planes.push_back(name == names.end() ? ExrPlane{} : ExrPlane{view.row(0, 0, name - names.begin()), view.rowStride});
    }
    return planes;
}

std::size_t rowsOfChunks(const Imf::Header& header, const ExrChunks& chunks, const Shape& shape, int threads) {
    const std::size_t across = chunks.across(), rows = chunks.all().size() / across;
    if (chunks.tiled()) return std::clamp<std::size_t>((8 * static_cast<std::size_t>(threads) + across - 1) / across, 1, rows);
    return static_cast<std::size_t>(bandLines(header.compression(), shape, threads) / exrBlockLines(header.compression()));
}

CheckedHeader checkHeader(const std::string& path, const Imf::MultiPartInputFile& file, const ExrSelection& selection, std::uint64_t tables,
                          const LoadOptions& options) {
    const Imf::Header& header = file.header(selection.part);
    if (isDeepPart(header)) refuseFile(path, "it holds deep data, which are only read as a whole", "Leave out --strips");
    const Imath::Box2i window = header.dataWindow();
    const std::int64_t width = std::int64_t{window.max.x} - window.min.x + 1, height = std::int64_t{window.max.y} - window.min.y + 1;
    const std::vector<std::string>& names = selection.stored;
    if (width <= 0 || height <= 0 || names.empty()) refuseFile(path, "its header describes no pixels");
    const std::uint64_t bytes = std::filesystem::file_size(path);
    const bool cosine = header.compression() == Imf::DWAA_COMPRESSION || header.compression() == Imf::DWAB_COMPRESSION;
    const std::uint64_t ratio = cosine ? kStrongRatio : kDeflateRatio;
    checkHeld(path, {width, height, 1, static_cast<std::int64_t>(names.size())}, bytes, ratio);

    bool subsampled = false;
    for (const auto& n : names) subsampled |= header.channels()[n].xSampling != 1 || header.channels()[n].ySampling != 1;
    // A tile is decoded as a whole, however small the image.
    constexpr std::int64_t kLargestTile = 8192;
    if (isTiledPart(header) && header.hasTileDescription()) {
        const Imf::TileDescription& t = header.tileDescription();
        if (t.xSize > std::max<std::int64_t>(width, kLargestTile) || t.ySize > std::max<std::int64_t>(height, kLargestTile))
            refuseFile(path, "its header declares tiles of " + std::to_string(t.xSize) + " x " + std::to_string(t.ySize) + " pixels");
        checkPlausible(path, {t.xSize, t.ySize, 1, static_cast<std::int64_t>(names.size())}, bytes, ratio, options);
    }
    return {window, {width, height, 1, static_cast<std::int64_t>(names.size())}, selection, tables, subsampled};
}

}  // namespace parallax
