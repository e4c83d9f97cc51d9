// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kept/data_folder.hpp"

#include <cstdlib>
#include <filesystem>

namespace parallax {

namespace {

/// The file or folder `name` of Parallax in the folder that a variable names, or in `standard` of the home folder.
std::string pathIn(const char* variable, const std::string& standard, const std::string& name) {
    const char* const folder = std::getenv(variable);
    const char* const home = std::getenv("HOME");
    // The XDG specification says to ignore relative paths.
    if (folder && folder[0] == '/') return std::string(folder) + "/parallax/" + name;
    if (home && home[0] == '/') return std::string(home) + "/" + standard + "/parallax/" + name;
    return {};
}

}  // namespace

std::string dataFolder(const std::string& name) { return pathIn("XDG_DATA_HOME", ".local/share", name); }

std::string configurationFile(const std::string& name) { return pathIn("XDG_CONFIG_HOME", ".config", name); }

bool createFolder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return !folder.empty() && std::filesystem::is_directory(folder, error);
}

}  // namespace parallax
