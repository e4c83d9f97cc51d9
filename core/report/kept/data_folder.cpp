// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kept/data_folder.hpp"

#include <cstdlib>
#include <filesystem>

namespace parallax {

std::string dataFolder(const std::string& name) {
    const char* const data = std::getenv("XDG_DATA_HOME");
    const char* const home = std::getenv("HOME");
    // The XDG specification says to ignore relative paths.
    if (data && data[0] == '/') return std::string(data) + "/parallax/" + name;
    if (home && home[0] == '/') return std::string(home) + "/.local/share/parallax/" + name;
    return {};
}

bool createFolder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return !folder.empty() && std::filesystem::is_directory(folder, error);
}

}  // namespace parallax
