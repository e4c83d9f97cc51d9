// SPDX-License-Identifier: GPL-3.0-or-later
// A file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parallax {

/// Writes beside the target and renames at the end, so that a full disk, a crash or a cancel leaves the old file whole.
class AtomicFile {
public:
    /// Throws Error(output) when the target exists and may not be replaced, is a folder, or its folder cannot be written.
    AtomicFile(std::string path, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Throws Error(output) when the disk is full.
    void write(const void* data, std::size_t bytes) { writeAt(end_, data, bytes); }
    void writeAt(std::uint64_t offset, const void* data, std::size_t bytes);
    void write(std::string_view text) { write(text.data(), text.size()); }
    /// Brings everything to the disk and gives the file its name. Throws Error(output), also when an earlier write failed and
    /// a library in between kept that to itself.
    void commit();

private:
    std::string path_;    ///< as the person gave it, for messages
    std::string target_;  ///< behind symbolic links
    std::string temporary_;
    int descriptor_ = -1;
    int firstError_ = 0;  ///< errno of the first failed write
    std::uint64_t end_ = 0;
    bool overwrite_;
    bool committed_ = false;
};

/// Throws what the constructor of AtomicFile would: asked before long work whose result is to be written.
void checkWritable(const std::string& path, bool overwrite);

}  // namespace parallax
