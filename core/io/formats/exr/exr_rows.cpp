// SPDX-License-Identifier: GPL-3.0-or-later
// Reads rows of a file that is larger than memory.
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/image/error.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/exr/exr_errors.hpp"
#include "core/io/formats/exr/exr_header.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"
#include "core/io/formats/exr/exr_part.hpp"

namespace parallax {

struct ExrRowReader::State {
    std::string path;
    LoadOptions options;
    int threads = 1;
    std::unique_ptr<Imf::MultiPartInputFile> file;
    std::unique_ptr<Imf::InputPart> part;
    std::unique_ptr<ExrChunks> chunks;
    CheckedHeader checked;
    Shape shape;
    Image description;
};

ExrRowReader::ExrRowReader(const std::string& path, const LoadOptions& options, const std::string& choice)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.path = path;
    s.options = options;
    withReason(path, [&] {
        s.threads = useExrThreads(options.threads);
        const std::uint64_t tables = checkExrHeaders(path);
        s.file = std::make_unique<Imf::MultiPartInputFile>(path.c_str(), s.threads);
        s.checked = checkHeader(path, *s.file, selectExr(path, *s.file, choice), tables, options);
        s.shape = s.checked.shape;
        if (s.checked.subsampled)
            throw Error(ErrorCode::unavailable, "Cannot read '" + path + "' in strips", "some of its channels have a lower resolution",
                        "Leave out --strips");
        s.description = Image(Buffer(Shape{1, 1, 1, s.shape.channels}), s.checked.selection.names);
        describeExr(s.description, *s.file, s.checked.selection);
        s.chunks = std::make_unique<ExrChunks>(path, *s.file, s.checked.selection.part, tables);
        s.part = std::make_unique<Imf::InputPart>(*s.file, s.checked.selection.part);
    });
}

ExrRowReader::~ExrRowReader() = default;
const Image& ExrRowReader::description() const { return state_->description; }
const Shape& ExrRowReader::shape() const { return state_->shape; }

void ExrRowReader::read(std::int64_t row, const View<float>& to) {
    State& s = *state_;
    std::vector<ExrChunk> needed;
    for (const ExrChunk& chunk : s.chunks->all())
        if (chunk.y < row + to.shape.height && chunk.y + chunk.height > row) needed.push_back(chunk);
    const auto refuse = [&](const ExrChunk& chunk, const std::string& why) {
        refuseFile(s.path, "rows " + std::to_string(chunk.y) + " to " + std::to_string(chunk.y + chunk.height - 1) +
                               " cannot be read: " + reasonOf(why, s.path));
    };
    LoadOptions options = s.options;
    options.threads = s.threads;
    options.progress = {};
    const std::vector<ExrPlane> planes = planesOf(s.file->header(s.checked.selection.part), s.checked.selection.stored, to);
    runTasks(static_cast<std::int64_t>(needed.size()), options, {}, [&](std::int64_t i) {
        const ExrChunk& chunk = needed[static_cast<std::size_t>(i)];
        ExrChunkWork work(s.path);
        try {
            if (s.chunks->decodable()) s.chunks->decode(chunk, work, planes, row, row + to.shape.height);
            else if (const std::string why = s.chunks->damage(chunk, work); !why.empty()) refuse(chunk, why);
        } catch (const std::runtime_error& e) {
            refuse(chunk, e.what());
        }
    });
    if (s.chunks->decodable()) return;
    // OpenEXR addresses rows from 0 of pixel space.
    View<float> shifted = to;
    shifted.data -= row * to.rowStride;
    const std::int64_t step = bandLines(s.file->header(s.checked.selection.part).compression(), s.shape, s.threads);
    for (std::int64_t y = row; y < row + to.shape.height; y += step) {
        s.options.throwIfStopped();
        const std::int64_t end = std::min(row + to.shape.height, y + step);
        try {
            s.part->setFrameBuffer(planarFrame(shifted, s.checked.selection.stored, s.checked.window));
            s.part->readPixels(static_cast<int>(s.checked.window.min.y + y), static_cast<int>(s.checked.window.min.y + end - 1));
        } catch (const std::exception& e) {
            rethrowIfOutOfMemory(e);
            refuse({0, y, 0, end - y, 0}, e.what());
        }
    }
}

std::uint64_t ExrRowReader::workBytes() const {
    const State& s = *state_;
    const Imf::Header& header = s.file->header(s.checked.selection.part);
    const auto rowBytes = static_cast<std::uint64_t>(s.shape.width * s.shape.channels) * sizeof(float);
    if (!isTiledPart(header)) return exrBlockBytes(header.compression(), rowBytes, s.shape.height, s.threads);
    // One decoded row of tiles, and two tiles per thread.
    const Imf::TileDescription& t = header.tileDescription();
    const std::uint64_t tile = std::uint64_t{t.xSize} * t.ySize * static_cast<std::uint64_t>(s.shape.channels) * sizeof(float);
    return rowBytes * t.ySize + 3 * tile * 2 * static_cast<std::uint64_t>(s.threads);
}

}  // namespace parallax
