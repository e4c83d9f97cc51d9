// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace parallax {

/// Output file that appears complete or not at all: written without a name, or with a hidden one beside the target, and renamed at the end,
/// so that a full disk, a crash or a cancellation leaves the old file unchanged.
class AtomicFile {
public:
    /// Who may read a file: those whom the umask or the replaced file allow, or its owner only.
    enum class Readers { standard, owner };

    /// Throws Error(output) when the target exists and may not be replaced, is a folder, or its folder cannot be written.
    AtomicFile(std::string path, bool overwrite, Readers readers = Readers::standard)
        : AtomicFile(std::move(path), overwrite, readers, false) {}
    /// A file that other processes can write parts of, as FilePart of temporaryPath(): it has a hidden name from the beginning.
    static AtomicFile shared(std::string path, bool overwrite) { return {std::move(path), overwrite, Readers::standard, true}; }
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::string& temporaryPath() const { return temporary_; }

    /// Throws Error(output) when the disk is full.
    void write(const void* data, std::size_t bytes) { writeAt(end_, data, bytes); }
    void writeAt(std::uint64_t offset, const void* data, std::size_t bytes) {
        writeAt(offset, {static_cast<const char*>(data), bytes}, {});
    }
    /// Writes both, one behind the other, with one call of the system.
    void writeAt(std::uint64_t offset, std::string_view first, std::string_view second);
    void write(std::string_view text) { write(text.data(), text.size()); }
    /// Flushes to disk. Throws Error(output), also if an earlier write failed and the calling library ignored that.
    void sync();
    /// Flushes to disk and gives the file its name. Throws as sync() does, and if the target was created meanwhile.
    void commit();

private:
    AtomicFile(std::string path, bool overwrite, Readers readers, bool named);
    std::string temporaryName() const;
    int linkTo(const std::string& name) const;

    std::string path_;       ///< as given by the user, for messages
    std::string target_;     ///< with symbolic links resolved
    std::string temporary_;  ///< empty: without a name
    int descriptor_ = -1;
    int firstError_ = 0;  ///< errno of the first failed write
    std::uint64_t end_ = 0;
    bool overwrite_;
    bool committed_ = false;
};

/// Writes parts of an AtomicFile of another process.
class FilePart {
public:
    /// `path`: of the file for messages. exists() tells whether the temporary file could be opened.
    FilePart(std::string path, const std::string& temporary);
    ~FilePart();
    FilePart(const FilePart&) = delete;
    FilePart& operator=(const FilePart&) = delete;
    bool exists() const { return descriptor_ >= 0; }
    /// Throw Error(output), as those of AtomicFile do.
    void writeAt(std::uint64_t offset, const void* data, std::size_t bytes);
    void sync();

private:
    std::string path_;
    int descriptor_ = -1;
};

/// Removes the hidden files of all that is being written, before the process ends at once. Thread-safe.
void removeUnfinishedFiles();

/// Throws what the constructor of AtomicFile would; called before long computations.
void checkWritable(const std::string& path, bool overwrite);

}  // namespace parallax
