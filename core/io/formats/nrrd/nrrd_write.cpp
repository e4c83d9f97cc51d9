// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/image/orientation.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/packed_samples.hpp"

namespace parallax {
namespace {

std::string vectorText(const std::array<double, 3>& v) {
    return "(" + shortestText(v[0]) + "," + shortestText(v[1]) + "," + shortestText(v[2]) + ")";
}
std::string listText(const std::array<double, 3>& v) { return shortestText(v[0]) + " " + shortestText(v[1]) + " " + shortestText(v[2]); }

std::string geometryText(const Image& image) {
    if (!image.geometry) return {};
    const Geometry& g = *image.geometry;
    std::string text;
    if (orientationKnown(image)) {
        text = "space: left-posterior-superior\nspace directions:";
        for (std::size_t axis = 0; axis < 3; ++axis)
            text += " " + vectorText({g.direction[axis] * g.spacing[axis], g.direction[3 + axis] * g.spacing[axis],
                                      g.direction[6 + axis] * g.spacing[axis]});
        text += "\nspace origin: " + vectorText(g.origin) + "\n";
    } else {
        // Minima of axes with their samples at nodes are positions of samples.
        text = "spacings: " + listText(g.spacing) + "\n";
        if (g.origin != Geometry{}.origin) text += "axis mins: " + listText(g.origin) + "\ncenterings: node node node\n";
    }
    const bool plain = g.unit.size() <= 16 && g.unit.find_first_of("\r\n") == std::string::npos;
    if (!g.unit.empty() && plain) text += "sample units: " + g.unit + "\n";
    return text;
}

}  // namespace

void writeNrrd(const Image& image, AtomicFile& file, const SaveOptions& options, std::vector<std::string>& notes) {
    const PackedSamples samples = packSamples(image, options);
    noteLostGeometry(image, true, notes);
    const Shape& s = image.shape();
    const char* const type = samples.type == StoredType::int16 ? "int16" : samples.type == StoredType::uint16 ? "uint16" : "float";
    const std::string head = std::string("NRRD0004\ntype: ") + type + "\ndimension: 3\nsizes: " + std::to_string(s.width) + " " +
                             std::to_string(s.height) + " " + std::to_string(s.depth) + "\nkinds: domain domain domain\n" +
                             geometryText(image) + "endian: little\nencoding: gzip\n\n";
    file.write(head.data(), head.size());
    writeGzip(file, {}, samples.bytes, options);
}

}  // namespace parallax
