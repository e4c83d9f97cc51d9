// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_metadata.hpp"

#include <ImfAttribute.h>
#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfDoubleAttribute.h>
#include <ImfEnvmapAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfIntAttribute.h>
#include <ImfPartType.h>
#include <ImfRationalAttribute.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfVecAttribute.h>

#include <algorithm>
#include <cstring>
#include <locale>
#include <sstream>
#include <string_view>

#include "core/io/codec/text.hpp"
#include "core/io/formats/exr/exr.hpp"

namespace parallax {
namespace {

/// Attributes that the writer derives from the image.
bool isStructural(const std::string& name) {
    static const char* const kNames[] = {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
                                         "type",     "tiles",       "chunkCount", "version",       "name",      "maxSamplesPerPixel",
                                         "preview"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](const char* n) { return name == n; });
}

/// Serialised attributes are read back by type name, so the bytes need no interpretation here.
class MemoryOStream final : public Imf::OStream {
public:
    MemoryOStream() : Imf::OStream("attribute") {}
    void write(const char c[], int n) override {
        if (n <= 0) return;
        const std::size_t end = position_ + static_cast<std::size_t>(n);
        if (bytes.size() < end) bytes.resize(end);
        std::memcpy(bytes.data() + position_, c, static_cast<std::size_t>(n));
        position_ = end;
    }
    std::uint64_t tellp() override { return position_; }
    void seekp(std::uint64_t p) override { position_ = p; }
    std::vector<std::uint8_t> bytes;

private:
    std::size_t position_ = 0;
};

std::string attributeText(const Imf::Attribute& a) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    if (const auto* s = dynamic_cast<const Imf::StringAttribute*>(&a)) text << s->value();
    else if (const auto* i = dynamic_cast<const Imf::IntAttribute*>(&a)) text << i->value();
    else if (const auto* f = dynamic_cast<const Imf::FloatAttribute*>(&a)) text << f->value();
    else if (const auto* v = dynamic_cast<const Imf::V2fAttribute*>(&a)) text << v->value().x << ' ' << v->value().y;
    else if (const auto* v3 = dynamic_cast<const Imf::V3fAttribute*>(&a))
        text << v3->value().x << ' ' << v3->value().y << ' ' << v3->value().z;
    else if (const auto* c = dynamic_cast<const Imf::ChromaticitiesAttribute*>(&a))
        text << "red " << c->value().red.x << ' ' << c->value().red.y << ", green " << c->value().green.x << ' ' << c->value().green.y
             << ", blue " << c->value().blue.x << ' ' << c->value().blue.y << ", white " << c->value().white.x << ' ' << c->value().white.y;
    else if (const auto* d = dynamic_cast<const Imf::DoubleAttribute*>(&a)) text << d->value();
    else if (const auto* v2 = dynamic_cast<const Imf::V2iAttribute*>(&a)) text << v2->value().x << ' ' << v2->value().y;
    else if (const auto* r = dynamic_cast<const Imf::RationalAttribute*>(&a)) text << r->value().n << '/' << r->value().d;
    else if (const auto* e = dynamic_cast<const Imf::EnvmapAttribute*>(&a))
        text << (e->value() == Imf::ENVMAP_CUBE ? "cube" : "latitude and longitude");
    else if (const auto* box = dynamic_cast<const Imf::Box2iAttribute*>(&a))
        text << box->value().min.x << ' ' << box->value().min.y << ' ' << box->value().max.x << ' ' << box->value().max.y;
    else if (const auto* list = dynamic_cast<const Imf::StringVectorAttribute*>(&a)) {
        for (std::size_t k = 0; k < list->value().size(); ++k) text << (k ? ", " : "") << list->value()[k];
    } else text << '(' << a.typeName() << ')';
    return text.str();
}

std::vector<MetadataEntry> readMetadata(const Imf::Header& header) {
    std::vector<MetadataEntry> entries;
    const auto& compressions = exrCompressions();
    const auto compression = static_cast<std::size_t>(header.compression());
    std::string storage = isTiledPart(header) ? "tiles" : "scan lines";
    if (isTiledPart(header) && header.hasTileDescription())
        storage += " of " + std::to_string(header.tileDescription().xSize) + " x " + std::to_string(header.tileDescription().ySize);
    entries.push_back(
        {"storage", "note", storage + ", compression " + (compression < compressions.size() ? compressions[compression] : "unknown"), {}});
    for (auto it = header.begin(); it != header.end(); ++it) {
        if (isStructural(it.name()) || std::string_view(it.name()) == kExrProvenance) continue;
        MemoryOStream stream;
        it.attribute().writeValueTo(stream, 1);
        entries.push_back({it.name(), it.attribute().typeName(), toUtf8(attributeText(it.attribute())), std::move(stream.bytes)});
    }
    return entries;
}

Window toWindow(const Imath::Box2i& b) { return {b.min.x, b.min.y, b.max.x, b.max.y}; }

const char* typeName(Imf::PixelType t) { return t == Imf::HALF ? "half" : t == Imf::FLOAT ? "float" : "uint"; }

/// Sort key within a layer: colours in their usual order, alpha, others.
int rank(const std::string& name) {
    const auto dot = name.rfind('.');
    const std::string base = dot == std::string::npos ? name : name.substr(dot + 1);
    static const char* const kOrder[] = {"R", "G", "B", "Y", "RY", "BY", "A"};
    const auto it = std::find_if(std::begin(kOrder), std::end(kOrder), [&](const char* n) { return base == n; });
    return static_cast<int>(it - std::begin(kOrder));
}

}  // namespace

bool isTiledPart(const Imf::Header& header) { return header.hasType() ? Imf::isTiled(header.type()) : header.hasTileDescription(); }

std::vector<std::string> orderedChannels(const Imf::ChannelList& channels) {
    std::vector<std::string> names;
    for (auto it = channels.begin(); it != channels.end(); ++it) names.emplace_back(it.name());
    const auto layer = [](const std::string& n) { return n.rfind('.') == std::string::npos ? std::string() : n.substr(0, n.rfind('.')); };
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        if (layer(a) != layer(b)) return layer(a) < layer(b);
        return rank(a) < rank(b);
    });
    return names;
}

void describeExr(Image& image, Imf::MultiPartInputFile& file, const ExrSelection& selection) {
    const Imf::Header& header = file.header(selection.part);
    image.source.format = "OpenEXR";
    for (std::size_t i = 0; i < selection.stored.size(); ++i) {
        const Imf::Channel& c = header.channels()[selection.stored[i]];
        image.source.storedChannels.push_back({selection.names[i], typeName(c.type), c.xSampling, c.ySampling});
    }
    image.dataWindow = toWindow(header.dataWindow());
    image.displayWindow = toWindow(header.displayWindow());
    image.pixelAspectRatio = static_cast<double>(header.pixelAspectRatio());
    image.metadata = readMetadata(header);
    if (selection.some) std::erase_if(image.metadata, [](const MetadataEntry& e) { return e.name == "multiView"; });
    if (const auto* steps = header.findTypedAttribute<Imf::StringAttribute>(kExrProvenance)) {
        std::istringstream lines(steps->value());
        for (std::string line; std::getline(lines, line);) image.provenance.push_back(line);
    }
    for (int p = 0; p < file.parts(); ++p)
        image.source.parts.push_back(file.header(p).hasName() ? file.header(p).name() : "part " + std::to_string(p));
    if (file.parts() > 1 && !selection.chosen)
        image.source.warnings.push_back("The file has " + std::to_string(file.parts()) + " parts; part 0, '" + image.source.parts[0] +
                                        "', was opened");
}

}  // namespace parallax
