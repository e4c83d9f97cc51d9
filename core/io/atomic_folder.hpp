// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace parallax {

/// Output folder of DICOM images, image_0001.dcm and so on, that appears with all of its files or not at all: written under a hidden name
/// beside the target, and renamed at the end.
class AtomicFolder {
public:
    /// Throws Error(output) as checkFolderWritable() does.
    AtomicFolder(std::string path, bool overwrite);
    ~AtomicFolder();
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    /// Writes image `number` of `count`, from 1: the parts, one behind the other. Thread-safe. Throws Error(output) when the disk is full.
    void write(std::int64_t number, std::int64_t count, std::initializer_list<std::span<const std::uint8_t>> parts) const;
    /// Flushes to disk and gives the folder its name. Throws Error(output), also if the target was created meanwhile.
    void commit();

private:
    std::string path_;       ///< as given by the user, for messages
    std::string target_;     ///< without a slash at its end, and with symbolic links resolved
    std::string temporary_;  ///< empty after commit()
    bool overwrite_;
};

/// Throws Error(output) if the folder exists with files and may not be replaced, if it holds other files than such images, as a series from
/// elsewhere does, or if its parent cannot be written. An empty folder may always be replaced.
void checkFolderWritable(const std::string& path, bool overwrite);

}  // namespace parallax
