// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM slices made for tests, in a temporary folder.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/image/image.hpp"
#include "tests/support/dicom_writer.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {

inline std::string allWarnings(const Image& image) {
    std::string text;
    for (const auto& w : image.source.warnings) text += w + "\n";
    return text;
}

/// A slice whose samples tell its number: 100 * y + x + 1000 * number, less the intercept of 1024.
inline MadeDicom slice(int number, double z) {
    MadeDicom d;
    d.position = {-10, -20, z};
    d.instance = number;
    d.sample = [number](int x, int y) { return static_cast<std::uint32_t>(1000 * number + 100 * y + x); };
    return d;
}

inline float expected(int number, int x, int y) { return static_cast<float>(1000 * number + 100 * y + x - 1024); }

class Dicom : public testing::Test {
protected:
    TemporaryFolder folder_;
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string write(const MadeDicom& d, const std::string& name = "a.dcm") const {
        d.write(file(name));
        return file(name);
    }
    std::string folder() const { return folder_.path().string(); }
};

}  // namespace parallax::test
