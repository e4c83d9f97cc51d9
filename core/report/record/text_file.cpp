// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"

namespace parallax {

std::string readTextFile(const std::string& path, std::size_t most) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw Error(ErrorCode::input, "Cannot read '" + path + "'", "it is a folder", "Use a file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(ErrorCode::input, "Cannot read '" + path + "'", std::strerror(errno), "Check the name");
    std::string text;
    std::string block(1 << 16, '\0');
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
        text.append(block, 0, static_cast<std::size_t>(file.gcount()));
        if (text.size() > most)
            throw Error(ErrorCode::input, "Cannot read '" + path + "'", "it is larger than " + std::to_string(most >> 20) + " MiB");
    }
    if (file.bad()) throw Error(ErrorCode::input, "Cannot read '" + path + "' to its end");
    return text;
}

}  // namespace parallax
