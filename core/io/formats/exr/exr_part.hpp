// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the readers of an OpenEXR part.
#pragma once

#include <ImathBox.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/image/view.hpp"
#include "core/io/formats/exr/exr_chunks.hpp"
#include "core/io/formats/exr/exr_selection.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// Header of a part whose sizes were checked.
struct CheckedHeader {
    Imath::Box2i window;
    Shape shape;
    ExrSelection selection;
    std::uint64_t tables = 0;  ///< offset of the tables of chunks
    bool subsampled = false;
};
/// Throws Error(input) for impossible sizes and deep data. `tables`: offset of the tables of chunks.
CheckedHeader checkHeader(const std::string& path, const Imf::MultiPartInputFile& file, const ExrSelection& selection, std::uint64_t tables,
                          const LoadOptions& options);

/// Lines decoded in one call: many blocks per thread, but few enough to notice a cancellation promptly. A multiple of 256, so that no block
/// of any compression is decoded twice.
std::int64_t bandLines(Imf::Compression compression, const Shape& shape, int threads);
/// Rows of chunks that OpenEXR decodes in one call: eight chunks a thread, for the same reasons.
std::size_t rowsOfChunks(const Imf::Header& header, const ExrChunks& chunks, const Shape& shape, int threads);

Imf::FrameBuffer planarFrame(View<float> v, const std::vector<std::string>& names, const Imath::Box2i& window);
/// Planes of full resolution in the order of the file's channel list, without data for channels that are not in `names`.
std::vector<ExrPlane> planesOf(const Imf::Header& header, const std::vector<std::string>& names, const View<float>& view);

}  // namespace parallax
