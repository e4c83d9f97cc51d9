// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <cstdint>

namespace parallax {

/// Output folder that appears with all of its files or not at all: written under a hidden name beside the target, and renamed at the end.
class AtomicFolder {
public:
    /// `extension` of all files (".dcm"): a folder is only replaced if it holds nothing but such files. Throws Error(output) as
    /// checkFolderWritable() does.
    AtomicFolder(std::string path, std::string extension, bool overwrite);
    ~AtomicFolder();
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    /// Writes a file of the parts, one behind the other. Thread-safe. Throws Error(output) when the disk is full.
    void write(const std::string& name, std::initializer_list<std::span<const std::uint8_t>> parts) const;
    /// Flushes to disk and gives the folder its name. Throws Error(output), also if the target was created meanwhile.
    void commit();

private:
    std::string path_;    ///< as given by the user, for messages
    std::string target_;  ///< without a slash at its end, and with symbolic links resolved
    std::string extension_;
    std::string temporary_;  ///< empty after commit()
    bool overwrite_;
};

/// Throws Error(output) if the folder exists with files and may not be replaced, if it holds other files than `extension` names, or if its
/// parent cannot be written. An empty folder may always be replaced.
void checkFolderWritable(const std::string& path, std::string_view extension, bool overwrite);

}  // namespace parallax
