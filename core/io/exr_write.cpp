// SPDX-License-Identifier: GPL-3.0-or-later
#include <ImfAttribute.h>
#include <ImfChannelList.h>
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

#include "parallax/engine/run_context.hpp"
#include "parallax/image/error.hpp"
#include "parallax/io/exr.hpp"

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

/// OpenEXR's own stream loses errors of the last buffered bytes; this one throws them.
class AtomicOStream final : public Imf::OStream {
public:
    AtomicOStream(AtomicFile& file, const char* name) : Imf::OStream(name), file_(file) {}
    void write(const char c[], int n) override {
        file_.writeAt(position_, c, static_cast<std::size_t>(n));
        position_ += static_cast<std::uint64_t>(n);
    }
    std::uint64_t tellp() override { return position_; }
    void seekp(std::uint64_t p) override { position_ = p; }

private:
    AtomicFile& file_;
    std::uint64_t position_ = 0;
};

/// What the header already says comes from the image's own fields; these two it has by default only.
bool metadataMayStand(const Imf::Header& header, const MetadataEntry& e) {
    const auto known = header.find(e.name);
    if (known == header.end()) return true;
    return (e.name == "screenWindowCenter" || e.name == "screenWindowWidth") && e.type == known.attribute().typeName() && !e.raw.empty();
}

void addMetadata(Imf::Header& header, const Image& image) {
    for (const MetadataEntry& e : image.metadata) {
        // Notes tell people how the source was stored: nothing that still holds for the new file.
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
            // Metadata of another format under a name that EXR gives another type: kept as text.
            if (header.find(e.name) == header.end()) header.insert(e.name, Imf::StringAttribute(e.text));
        }
    }
    if (!image.provenance.empty()) {
        std::string steps;
        for (const auto& p : image.provenance) steps += (steps.empty() ? "" : "\n") + p;
        header.insert(kExrProvenance, Imf::StringAttribute(steps));
    }
}

/// What the samples of a channel need.
struct Range {
    bool fitsHalf = true;  ///< no finite sample becomes infinite
    bool whole = true;     ///< every sample is a whole number that a 32-bit unsigned integer holds
};
Range rangeOf(View<const float> channel) {
    // Half rounds to infinity from halfway between its largest value and the next power of two.
    constexpr float kHalfLimit = 65520.0F;
    Range range;
    for (std::int64_t y = 0; y < channel.shape.height; ++y) {
        const float* p = channel.row(y);
        bool fits = true, whole = true;
        for (std::int64_t x = 0; x < channel.shape.width; ++x) {
            const float v = p[x];
            fits &= !(std::fabs(v) >= kHalfLimit && std::fabs(v) <= std::numeric_limits<float>::max());
            whole &= v >= 0 && v < 0x1p32F && v == std::floor(v);
        }
        range.fitsHalf &= fits;
        range.whole &= whole;
    }
    return range;
}

Imf::PixelType pixelType(const Image& image, std::size_t channel, StoredDepth depth, std::vector<std::string>& notes) {
    const std::string& name = image.channelNames()[channel];
    const auto range = [&] { return rangeOf(image.view().channel(static_cast<std::int64_t>(channel))); };
    if (depth == StoredDepth::half) {
        if (!range().fitsHalf) notes.push_back("Channel '" + name + "' has samples beyond the range of half, which became infinite");
        return Imf::HALF;
    }
    if (depth != StoredDepth::automatic) return Imf::FLOAT;
    std::string stored;
    for (const StoredChannel& s : image.source.storedChannels)
        if (s.name == name) stored = s.type;
    // Converted luminance and chroma: the precision of the file.
    if (stored.empty() && image.source.format == "OpenEXR" && !image.source.storedChannels.empty())
        stored = image.source.storedChannels[0].type;
    if (stored == "uint" && range().whole) return Imf::UINT;
    if (stored != "half") return Imf::FLOAT;
    if (range().fitsHalf) return Imf::HALF;
    notes.push_back("Channel '" + name + "' was saved as float: it has samples beyond the range of half, its type in the source");
    return Imf::FLOAT;
}

/// Lines handed to OpenEXR at once: enough blocks for every thread, in a converted copy that stays small.
std::int64_t bandLines(Imf::Compression compression, int threads) {
    if (compression == Imf::DWAB_COMPRESSION) return std::clamp<std::int64_t>(256 * threads, 256, 2048);  // blocks of 256 lines
    return std::clamp<std::int64_t>(64 * threads, 256, 1024);
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

void writeExr(const Image& image, AtomicFile& target, const SaveOptions& options, std::vector<std::string>& notes) {
    const auto& names = exrCompressions();
    const auto compression = std::find(names.begin(), names.end(), options.exrCompression);
    if (compression == names.end()) throw Error(ErrorCode::usage, "OpenEXR has no compression '" + options.exrCompression + "'");
    const View<const float> v = image.view();
    if (v.shape.width > (1 << 30) || v.shape.height > (1 << 30)) throw Error(ErrorCode::usage, "The image is too large for OpenEXR");
    Window data{0, 0, v.shape.width - 1, v.shape.height - 1};
    if (image.dataWindow && image.dataWindow->maxX - image.dataWindow->minX + 1 == v.shape.width &&
        image.dataWindow->maxY - image.dataWindow->minY + 1 == v.shape.height)
        data = *image.dataWindow;
    Imf::Header header(toBox(image.displayWindow.value_or(data)), toBox(data), static_cast<float>(image.pixelAspectRatio), Imath::V2f(0, 0),
                       1, Imf::INCREASING_Y, static_cast<Imf::Compression>(compression - names.begin()));
    addMetadata(header, image);

    std::vector<Imf::PixelType> types;
    for (std::size_t c = 0; c < image.channelNames().size(); ++c) {
        types.push_back(pixelType(image, c, options.depth, notes));
        header.channels().insert(image.channelNames()[c], Imf::Channel(types.back()));
    }
    RunContext context;
    context.threads = options.threads;
    const int threads = useExrThreads(effectiveThreads(context));
    AtomicOStream stream(target, "image");
    Imf::OutputFile file(stream, header, threads);

    // OpenEXR takes the frame buffer's type as the file's: other types than float are converted here, band by band.
    const std::int64_t step = std::min(bandLines(header.compression(), threads), v.shape.height);
    const auto bandSamples = static_cast<std::size_t>(v.shape.width * step);
    std::vector<std::vector<Imath::half>> halves(types.size());
    std::vector<std::vector<std::uint32_t>> integers(types.size());
    for (std::size_t c = 0; c < types.size(); ++c) {
        if (types[c] == Imf::HALF) halves[c].resize(bandSamples);
        if (types[c] == Imf::UINT) integers[c].resize(bandSamples);
    }
    for (std::int64_t y = 0; y < v.shape.height; y += step) {
        if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        const std::int64_t lines = std::min(step, v.shape.height - y);
        Imf::FrameBuffer frame;
        const std::ptrdiff_t origin = static_cast<std::ptrdiff_t>(data.minY + y) * v.shape.width + data.minX;
        for (std::size_t c = 0; c < types.size(); ++c) {
            const float* plane = v.row(y, 0, static_cast<std::int64_t>(c));
            const auto insert = [&](const auto* samples) {
                frame.insert(image.channelNames()[c],
                             Imf::Slice(types[c], const_cast<char*>(reinterpret_cast<const char*>(samples - origin)), sizeof *samples,
                                        sizeof *samples * static_cast<std::size_t>(v.shape.width)));
            };
            const auto n = static_cast<std::size_t>(lines * v.shape.width);
            if (types[c] == Imf::HALF) {
                for (std::size_t i = 0; i < n; ++i) halves[c][i] = Imath::half(plane[i]);
                insert(halves[c].data());
            } else if (types[c] == Imf::UINT) {
                for (std::size_t i = 0; i < n; ++i) integers[c][i] = static_cast<std::uint32_t>(plane[i]);
                insert(integers[c].data());
            } else {
                insert(plane);
            }
        }
        file.setFrameBuffer(frame);
        file.writePixels(static_cast<int>(lines));
        if (options.progress) options.progress(static_cast<double>(y + lines) / static_cast<double>(v.shape.height));
    }
}

}  // namespace parallax
