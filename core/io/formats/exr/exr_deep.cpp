// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_deep.hpp"

#include <ImathBox.h>
#include <ImfChannelList.h>
#include <ImfHeader.h>
#include <ImfPartType.h>
#include <ImfTileDescription.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/formats/exr/exr_errors.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"
#include "core/io/formats/exr/exr_unpack.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

/// A sample, or a part of one, between two depths; a point if they are equal.
struct Piece {
    double front = 0, back = 0;
    std::vector<double> values;
    bool sameRange(const Piece& other) const { return front == other.front && back == other.back; }
};

double clampedAlpha(double a) { return a > 0 ? std::min(a, 1.0) : 0; }  // 0 for NaN

/// Leaves a part of a homogeneous volume: `x` of its thickness.
void shorten(const DeepChannels& channels, double x, std::vector<double>& v) {
    const std::vector<double> whole = v;
    for (std::size_t c = 0; c < v.size(); ++c) {
        if (!channels.composited[c] || channels.alpha[c] < 0) continue;
        const double a = clampedAlpha(whole[static_cast<std::size_t>(channels.alpha[c])]);
        if (a == 1) continue;
        const double part = -std::expm1(x * std::log1p(-a));
        v[c] = a > std::numeric_limits<double>::min() ? whole[c] * (part / a) : whole[c] * x;
    }
}

/// Merges a sample with another one of the same range.
void merge(const DeepChannels& channels, const std::vector<double>& other, std::vector<double>& v) {
    const std::vector<double> first = v;
    for (std::size_t c = 0; c < v.size(); ++c) {
        if (!channels.composited[c]) continue;
        const int alpha = channels.alpha[c];
        const double a = alpha < 0 ? 1 : clampedAlpha(first[static_cast<std::size_t>(alpha)]),
                     b = alpha < 0 ? 1 : clampedAlpha(other[static_cast<std::size_t>(alpha)]);
        const double both = a + b - a * b;
        if (alpha == static_cast<int>(c)) v[c] = both;
        else if (a == 1 && b == 1) v[c] = (first[c] + other[c]) / 2;
        else if (b == 1) v[c] = other[c];
        else if (a < 1) {
            // Densities: colours are emitted along the way through both volumes.
            const double u = -std::log1p(-a), w = -std::log1p(-b);
            const double sum = first[c] * (a > 0 ? u / a : 1) + other[c] * (b > 0 ? w / b : 1);
            v[c] = both > 0 ? sum * both / (u + w) : sum;
        }
    }
}

/// Splits pieces at the depths where others begin or end, and merges those of the same range. Ordered by depth.
std::vector<Piece> tidied(const DeepChannels& channels, const std::vector<Piece>& pieces) {
    constexpr std::size_t kMaxPieces = std::size_t{1} << 16;
    std::vector<double> depths;
    for (const Piece& p : pieces) depths.insert(depths.end(), {p.front, p.back});
    std::sort(depths.begin(), depths.end());
    depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
    std::vector<Piece> split;
    for (const Piece& p : pieces) {
        auto from = std::lower_bound(depths.begin(), depths.end(), p.front);
        if (p.front == p.back) split.push_back(p);
        for (; *from < p.back; ++from) {
            if (split.size() >= kMaxPieces) throw std::runtime_error("a pixel has too many overlapping samples");
            Piece part{*from, *(from + 1), p.values};
            shorten(channels, (part.back - part.front) / (p.back - p.front), part.values);
            split.push_back(std::move(part));
        }
    }
    std::stable_sort(split.begin(), split.end(),
                     [](const Piece& a, const Piece& b) { return a.front != b.front ? a.front < b.front : a.back < b.back; });
    std::vector<Piece> merged;
    for (Piece& p : split) {
        if (!merged.empty() && merged.back().sameRange(p)) merge(channels, p.values, merged.back().values);
        else merged.push_back(std::move(p));
    }
    return merged;
}

/// A block in the image.
struct Block {
    std::int64_t x = 0, y = 0, width = 0, height = 0;
};

class DeepReader {
public:
    DeepReader(const std::string& path, Imf::MultiPartInputFile& file, int part, std::uint64_t tables, std::uint64_t allowed)
        : path_(path), header_(file.header(part)), multiPart_(file.parts() > 1), part_(part), tables_(tables), allowed_(allowed) {
        const Imath::Box2i& window = header_.dataWindow();
        width_ = std::int64_t{window.max.x} - window.min.x + 1;
        height_ = std::int64_t{window.max.y} - window.min.y + 1;
        for (int p = 0; p < part; ++p) tables_ += 8 * static_cast<std::uint64_t>(std::max(0, file.header(p).chunkCount()));
        tiled_ = isTiledPart(header_);
        runs_ = header_.compression() == Imf::RLE_COMPRESSION;
        if (header_.compression() != Imf::NO_COMPRESSION && !runs_ && header_.compression() != Imf::ZIPS_COMPRESSION)
            refuseFile(path, "its deep data have a compression that is not one of deep data");
        if (tiled_ && !header_.hasTileDescription()) refuseFile(path, "its header does not say how large its tiles are");
        blockWidth_ = tiled_ ? header_.tileDescription().xSize : width_;
        blockHeight_ = tiled_ ? header_.tileDescription().ySize : 1;
        constexpr std::int64_t kLargestTile = 8192;
        if (blockWidth_ < 1 || blockHeight_ < 1 || (tiled_ && (blockWidth_ > kLargestTile || blockHeight_ > kLargestTile)))
            refuseFile(path,
                       "its header declares tiles of " + std::to_string(blockWidth_) + " x " + std::to_string(blockHeight_) + " pixels");
        across_ = (width_ - 1) / blockWidth_ + 1;
        for (auto it = header_.channels().begin(); it != header_.channels().end(); ++it) {
            if (it.channel().xSampling != 1 || it.channel().ySampling != 1) refuseFile(path, "its deep data have a lower resolution");
            names_.emplace_back(it.name());
            types_.push_back(it.channel().type);
            sampleBytes_ += bytesOf(types_.back());
        }
        findRoles();
    }

    std::int64_t blocks() const { return across_ * ((height_ - 1) / blockHeight_ + 1); }
    Block block(std::int64_t index) const {
        const std::int64_t x = index % across_ * blockWidth_, y = index / across_ * blockHeight_;
        return {x, y, std::min(blockWidth_, width_ - x), std::min(blockHeight_, height_ - y)};
    }

    /// Flattens a block into the planes of `to`, which are the channels `chosen`. Throws std::runtime_error for damaged blocks.
    void flatten(std::int64_t index, ByteSource& file, const std::vector<std::size_t>& chosen, const View<float>& to,
                 const LoadOptions& options) const {
        const Block b = block(index);
        std::vector<std::uint8_t> packed, work, table(static_cast<std::size_t>(b.width * b.height) * 4), raw;
        const Place place = locate(index, file);
        unpack(file, place.table, place.tableBytes, packed, work, table);
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(b.width * b.height));
        std::uint64_t all = 0;
        for (std::int64_t y = 0; y < b.height; ++y) {
            // Sums along a row.
            std::int64_t before = 0;
            for (std::int64_t x = 0; x < b.width; ++x) {
                const auto i = static_cast<std::size_t>(y * b.width + x);
                const auto sum = exrNumber<std::int32_t>(table.data() + 4 * i);
                if (sum < before) throw std::runtime_error("the numbers of its deep samples are invalid");
                counts[i] = static_cast<std::uint32_t>(sum - before);
                before = sum;
            }
            all += static_cast<std::uint64_t>(before);
        }
        // Deflate compresses at most 1,032 times.
        constexpr std::uint64_t kMaxPacked = 1100;
        if (place.rawBytes != all * sampleBytes_ || place.rawBytes / kMaxPacked > place.dataBytes) throw std::runtime_error(kExrWrongSize);
        if (place.rawBytes > allowed_) throw std::runtime_error("a block has more deep samples than are allowed");
        raw.resize(place.rawBytes);
        unpack(file, place.table + place.tableBytes, place.dataBytes, packed, work, raw);
        std::vector<float> samples, flat(names_.size());
        std::vector<const float*> channels(names_.size());
        const std::uint8_t* at = raw.data();
        for (std::int64_t y = 0; y < b.height; ++y) {
            options.throwIfStopped();
            const auto* const row = counts.data() + y * b.width;
            const std::size_t n = std::accumulate(row, row + b.width, std::size_t{0});
            samples.resize(std::max<std::size_t>(1, n * names_.size()));
            for (std::size_t c = 0; c < names_.size(); ++c) {
                channels[c] = samples.data() + c * n;
                exrFloats(types_[c], at, static_cast<std::int64_t>(n), samples.data() + c * n);
                at += n * bytesOf(types_[c]);
            }
            for (std::int64_t x = 0; x < b.width; ++x) {
                flattenDeepPixel(roles_, channels, row[x], flat.data());
                for (std::size_t c = 0; c < names_.size(); ++c) channels[c] += row[x];
                for (std::size_t k = 0; k < chosen.size(); ++k) to.at(b.x + x, b.y + y, 0, static_cast<std::int64_t>(k)) = flat[chosen[k]];
            }
        }
    }

    std::size_t indexOf(const std::string& name) const {
        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    }
    bool tiled() const { return tiled_; }

private:
    static std::size_t bytesOf(int type) { return type == Imf::HALF ? 2 : 4; }

    void findRoles() {
        const auto find = [&](const std::string& name) {
            const std::size_t i = indexOf(name);
            return i < names_.size() ? static_cast<int>(i) : -1;
        };
        roles_.front = find("Z");
        roles_.back = find("ZBack");
        for (std::size_t c = 0; c < names_.size(); ++c) {
            const std::size_t dot = names_[c].rfind('.');
            const int own = dot == std::string::npos ? -1 : find(names_[c].substr(0, dot) + ".A");
            const bool depth = static_cast<int>(c) == roles_.front || static_cast<int>(c) == roles_.back;
            roles_.composited.push_back(types_[c] != Imf::UINT && !depth);
            roles_.alpha.push_back(own >= 0 ? own : find("A"));
        }
    }

    struct Place {
        std::uint64_t table = 0, tableBytes = 0, dataBytes = 0, rawBytes = 0;
    };
    /// Throws std::runtime_error unless the block is the one that the table promises.
    Place locate(std::int64_t index, ByteSource& file) const {
        std::array<std::uint8_t, 44> head{};
        if (file.read(tables_ + 8 * static_cast<std::uint64_t>(index), head.data(), 8) != 8) throw std::runtime_error("a block is missing");
        const auto offset = exrNumber<std::uint64_t>(head.data());
        const std::size_t place = (multiPart_ ? 4U : 0U) + (tiled_ ? 16U : 4U), bytes = place + 24;
        if (offset < tables_ || offset >= file.size() || file.read(offset, head.data(), bytes) != bytes)
            throw std::runtime_error("a block is missing");
        const std::uint8_t* const field = head.data() + (multiPart_ ? 4 : 0);
        const Block b = block(index);
        const auto at = [&](std::size_t i) { return std::int64_t{exrNumber<std::int32_t>(field + 4 * i)}; };
        const bool right = !multiPart_ || exrNumber<std::int32_t>(head.data()) == part_;
        if (!right || (tiled_ ? at(0) != b.x / blockWidth_ || at(1) != b.y / blockHeight_ || at(2) != 0 || at(3) != 0
                              : at(0) != header_.dataWindow().min.y + b.y))
            throw std::runtime_error("a block lies at the place of another one");
        const Place p{offset + bytes, exrNumber<std::uint64_t>(head.data() + place), exrNumber<std::uint64_t>(head.data() + place + 8),
                      exrNumber<std::uint64_t>(head.data() + place + 16)};
        const std::uint64_t left = file.size() - std::min(file.size(), p.table);
        if (p.tableBytes > left || p.dataBytes > left - p.tableBytes) throw std::runtime_error("the file is truncated within a block");
        return p;
    }

    void unpack(ByteSource& file, std::uint64_t from, std::uint64_t bytes, std::vector<std::uint8_t>& packed,
                std::vector<std::uint8_t>& work, std::vector<std::uint8_t>& raw) const {
        if (raw.empty() && bytes == 0) return;
        if (bytes == 0 || bytes > raw.size()) throw std::runtime_error(kExrWrongSize);
        packed.resize(bytes);
        if (file.read(from, packed.data(), bytes) != bytes) throw std::runtime_error("the file is truncated within a block");
        if (bytes == raw.size()) raw = packed;
        else if (header_.compression() == Imf::NO_COMPRESSION) throw std::runtime_error(kExrWrongSize);
        else unpackExr(runs_, packed, work, raw);
    }

    const std::string& path_;
    const Imf::Header& header_;
    bool multiPart_ = false, tiled_ = false, runs_ = false;
    int part_ = 0;
    std::uint64_t tables_ = 0, allowed_ = 0;  ///< bytes of a block
    std::int64_t width_ = 0, height_ = 0, blockWidth_ = 0, blockHeight_ = 0, across_ = 1;
    std::vector<std::string> names_;  ///< in the order of the file
    std::vector<int> types_;
    std::size_t sampleBytes_ = 0;  ///< of all channels
    DeepChannels roles_;
};

}  // namespace

bool isDeepPart(const Imf::Header& header) { return header.hasType() && Imf::isDeepData(header.type()); }

void flattenDeepPixel(const DeepChannels& channels, const std::vector<const float*>& samples, std::size_t count, float* out) {
    const std::size_t n = samples.size();
    std::fill_n(out, n, 0.0F);
    if (count == 0) return;
    if (count == 1) {
        for (std::size_t c = 0; c < n; ++c)
            out[c] =
                channels.alpha[c] == static_cast<int>(c) ? static_cast<float>(clampedAlpha(static_cast<double>(*samples[c]))) : *samples[c];
        return;
    }
    std::vector<Piece> pieces(count);
    for (std::size_t i = 0; i < count; ++i) {
        Piece& p = pieces[i];
        for (std::size_t c = 0; c < n; ++c) p.values.push_back(static_cast<double>(samples[c][i]));
        // Without depths the order of the file holds.
        p.front = channels.front >= 0 ? p.values[static_cast<std::size_t>(channels.front)] : static_cast<double>(i);
        if (std::isnan(p.front)) p.front = std::numeric_limits<double>::infinity();
        const double back = channels.front >= 0 && channels.back >= 0 ? p.values[static_cast<std::size_t>(channels.back)] : p.front;
        p.back = std::isfinite(back) && std::isfinite(p.front) ? std::max(p.front, back) : p.front;
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.front != b.front ? a.front < b.front : a.back < b.back; });
    const std::vector<double> nearest = pieces.front().values;
    double farthest = pieces.front().back;
    bool overlap = false;
    for (std::size_t i = 1; i < count; ++i) {
        overlap = overlap || pieces[i].front < farthest || pieces[i].sameRange(pieces[i - 1]);
        farthest = std::max(farthest, pieces[i].back);
    }
    if (overlap) pieces = tidied(channels, pieces);
    std::vector<double> sum(n, 0);
    for (const Piece& p : pieces) {
        const std::vector<double> before = sum;
        for (std::size_t c = 0; c < n; ++c) {
            if (!channels.composited[c]) continue;
            const int alpha = channels.alpha[c];
            const bool isAlpha = alpha == static_cast<int>(c);
            const double seen = alpha >= 0 ? before[static_cast<std::size_t>(alpha)] : &p == pieces.data() ? 0 : 1;
            sum[c] += (1 - seen) * (isAlpha ? clampedAlpha(p.values[c]) : p.values[c]);
        }
    }
    for (std::size_t c = 0; c < n; ++c)
        out[c] = static_cast<float>(channels.composited[c] ? sum[c] : static_cast<int>(c) == channels.back ? farthest : nearest[c]);
}

Image loadDeep(const std::string& path, Imf::MultiPartInputFile& file, const ExrSelection& selection, std::uint64_t tables, int threads,
               const LoadOptions& options) {
    const Imath::Box2i& window = file.header(selection.part).dataWindow();
    const Shape shape{std::int64_t{window.max.x} - window.min.x + 1, std::int64_t{window.max.y} - window.min.y + 1, 1,
                      static_cast<std::int64_t>(selection.stored.size())};
    const std::uint64_t bytes = std::filesystem::file_size(path);
    checkPlausible(path, shape, bytes, kStrongRatio, options);
    for (int p = 0; p < selection.part; ++p)
        if (!file.header(p).hasChunkCount()) refuseFile(path, "a part does not say how many blocks it has");
    const std::uint64_t allowed = unpackedAllowed(bytes, options) / static_cast<std::uint64_t>(std::max(1, threads));
    const DeepReader reader(path, file, selection.part, tables, allowed);
    Image image(sampleBuffer(shape), selection.names);
    describeExr(image, file, selection);
    image.source.warnings.emplace_back("Its deep data (several samples a pixel) were flattened, front to back");
    if (image.samples().empty()) return image;
    std::vector<std::size_t> chosen;
    for (const std::string& name : selection.stored) chosen.push_back(reader.indexOf(name));
    const View<float> view = image.view();
    LoadOptions tasks = options;
    tasks.threads = threads;
    std::atomic<std::int64_t> lost = 0;
    std::mutex guard;
    std::string reason;
    constexpr std::int64_t kBlocks = 16;  // of a task
    runTasks((reader.blocks() + kBlocks - 1) / kBlocks, tasks, {}, [&](std::int64_t task) {
        ByteSource source(path);
        for (std::int64_t i = task * kBlocks; i < std::min(reader.blocks(), (task + 1) * kBlocks); ++i) {
            try {
                reader.flatten(i, source, chosen, view, options);
            } catch (const std::runtime_error& e) {
                const Block b = reader.block(i);
                for (std::int64_t c = 0; c < shape.channels; ++c)
                    for (std::int64_t y = b.y; y < b.y + b.height; ++y) std::fill_n(view.row(y, 0, c) + b.x, b.width, 0.0F);
                ++lost;
                const std::lock_guard lock(guard);
                if (reason.empty()) reason = e.what();
            }
        }
    });
    if (lost == reader.blocks()) refuseFile(path, reason);
    if (lost > 0) {
        image.source.incomplete = true;
        image.source.warnings.push_back("The file is damaged: " + std::to_string(lost) + " of " + std::to_string(reader.blocks()) +
                                        (reader.tiled() ? " tiles" : " lines") + " could not be read and are 0 (" + reason + ")");
    }
    for (std::int64_t c = 0; c < shape.channels; ++c)
        image.source.storedStatistics.push_back(computeStatistics(std::as_const(image).view().channel(c)));
    return image;
}

}  // namespace parallax
