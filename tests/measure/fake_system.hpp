// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with proc/ and sys/ of a machine that does not exist.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace parallax {

class FakeSystem {
public:
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((folder_.path() / path).parent_path());
        std::ofstream(folder_.path() / path) << text;
    }
    std::string root() const { return folder_.path().string(); }

private:
    test::TemporaryFolder folder_;
};

}  // namespace parallax
