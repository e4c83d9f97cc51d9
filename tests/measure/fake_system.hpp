// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with proc/ and sys/ of a machine that does not exist.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace parallax {

class FakeSystem {
public:
    FakeSystem() {
        static int number = 0;
        root_ = std::filesystem::temp_directory_path() / ("parallax_system_" + std::to_string(getpid()) + "_" + std::to_string(++number));
        std::filesystem::create_directories(root_);
    }
    ~FakeSystem() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    FakeSystem(const FakeSystem&) = delete;
    FakeSystem& operator=(const FakeSystem&) = delete;

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    std::string root() const { return root_.string(); }

private:
    std::filesystem::path root_;
};

}  // namespace parallax
