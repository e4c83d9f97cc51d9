// SPDX-License-Identifier: GPL-3.0-or-later
// Samples that a header keeps in several files, each with an equal part: a list of names, or a pattern.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/formats/described_volume.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// Whether the value of a header announces a list: "LIST", followed by the dimension of each file or by nothing.
bool announcesList(const std::string& value);
/// The names in the remaining lines of a header. Throws Error(input) if there are none or too many.
std::vector<std::string> namesOfList(const std::string& path, HeaderLines& lines);
/// The names that "slice%03d.raw FIRST LAST STEP" stands for; a dimension of each file may follow. Nothing for a value without a
/// conversion of an integer (%d, %i, %u, with a width) or without the numbers. Throws Error(input) for too many names.
std::optional<std::vector<std::string>> namesOfPattern(const std::string& path, const std::string& value);

/// The files that a header of NRRD or MetaImage names for its samples, or the header itself; empty for a file in another folder. Throw
/// Error(input).
std::vector<std::string> sampleFilesOfNrrd(const std::string& path);
std::vector<std::string> sampleFilesOfMetaImage(const std::string& path);

/// Reads the samples of all files as if they followed each other.
class SampleFiles {
public:
    /// `bytes`: samples in each file. `volume` must outlive the reader.
    SampleFiles(const DescribedVolume& volume, std::uint64_t bytes);
    ~SampleFiles();
    SampleFiles(const SampleFiles&) = delete;
    SampleFiles& operator=(const SampleFiles&) = delete;

    /// Throws Error(input) for damaged and truncated files.
    void read(void* to, std::size_t bytes, const LoadOptions& options);
    void skip(std::uint64_t bytes, const LoadOptions& options);

private:
    struct Source;
    void open(const LoadOptions& options);
    const DescribedVolume& volume_;
    std::uint64_t each_, left_ = 0;  ///< bytes in a file, and left in the current one
    std::size_t next_ = 0;           ///< file to open
    std::unique_ptr<Source> source_;
};

}  // namespace parallax
