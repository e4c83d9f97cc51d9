// SPDX-License-Identifier: GPL-3.0-or-later
#include <ImfAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOpaqueAttribute.h>
#include <ImfOutputFile.h>
#include <ImfStringAttribute.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/operation/operation.hpp"
#include "core/image/error.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/exr/exr.hpp"

namespace parallax {
namespace {

class MemoryIStream final : public Imf::IStream {
public:
    explicit MemoryIStream(const std::vector<std::uint8_t>& bytes) : Imf::IStream("attribute"), bytes_(bytes) {}
    bool read(char c[], int n) override {
        if (n <= 0) return position_ < bytes_.size();
        if (position_ + static_cast<std::size_t>(n) > bytes_.size()) throw std::runtime_error("attribute is too short");
        std::memcpy(c, bytes_.data() + position_, static_cast<std::size_t>(n));
        position_ += static_cast<std::size_t>(n);
        return position_ < bytes_.size();
    }
    std::uint64_t tellg() override { return position_; }
    void seekg(std::uint64_t p) override { position_ = p; }

private:
    const std::vector<std::uint8_t>& bytes_;
    std::size_t position_ = 0;
};

/// Unlike OpenEXR's stream, reports errors of the last bytes. Small pieces, such as the numbers before each block and the table of blocks,
/// wait for those that follow them.
class AtomicOStream final : public Imf::OStream {
public:
    AtomicOStream(AtomicFile& file, const char* name) : Imf::OStream(name), file_(file) {}
    ~AtomicOStream() override {
        try {
            send({});
        } catch (const Error&) {
            // The file knows, and says so before it gets its name.
        }
    }
    void write(const char c[], int n) override {
        const std::string_view bytes(c, static_cast<std::size_t>(n));
        if (waiting_.size() + bytes.size() <= kMaxWaiting) waiting_ += bytes;
        else send(bytes);
        position_ += bytes.size();
    }
    std::uint64_t tellp() override { return position_; }
    void seekp(std::uint64_t p) override {
        if (p != position_) send({});
        position_ = p;
    }

private:
    static constexpr std::size_t kMaxWaiting = 4096;

    /// Writes what waits, and these bytes behind it.
    void send(std::string_view bytes) {
        const std::string before = std::exchange(waiting_, {});
        file_.writeAt(position_ - before.size(), before, bytes);
    }

    AtomicFile& file_;
    std::uint64_t position_ = 0;
    std::string waiting_;  ///< ends at position_
};

/// Attributes that the header has already come from fields of the image, except for these two defaults.
bool metadataMayStand(const Imf::Header& header, const MetadataEntry& e) {
    const auto known = header.find(e.name);
    if (known == header.end()) return true;
    return (e.name == "screenWindowCenter" || e.name == "screenWindowWidth") && e.type == known.attribute().typeName() && !e.raw.empty();
}

void addMetadata(Imf::Header& header, const Image& image) {
    for (const MetadataEntry& e : image.metadata) {
        // Notes describe how the source was stored.
        if (e.name.empty() || e.type == "note" || !metadataMayStand(header, e)) continue;
        try {
            if (e.raw.empty()) {
                header.insert(e.name, Imf::StringAttribute(e.text));
                continue;
            }
            std::unique_ptr<Imf::Attribute> attribute(Imf::Attribute::knownType(e.type.c_str())
                                                          ? Imf::Attribute::newAttribute(e.type.c_str())
                                                          : new Imf::OpaqueAttribute(e.type.c_str()));
            MemoryIStream stream(e.raw);
            attribute->readValueFrom(stream, static_cast<int>(e.raw.size()), 1);
            header.insert(e.name, *attribute);
        } catch (const std::exception&) {
            // EXR has another type for this name: kept as text.
            if (header.find(e.name) == header.end()) header.insert(e.name, Imf::StringAttribute(e.text));
        }
    }
    if (const auto p = unusualPrimaries(image); p && header.find("chromaticities") == header.end()) {
        const auto xy = [](const std::array<double, 2>& c) { return Imath::V2f(static_cast<float>(c[0]), static_cast<float>(c[1])); };
        header.insert("chromaticities",
                      Imf::ChromaticitiesAttribute(Imf::Chromaticities(xy(p->red), xy(p->green), xy(p->blue), xy(p->white))));
    }
    if (!image.provenance.empty()) {
        std::string steps;
        for (const auto& p : image.provenance) steps += (steps.empty() ? "" : "\n") + p;
        header.insert(kExrProvenance, Imf::StringAttribute(steps));
    }
}

/// Lines per call of OpenEXR: enough blocks for every thread, and a small converted copy.
std::int64_t bandLines(Imf::Compression compression, int threads) {
    if (compression == Imf::DWAB_COMPRESSION) return std::clamp<std::int64_t>(256 * threads, 256, 2048);  // blocks of 256 lines
    return std::clamp<std::int64_t>(64 * threads, 256, 1024);
}

Imf::Compression compressionOf(const SaveOptions& options) {
    const auto& names = exrCompressions();
    const auto compression = std::find(names.begin(), names.end(), options.exrCompression);
    if (compression == names.end()) throw Error(ErrorCode::usage, "Unknown OpenEXR compression '" + options.exrCompression + "'");
    return static_cast<Imf::Compression>(compression - names.begin());
}

Imath::Box2i toBox(const Window& w) {
    return {{static_cast<int>(w.minX), static_cast<int>(w.minY)}, {static_cast<int>(w.maxX), static_cast<int>(w.maxY)}};
}

}  // namespace

const std::vector<std::string>& exrCompressions() {
    // In the order of Imf::Compression.
    static const std::vector<std::string> names{"none", "rle", "zips", "zip", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"};
    return names;
}

ExrType wantedExrType(const Image& description, std::size_t channel, StoredDepth depth) {
    if (depth == StoredDepth::half) return ExrType::half;
    if (depth != StoredDepth::automatic) return ExrType::float32;
    // Facts say that the samples are coefficients, which half would round to three digits.
    if (std::any_of(description.metadata.begin(), description.metadata.end(),
                    [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); }))
        return ExrType::float32;
    std::string stored;
    for (const StoredChannel& s : description.source.storedChannels)
        if (s.name == description.channelNames()[channel]) stored = s.type;
    // Converted from luminance and chroma: keeps the precision of the file.
    if (stored.empty() && description.source.format == "OpenEXR" && !description.source.storedChannels.empty())
        stored = description.source.storedChannels[0].type;
    return stored == "uint" ? ExrType::uint32 : stored == "half" ? ExrType::half : ExrType::float32;
}

bool holds(ExrType type, const View<const float>& channel) {
    // Values from halfway between the largest half and the next power of two round to infinity.
    constexpr float kHalfLimit = 65520.0F;
    for (std::int64_t y = 0; type != ExrType::float32 && y < channel.shape.height; ++y) {
        const float* p = channel.row(y);
        bool fits = true, whole = true;
        for (std::int64_t x = 0; x < channel.shape.width; ++x) {
            const float v = p[x];
            fits &= !(std::fabs(v) >= kHalfLimit && std::fabs(v) <= std::numeric_limits<float>::max());
            whole &= v >= 0 && v < 0x1p32F && v == std::floor(v);
        }
        if (!(type == ExrType::half ? fits : whole)) return false;
    }
    return true;
}

std::string halfBecameInfinite(const std::string& channel) {
    return "Channel '" + channel + "' has samples beyond the range of half, which became infinite";
}
std::string halfBecameFloat(const std::string& channel) {
    return "Channel '" + channel + "' was saved as float: it has samples beyond the range of half, its type in the source";
}

struct ExrRowWriter::State {
    Shape shape;
    Window data;
    std::vector<std::string> names;
    std::vector<Imf::PixelType> types;
    std::stop_token stop;
    std::function<void(double)> progress;
    std::int64_t step = 0, atOnce = 0, done = 0;
    std::unique_ptr<AtomicOStream> stream;
    std::unique_ptr<Imf::OutputFile> file;
    // OpenEXR requires the type of the file in the frame buffer: types other than float are converted here.
    std::vector<std::vector<Imath::half>> halves;
    std::vector<std::vector<std::uint32_t>> integers;
};

ExrRowWriter::ExrRowWriter(AtomicFile& target, const Image& description, const Shape& shape, std::vector<ExrType> types,
                           const SaveOptions& options)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    const Imf::Compression compression = compressionOf(options);
    if (shape.width > (1 << 30) || shape.height > (1 << 30))
        throw Error(ErrorCode::usage, "The image is too large for OpenEXR", "a side has more than 1,073,741,824 pixels");
    s.shape = shape;
    s.names = description.channelNames();
    s.stop = options.stop;
    s.progress = options.progress;
    s.data = {0, 0, shape.width - 1, shape.height - 1};
    if (description.dataWindow && description.dataWindow->maxX - description.dataWindow->minX + 1 == shape.width &&
        description.dataWindow->maxY - description.dataWindow->minY + 1 == shape.height)
        s.data = *description.dataWindow;
    Imf::Header header(toBox(description.displayWindow.value_or(s.data)), toBox(s.data), static_cast<float>(description.pixelAspectRatio),
                       Imath::V2f(0, 0), 1, Imf::INCREASING_Y, compression);
    addMetadata(header, description);
    for (std::size_t c = 0; c < s.names.size(); ++c) {
        s.types.push_back(static_cast<Imf::PixelType>(types[c]));
        header.channels().insert(s.names[c], Imf::Channel(s.types.back()));
    }
    const int threads = useExrThreads(options.threads);
    s.stream = std::make_unique<AtomicOStream>(target, "image");
    s.file = std::make_unique<Imf::OutputFile>(*s.stream, header, threads);
    s.step = std::min(bandLines(compression, threads), shape.height);
    constexpr std::int64_t kSoon = std::int64_t{2} << 20;  // samples that one thread compresses in 0.2 s
    s.atOnce = std::max(2 * threads * exrBlockLines(compression), kSoon / std::max<std::int64_t>(1, shape.width * shape.channels));
    const auto bandSamples = static_cast<std::size_t>(shape.width * s.step);
    s.halves.resize(s.types.size());
    s.integers.resize(s.types.size());
    for (std::size_t c = 0; c < s.types.size(); ++c) {
        if (s.types[c] == Imf::HALF) s.halves[c].resize(bandSamples);
        if (s.types[c] == Imf::UINT) s.integers[c].resize(bandSamples);
    }
}

ExrRowWriter::~ExrRowWriter() = default;
std::int64_t ExrRowWriter::rowsAtOnce() const { return state_->atOnce; }

void ExrRowWriter::write(const View<const float>& v) {
    State& s = *state_;
    for (std::int64_t y = 0; y < v.shape.height; y += s.step) {
        if (s.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        const std::int64_t lines = std::min(s.step, v.shape.height - y);
        Imf::FrameBuffer frame;
        const std::ptrdiff_t origin = static_cast<std::ptrdiff_t>(s.data.minY + s.done) * v.shape.width + s.data.minX;
        for (std::size_t c = 0; c < s.types.size(); ++c) {
            const float* plane = v.row(y, 0, static_cast<std::int64_t>(c));
            const auto insert = [&](const auto* samples) {
                frame.insert(s.names[c], Imf::Slice(s.types[c], const_cast<char*>(reinterpret_cast<const char*>(samples - origin)),
                                                    sizeof *samples, sizeof *samples * static_cast<std::size_t>(v.shape.width)));
            };
            const auto n = static_cast<std::size_t>(lines * v.shape.width);
            if (s.types[c] == Imf::HALF) {
                for (std::size_t i = 0; i < n; ++i) s.halves[c][i] = Imath::half(plane[i]);
                insert(s.halves[c].data());
            } else if (s.types[c] == Imf::UINT) {
                for (std::size_t i = 0; i < n; ++i) s.integers[c][i] = static_cast<std::uint32_t>(plane[i]);
                insert(s.integers[c].data());
            } else {
                insert(plane);
            }
        }
        s.file->setFrameBuffer(frame);
        s.file->writePixels(static_cast<int>(lines));
        s.done += lines;
        if (s.progress) s.progress(static_cast<double>(s.done) / static_cast<double>(s.shape.height));
    }
}

std::uint64_t ExrRowWriter::workBytes(const Shape& shape, const SaveOptions& options) {
    const int threads = useExrThreads(options.threads);
    const auto rowBytes = static_cast<std::uint64_t>(shape.width * shape.channels) * sizeof(float);
    const std::int64_t step = std::min(bandLines(compressionOf(options), threads), shape.height);
    return static_cast<std::uint64_t>(step) * rowBytes + exrBlockBytes(compressionOf(options), rowBytes, shape.height, threads);
}

void writeExr(const Image& image, AtomicFile& target, const SaveOptions& options, std::vector<std::string>& notes) {
    std::vector<ExrType> types;
    for (std::size_t c = 0; c < image.channelNames().size(); ++c) {
        ExrType type = wantedExrType(image, c, options.depth);
        if (!holds(type, image.view().channel(static_cast<std::int64_t>(c)))) {
            const std::string& name = image.channelNames()[c];
            if (type == ExrType::half)
                notes.push_back(options.depth == StoredDepth::half ? halfBecameInfinite(name) : halfBecameFloat(name));
            if (options.depth != StoredDepth::half) type = ExrType::float32;
        }
        types.push_back(type);
    }
    ExrRowWriter(target, image, image.shape(), std::move(types), options).write(image.view());
}

}  // namespace parallax
