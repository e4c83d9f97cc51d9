// SPDX-License-Identifier: GPL-3.0-or-later
#include <ImfAttribute.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOpaqueAttribute.h>
#include <ImfOutputFile.h>
#include <ImfStringAttribute.h>
#include <ImfVecAttribute.h>

#include <algorithm>
#include <array>
#include <cstring>
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

void addMetadata(Imf::Header& header, const Image& image) {
    for (const MetadataEntry& e : image.metadata) {
        if (e.name.empty() || header.find(e.name) != header.end()) continue;
        try {
            if (e.raw.empty()) {
                header.insert(e.name, Imf::StringAttribute(e.text));
                continue;
            }
            std::unique_ptr<Imf::Attribute> attribute(Imf::Attribute::knownType(e.type.c_str()) ? Imf::Attribute::newAttribute(e.type.c_str())
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
        header.insert("parallaxProvenance", Imf::StringAttribute(steps));
    }
}

Imf::PixelType pixelType(const Image& image, std::size_t channel, StoredDepth depth) {
    if (depth == StoredDepth::half) return Imf::HALF;
    if (depth == StoredDepth::automatic) {
        for (const StoredChannel& s : image.source.storedChannels)
            if (s.name == image.channelNames()[channel]) return s.type == "half" ? Imf::HALF : Imf::FLOAT;
        // Converted luminance and chroma: the precision of the file.
        if (image.source.format == "OpenEXR" && !image.source.storedChannels.empty() && image.source.storedChannels[0].type == "half") return Imf::HALF;
    }
    return Imf::FLOAT;
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

void writeExr(const Image& image, AtomicFile& target, const SaveOptions& options) {
    const auto& names = exrCompressions();
    const auto compression = std::find(names.begin(), names.end(), options.exrCompression);
    if (compression == names.end()) throw Error(ErrorCode::usage, "OpenEXR has no compression '" + options.exrCompression + "'");
    const View<const float> v = image.view();
    if (v.shape.width > (1 << 30) || v.shape.height > (1 << 30)) throw Error(ErrorCode::usage, "The image is too large for OpenEXR");
    Window data{0, 0, v.shape.width - 1, v.shape.height - 1};
    if (image.dataWindow && image.dataWindow->maxX - image.dataWindow->minX + 1 == v.shape.width &&
        image.dataWindow->maxY - image.dataWindow->minY + 1 == v.shape.height)
        data = *image.dataWindow;
    Imf::Header header(toBox(image.displayWindow.value_or(data)), toBox(data), static_cast<float>(image.pixelAspectRatio), Imath::V2f(0, 0), 1,
                       Imf::INCREASING_Y, static_cast<Imf::Compression>(compression - names.begin()));
    // The constructor adds these two; the image's own come with its metadata.
    header.erase("screenWindowCenter");
    header.erase("screenWindowWidth");
    addMetadata(header, image);
    if (header.find("screenWindowCenter") == header.end()) header.insert("screenWindowCenter", Imf::V2fAttribute(Imath::V2f(0, 0)));
    if (header.find("screenWindowWidth") == header.end()) header.insert("screenWindowWidth", Imf::FloatAttribute(1));

    std::vector<Imf::PixelType> types;
    for (std::size_t c = 0; c < image.channelNames().size(); ++c) {
        types.push_back(pixelType(image, c, options.depth));
        header.channels().insert(image.channelNames()[c], Imf::Channel(types.back()));
    }
    RunContext context;
    context.threads = options.threads;
    AtomicOStream stream(target, "image");
    Imf::OutputFile file(stream, header, useExrThreads(effectiveThreads(context)));

    // Half is converted band by band here: OpenEXR takes the frame buffer's type as the file's.
    constexpr std::int64_t kBandLines = 256;
    std::vector<std::vector<Imath::half>> bands(types.size());
    for (std::size_t c = 0; c < types.size(); ++c)
        if (types[c] == Imf::HALF) bands[c].resize(static_cast<std::size_t>(v.shape.width * std::min(kBandLines, v.shape.height)));
    for (std::int64_t y = 0; y < v.shape.height; y += kBandLines) {
        if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        const std::int64_t lines = std::min(kBandLines, v.shape.height - y);
        Imf::FrameBuffer frame;
        const std::ptrdiff_t origin = static_cast<std::ptrdiff_t>(data.minY + y) * v.shape.width + data.minX;
        for (std::size_t c = 0; c < types.size(); ++c) {
            const float* plane = v.row(y, 0, static_cast<std::int64_t>(c));
            if (types[c] == Imf::HALF) {
                for (std::int64_t i = 0; i < lines * v.shape.width; ++i) bands[c][static_cast<std::size_t>(i)] = Imath::half(plane[i]);
                frame.insert(image.channelNames()[c], Imf::Slice(Imf::HALF, reinterpret_cast<char*>(bands[c].data() - origin), sizeof(Imath::half),
                                                                 sizeof(Imath::half) * static_cast<std::size_t>(v.shape.width)));
            } else {
                frame.insert(image.channelNames()[c],
                             Imf::Slice(Imf::FLOAT, const_cast<char*>(reinterpret_cast<const char*>(plane - origin)), sizeof(float),
                                        sizeof(float) * static_cast<std::size_t>(v.shape.width)));
            }
        }
        file.setFrameBuffer(frame);
        file.writePixels(static_cast<int>(lines));
        if (options.progress) options.progress(static_cast<double>(y + lines) / static_cast<double>(v.shape.height));
    }
}

}  // namespace parallax
