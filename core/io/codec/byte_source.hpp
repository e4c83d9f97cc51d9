// SPDX-License-Identifier: GPL-3.0-or-later
// Random access to the bytes of a file or of a buffer, for small reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parallax {

class ByteSource {
public:
    /// Throws Error(input) if the file cannot be opened.
    explicit ByteSource(const std::string& path);
    explicit ByteSource(std::vector<std::uint8_t> bytes);
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    std::uint64_t size() const { return size_; }
    /// Returns the number of bytes read: fewer than `n` at the end.
    std::size_t read(std::uint64_t offset, void* to, std::size_t n);

private:
    std::size_t readFile(std::uint64_t offset, void* to, std::size_t n);
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    std::vector<std::uint8_t> bytes_;  ///< all of them, or a window of the file
    std::uint64_t start_ = 0;          ///< of the window
};

}  // namespace parallax
