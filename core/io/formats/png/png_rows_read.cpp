// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/deflate.hpp"
#include "core/io/codec/inflate.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats/png/png_filter.hpp"
#include "core/io/formats/png/png_rows.hpp"

namespace parallax {
namespace {

/// The zlib stream in consecutive IDAT chunks. Everything unusual counts as damage.
class ImageData {
public:
    ImageData(const std::string& path, std::uint64_t begin) : file_(path), at_(begin), buffer_(1 << 18) {}

    /// Fills `to` with inflated bytes. Returns false if there are fewer, or for damage.
    bool read(std::span<std::uint8_t> to) {
        while (!to.empty())
            if (ended_ || !step(to)) return false;
        return true;
    }
    /// Whether the stream and its last chunk end here.
    bool finish() {
        std::array<std::uint8_t, 1> more{};
        for (std::span<std::uint8_t> to(more); !ended_;)
            if (!step(to) || to.empty()) return false;
        return input_.empty() && inflater_.excess() == 0 && rest_ == 0 && (closed_ || checkedEnd());
    }
    std::uint64_t position() const { return at_; }

private:
    static std::uint32_t number(std::span<const std::uint8_t, 4> b) {
        return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
    }
    bool checkedEnd() {
        std::array<std::uint8_t, 4> crc{};
        if (file_.read(at_, crc.data(), 4) != 4 || number(crc) != crc_) return false;
        at_ += 4;
        return true;
    }
    /// Returns false for damage, and if nothing is left.
    bool step(std::span<std::uint8_t>& to) {
        // The inflater may hold bytes that were read before.
        const bool more = !input_.empty() || fill();
        const std::size_t room = to.size();
        const Inflater::State state = inflater_.step(input_, to);
        ended_ = state == Inflater::State::ended;
        return state != Inflater::State::damaged && !damaged_ && (more || ended_ || to.size() < room);
    }
    bool nextChunk() {
        std::array<std::uint8_t, 8> head{};
        if (started_ && !checkedEnd()) {
            damaged_ = true;
            return false;
        }
        closed_ = started_;
        started_ = true;
        if (file_.read(at_, head.data(), 8) != 8 || std::memcmp(head.data() + 4, "IDAT", 4) != 0) return false;
        closed_ = false;
        at_ += 8;
        rest_ = number(std::span(head).first<4>());
        crc_ = crc32Of(std::span(head).last<4>());
        damaged_ = rest_ >= std::uint32_t{1} << 31;
        return !damaged_;
    }
    bool fill() {
        while (rest_ == 0)
            if (closed_ || !nextChunk()) return false;
        const std::size_t n = file_.read(at_, buffer_.data(), std::min<std::size_t>(rest_, buffer_.size()));
        at_ += n;
        rest_ -= static_cast<std::uint32_t>(n);
        input_ = std::span(buffer_).first(n);
        crc_ = crc32Of(input_, crc_);
        return n > 0;
    }
    ByteSource file_;
    Inflater inflater_{Inflater::Envelope::zlib};
    std::uint64_t at_;        ///< of the next byte to read
    std::uint32_t rest_ = 0;  ///< unread bytes of the chunk
    std::uint32_t crc_ = 0;
    std::vector<std::uint8_t> buffer_;
    std::span<const std::uint8_t> input_;
    bool started_ = false;  ///< a chunk was found
    bool closed_ = false;   ///< the last chunk ended, and no other one follows
    bool damaged_ = false;
    bool ended_ = false;  ///< the stream
};

/// Integer statistics of a channel.
struct CodeRange {
    std::uint32_t min = 65535, max = 0;
    std::uint64_t sum = 0;

    SampleStatistics statistics(std::int64_t samples) const {
        return {static_cast<double>(min), static_cast<double>(max), static_cast<double>(sum) / static_cast<double>(samples)};
    }
};

template <int Bytes>
inline std::uint32_t codeAt(const std::uint8_t* p) {
    if constexpr (Bytes == 1) return *p;
    else return std::uint32_t{p[0]} << 8 | p[1];
}

/// Converts one channel of a row. `alpha`: of the row, decoded; may be null.
template <int Bytes>
void convertChannel(const std::uint8_t* p, std::size_t stride, std::int64_t width, const std::vector<float>& table, const float* alpha,
                    float* to, CodeRange& range) {
    std::uint32_t min = range.min, max = range.max;
    std::uint64_t sum = 0;
    for (std::int64_t x = 0; x < width; ++x, p += stride) {
        const std::uint32_t code = codeAt<Bytes>(p);
        min = std::min(min, code);
        max = std::max(max, code);
        sum += code;
        to[x] = alpha ? table[code] * alpha[x] : table[code];
    }
    range = {min, max, range.sum + sum};
}

template <int Bytes>
void convertRow(const std::uint8_t* row, const PngSamples& samples, const std::vector<float>& table, const View<float>& v, std::int64_t y,
                std::span<CodeRange> ranges) {
    const int n = samples.channels;
    const std::size_t stride = static_cast<std::size_t>(n) * Bytes;
    float* alpha = nullptr;
    if (n % 2 == 0) {
        static constexpr std::size_t kCodes = Bytes == 1 ? 256 : 65536;
        static const std::vector<float> straight = decodingTable(TransferFunction::linear, 1, kCodes - 1);
        alpha = v.row(y, 0, n - 1);
        convertChannel<Bytes>(row + (n - 1) * Bytes, stride, samples.width, straight, nullptr, alpha,
                              ranges[static_cast<std::size_t>(n - 1)]);
    }
    for (int c = 0; c < (alpha ? n - 1 : n); ++c)
        convertChannel<Bytes>(row + c * Bytes, stride, samples.width, table, alpha, v.row(y, 0, c), ranges[static_cast<std::size_t>(c)]);
}

/// Filtered rows of a band, each with room before it for the filter, and behind it for the padding.
class BandRows {
public:
    BandRows(std::size_t rowBytes, std::int64_t rows)
        : rowBytes_(rowBytes), pitch_(rowBytes + 1 + kPngRowPadding), bytes_(pitch_ * static_cast<std::size_t>(rows)) {}
    std::span<std::uint8_t> stored(std::int64_t y) { return {bytes_.data() + static_cast<std::size_t>(y) * pitch_, rowBytes_ + 1}; }
    std::span<std::uint8_t> samples(std::int64_t y) { return stored(y).subspan(1); }

private:
    std::size_t rowBytes_, pitch_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace

std::optional<std::uint64_t> readPngRows(const std::string& path, std::uint64_t begin, const PngSamples& samples,
                                         const std::vector<float>& table, Image& image, const LoadOptions& options) {
    const std::size_t pixelBytes = static_cast<std::size_t>(samples.channels * samples.bytes);
    const std::size_t rowBytes = static_cast<std::size_t>(samples.width) * pixelBytes;
    constexpr std::size_t kBandBytes = std::size_t{1} << 19;
    const auto bandRows = static_cast<std::int64_t>(std::max<std::size_t>(1, kBandBytes / rowBytes));
    const std::int64_t bands = (samples.height + bandRows - 1) / bandRows;
    ImageData data(path, begin);
    std::vector<std::uint8_t> above(rowBytes + kPngRowPadding);  // the last restored row
    std::vector<std::vector<CodeRange>> ranges(static_cast<std::size_t>(bands));
    OrderedStage inflating, restoring, handing;
    std::atomic<bool> damaged{false};
    const auto convert = samples.bytes == 2 ? &convertRow<2> : &convertRow<1>;
    runTasks(bands, options, {}, [&](std::int64_t band) {
        const std::int64_t first = band * bandRows, rows = std::min(bandRows, samples.height - first);
        const auto giveUp = [&] {
            damaged = true;
            inflating.fail();
            restoring.fail();
            handing.fail();
        };
        try {
            BandRows buffer(rowBytes, rows);
            inflating.pass(band, [&] {
                options.throwIfStopped();
                for (std::int64_t y = 0; y < rows && !damaged; ++y)
                    if (!data.read(buffer.stored(y)) || buffer.stored(y).front() > 4) giveUp();
                if (band + 1 == bands && !damaged && !data.finish()) giveUp();
            });
            restoring.pass(band, [&] {
                for (std::int64_t y = 0; y < rows; ++y)
                    unfilterPngRow(static_cast<PngFilter>(buffer.stored(y).front()), buffer.samples(y),
                                   y > 0 ? buffer.samples(y - 1).data() : above.data(), pixelBytes);
                std::copy(buffer.samples(rows - 1).begin(), buffer.samples(rows - 1).end(), above.begin());
            });
            if (damaged) return;
            ranges[static_cast<std::size_t>(band)].resize(static_cast<std::size_t>(samples.channels));
            Buffer handed;
            if (options.rows) handed = Buffer({samples.width, rows, 1, samples.channels});
            const View<float> to = options.rows ? handed.view<float>() : image.view();
            for (std::int64_t y = 0; y < rows; ++y)
                convert(buffer.samples(y).data(), samples, table, to, options.rows ? y : first + y, ranges[static_cast<std::size_t>(band)]);
            if (options.rows) handing.pass(band, [&] { options.rows(first, std::as_const(handed).view<float>()); });
        } catch (...) {
            giveUp();
            throw;
        }
    });
    if (damaged) return {};
    for (std::size_t c = 0; c < static_cast<std::size_t>(samples.channels); ++c) {
        CodeRange all;
        for (const auto& band : ranges) all = {std::min(all.min, band[c].min), std::max(all.max, band[c].max), all.sum + band[c].sum};
        image.source.storedStatistics.push_back(all.statistics(samples.width * samples.height));
    }
    return data.position();
}

}  // namespace parallax
