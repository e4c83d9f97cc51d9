// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/ranks/save_parts.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "core/engine/parts/part_views.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/input_files.hpp"
#include "core/io/formats/raw/raw.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kStripBytes = std::int64_t{8} << 20;

/// What all formats need.
struct Parts {
    Communicator& communicator;
    const Image& description;
    const Partition& partition;
    const View<const float>& rows;
    const std::string& path;
    const SaveOptions& options;
    std::vector<std::string> notes{};

    const Shape& shape() const { return description.shape(); }
    bool isRoot() const { return communicator.rank() == 0; }
    /// Samples of a row of all channels, or of a slice.
    std::int64_t unit() const { return inSlices(shape()) ? shape().width * shape().height : shape().width * shape().channels; }
    std::int64_t unitsOf(std::int64_t bytes) const { return std::max<std::int64_t>(1, bytes / 4 / unit()); }
};

/// On rank 0: calls write(first, samples) for strips of all parts in ascending order, and receives the next one meanwhile. The other ranks
/// send theirs. `units`: rows or slices of a strip.
template <class F>
void stripsToRoot(const Parts& p, std::int64_t units, F&& write) {
    Communicator& c = p.communicator;
    const auto stripsOf = [&](int rank, auto&& each) {
        const PartRange& all = p.partition[rank];
        for (std::int64_t first = all.first; first < all.last; first += units) each(PartRange{first, std::min(first + units, all.last)});
    };
    const auto own = [&](const PartRange& strip) {
        const std::int64_t before = p.partition[c.rank()].first;
        return viewOf(p.rows, {strip.first - before, strip.last - before});
    };
    if (!p.isRoot()) {
        stripsOf(c.rank(), [&](const PartRange& strip) {
            p.options.throwIfStopped();
            c.startExchange({{0, own(strip)}}, {})->finish();
        });
        return;
    }
    stripsOf(0, [&](const PartRange& strip) { write(strip.first, own(strip)); });
    std::vector<std::pair<int, PartRange>> coming;
    for (int rank = 1; rank < c.size(); ++rank) stripsOf(rank, [&](const PartRange& strip) { coming.emplace_back(rank, strip); });
    std::array<Buffer, 2> buffers;
    std::array<std::unique_ptr<HaloExchange>, 2> exchanges;
    const auto receive = [&](std::size_t i) {
        if (i >= coming.size()) return;
        const auto& [rank, strip] = coming[i];
        Buffer& buffer = buffers[i % 2];
        if (const Shape shape = shapeOf(p.shape(), strip); buffer.empty() || buffer.shape() != shape) buffer = Buffer(shape);
        exchanges[i % 2] = c.startExchange({}, {{rank, buffer.view<float>()}});
    };
    receive(0);
    for (std::size_t i = 0; i < coming.size(); ++i) {
        std::exchange(exchanges[i % 2], nullptr)->finish();
        receive(i + 1);
        write(coming[i].second.first, std::as_const(buffers[i % 2]).view<float>());
    }
}

/// Number of ranks for which something holds, on each rank.
std::int64_t ranksWith(Communicator& communicator, bool holds) {
    std::array<std::int64_t, 1> count{holds ? 1 : 0};
    communicator.allReduce(count);
    return count[0];
}

/// Samples of one channel that lie in the file as in memory, converted to a type.
struct DenseSamples {
    std::uint64_t offset = 0;  ///< bytes before the first one
    NiftiType type = NiftiType::float32;
    std::int64_t bytes() const { return type == NiftiType::float32 ? 4 : 2; }
};

/// Writes dense samples from number `at` on, `write(offset, data, bytes)`.
template <class F>
void writeDense(const Parts& p, const DenseSamples& dense, std::int64_t at, const float* samples, std::int64_t count, F&& write) {
    std::vector<std::uint8_t> stored;
    for (std::int64_t done = 0; done < count; done += kStripBytes / 4) {
        p.options.throwIfStopped();
        const std::int64_t n = std::min(count - done, kStripBytes / 4);
        stored.resize(static_cast<std::size_t>(n * dense.bytes()));
        (void)storeNifti(dense.type, samples + done, static_cast<std::size_t>(n), stored.data());
        write(dense.offset + static_cast<std::uint64_t>((at + done) * dense.bytes()), stored.data(), stored.size());
    }
}

/// Writes the samples of all parts to a file of rank 0, null on the others: each rank its own if all can open it.
void writeDenseParts(const Parts& p, const DenseSamples& dense, AtomicFile* file) {
    Communicator& c = p.communicator;
    std::array<char, 4096> temporary{};
    if (file) std::strncpy(temporary.data(), file->temporaryPath().c_str(), temporary.size() - 1);
    c.broadcast(std::as_writable_bytes(std::span(temporary)), 0);
    std::optional<FilePart> part;
    if (!file) part.emplace(p.path, temporary.data());
    if (ranksWith(c, file || part->exists()) < c.size()) {
        stripsToRoot(p, p.unitsOf(kStripBytes), [&](std::int64_t first, const View<const float>& strip) {
            writeDense(p, dense, first * p.unit(), strip.data, strip.shape.samples(),
                       [&](std::uint64_t offset, const void* data, std::size_t bytes) { file->writeAt(offset, data, bytes); });
        });
        return;
    }
    if (const PartRange& own = p.partition[c.rank()]; !own.empty())
        writeDense(p, dense, own.first * p.unit(), p.rows.data, own.count() * p.unit(),
                   [&](std::uint64_t offset, const void* data, std::size_t bytes) {
                       if (file) file->writeAt(offset, data, bytes);
                       else part->writeAt(offset, data, bytes);
                   });
    if (part) part->sync();
    c.barrier();
}

void saveRawParts(const Parts& p) {
    if (!p.isRoot()) return writeDenseParts(p, {}, nullptr);
    checkKeepsInput(p.description.source.path, p.path);
    AtomicFile samples = AtomicFile::shared(p.path, p.options.overwrite);
    saveRawWith(p.description, p.path, p.options, samples, [&] { writeDenseParts(p, {}, &samples); });
}

/// The first type that holds the samples of all parts.
NiftiType niftiTypeOf(const Parts& p) {
    const std::vector<NiftiType> types = niftiTypes(p.description, p.options);
    const std::int64_t count = p.partition[p.communicator.rank()].count() * p.unit();
    std::vector<std::uint8_t> stored(static_cast<std::size_t>(kStripBytes));
    for (const NiftiType type : types) {
        bool fits = true;
        for (std::int64_t at = 0; fits && at < count; at += kStripBytes / 4)
            fits = storeNifti(type, p.rows.data + at, static_cast<std::size_t>(std::min(count - at, kStripBytes / 4)), stored.data());
        if (type == types.back() || ranksWith(p.communicator, fits) == p.communicator.size()) return type;
    }
    return NiftiType::float32;
}

void saveNiftiParts(Parts& p) {
    DenseSamples dense{0, niftiTypeOf(p)};
    if (!p.isRoot()) {
        p.communicator.broadcast(std::as_writable_bytes(std::span(&dense.offset, 1)), 0);
        return writeDenseParts(p, dense, nullptr);
    }
    const std::vector<std::uint8_t> head = niftiHeader(p.description, dense.type, p.notes);
    AtomicFile file = AtomicFile::shared(p.path, p.options.overwrite);
    file.write(head.data(), head.size());
    dense.offset = head.size();
    p.communicator.broadcast(std::as_writable_bytes(std::span(&dense.offset, 1)), 0);
    writeDenseParts(p, dense, &file);
    file.commit();
}

/// The types in the file, as writeExr() chooses them.
std::vector<ExrType> exrTypesOf(Parts& p) {
    std::vector<ExrType> types;
    for (std::int64_t c = 0; c < p.shape().channels; ++c) {
        ExrType type = wantedExrType(p.description, static_cast<std::size_t>(c), p.options.depth);
        const bool fits = p.partition[p.communicator.rank()].empty() || holds(type, p.rows.channel(c));
        if (ranksWith(p.communicator, fits) < p.communicator.size()) {
            const std::string& name = p.description.channelNames()[static_cast<std::size_t>(c)];
            if (type == ExrType::half)
                p.notes.push_back(p.options.depth == StoredDepth::half ? halfBecameInfinite(name) : halfBecameFloat(name));
            if (p.options.depth != StoredDepth::half) type = ExrType::float32;
        }
        types.push_back(type);
    }
    return types;
}

void saveExrParts(Parts& p) {
    std::vector<ExrType> types = exrTypesOf(p);
    std::int64_t units = 0;
    if (!p.isRoot()) {
        p.communicator.broadcast(std::as_writable_bytes(std::span(&units, 1)), 0);
        return stripsToRoot(p, units, [](std::int64_t, const View<const float>&) {});
    }
    AtomicFile file(p.path, p.options.overwrite);
    {
        ExrRowWriter writer(file, p.description, p.shape(), std::move(types), p.options);
        units = writer.rowsAtOnce();
        p.communicator.broadcast(std::as_writable_bytes(std::span(&units, 1)), 0);
        stripsToRoot(p, units, [&](std::int64_t, const View<const float>& strip) { writer.write(strip); });
    }
    file.commit();
}

/// Rank 0 takes all samples.
void saveGathered(Parts& p) {
    Image whole;
    if (p.isRoot()) whole = p.description.withSamples(Buffer(p.shape()));
    stripsToRoot(p, p.unitsOf(kStripBytes), [&](std::int64_t first, const View<const float>& strip) {
        const std::int64_t units = inSlices(p.shape()) ? strip.shape.depth : strip.shape.height;
        const View<float> to = viewOf(whole.view(), {first, first + units});
        for (std::int64_t c = 0; c < strip.shape.channels; ++c)
            for (std::int64_t z = 0; z < strip.shape.depth; ++z)
                for (std::int64_t y = 0; y < strip.shape.height; ++y) std::copy_n(strip.row(y, z, c), strip.shape.width, to.row(y, z, c));
    });
    if (p.isRoot()) p.notes = saveImage(whole, p.path, p.options);
}

}  // namespace

std::vector<std::string> saveParts(Communicator& communicator, const Image& description, const Partition& partition,
                                   const View<const float>& rows, const std::string& path, const SaveOptions& options) {
    checkSavable(path, options);
    checkHolds(path, description.shape());
    Parts p{communicator, description, partition, rows, path, options};
    const std::string extension = lowerExtension(path);
    if (extension != "exr" && extension != "raw" && extension != "nii") {
        saveGathered(p);
        return std::move(p.notes);
    }
    noteLostFacts(description, path, p.notes);
    try {
        if (extension == "exr") saveExrParts(p);
        else if (extension == "raw") saveRawParts(p);
        else saveNiftiParts(p);
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        throw Error(ErrorCode::output, "Cannot write '" + path + "'", e.what(), "Free some space or choose another folder");
    }
    return std::move(p.notes);
}

}  // namespace parallax
