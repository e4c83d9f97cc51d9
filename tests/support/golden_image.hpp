// SPDX-License-Identifier: GPL-3.0-or-later
// Golden files of tone mapping: lines of fields separated by "|", some of which are images.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

/// The fields of a line, with one space between words.
inline std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields(1);
    std::istringstream all(line);
    for (std::string word; all >> word;)
        if (word == "|") fields.emplace_back();
        else fields.back() += (fields.back().empty() ? "" : " ") + word;
    return fields;
}

/// `size`: "width height channels"; `samples`: channel after channel, by rows.
inline ImagePtr goldenImage(const std::string& size, const std::string& samples) {
    Shape shape;
    std::istringstream(size) >> shape.width >> shape.height >> shape.channels;
    auto image = std::make_shared<Image>(Buffer(shape));
    std::istringstream in(samples);
    for (std::int64_t i = 0; i < shape.samples(); ++i) in >> image->view().data[i];
    return image;
}

}  // namespace parallax
