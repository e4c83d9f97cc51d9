// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/png/png_memory.hpp"

#include <png.h>

#include "core/image/error.hpp"

namespace parallax {

std::string encodePng(int width, int height, const std::vector<std::uint8_t>& rgb) {
    if (width < 1 || height < 1 || rgb.size() != std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
        throw Error(ErrorCode::failed, "A picture has the wrong number of samples");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    // An upper bound, so that it is compressed once.
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(bytes, '\0');
    if (!png_image_write_to_memory(&image, file.data(), &bytes, 0, rgb.data(), 0, nullptr))
        throw Error(ErrorCode::failed, "A picture could not be encoded", image.message);
    file.resize(bytes);
    return file;
}

}  // namespace parallax
