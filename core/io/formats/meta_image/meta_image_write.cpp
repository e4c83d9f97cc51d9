// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/orientation.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/packed_samples.hpp"

namespace parallax {

void writeMetaImage(const Image& image, AtomicFile& file, const SaveOptions& options, std::vector<std::string>& notes) {
    const PackedSamples samples = packSamples(image, options);
    noteLostGeometry(image, false, notes);
    std::string head =
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        "CompressedData = False\n";
    const auto add = [&](const char* name, const double* values, std::size_t n, std::size_t step) {
        head += std::string(name) + " =";
        for (std::size_t i = 0; i < n; ++i) head += " " + shortestText(values[i * step]);
    };
    if (image.geometry && orientationKnown(image)) {
        // Rows of the matrix are the directions of the axes.
        const Geometry& g = *image.geometry;
        add("TransformMatrix", g.direction.data(), 3, 3);
        for (std::size_t axis = 1; axis < 3; ++axis)
            for (std::size_t row = 0; row < 3; ++row) head += " " + shortestText(g.direction[3 * row + axis]);
        head += "\n";
        add("Offset", g.origin.data(), 3, 1);
        head += "\nCenterOfRotation = 0 0 0\n";
    }
    if (image.geometry) {
        add("ElementSpacing", image.geometry->spacing.data(), 3, 1);
        head += "\n";
    }
    const Shape& s = image.shape();
    const char* const type = samples.type == StoredType::int16    ? "MET_SHORT"
                             : samples.type == StoredType::uint16 ? "MET_USHORT"
                                                                  : "MET_FLOAT";
    head += "DimSize = " + std::to_string(s.width) + " " + std::to_string(s.height) + " " + std::to_string(s.depth) +
            "\nElementType = " + type + "\nElementDataFile = LOCAL\n";
    file.write(head.data(), head.size());
    writePacked(samples, file, options);
}

}  // namespace parallax
