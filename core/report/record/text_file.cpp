// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"

namespace parallax {

std::string readTextFile(const std::string& path) {
    // A file of ten thousand samples of ten backends has some 20 MB.
    constexpr std::streamsize kLargest = 256 << 20;
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw Error(ErrorCode::input, "'" + path + "' is a folder", {}, "Give a file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(ErrorCode::input, "'" + path + "' cannot be read", std::strerror(errno), "Check the name");
    std::string text;
    std::string block(1 << 16, '\0');
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
        text.append(block, 0, static_cast<std::size_t>(file.gcount()));
        if (static_cast<std::streamsize>(text.size()) > kLargest)
            throw Error(ErrorCode::input, "'" + path + "' is too large to be a report or a recipe");
    }
    if (file.bad()) throw Error(ErrorCode::input, "'" + path + "' cannot be read to its end");
    return text;
}

}  // namespace parallax
