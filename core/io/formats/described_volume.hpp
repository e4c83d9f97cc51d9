// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes with a text header, followed by the samples or naming a file with them: common parts of NRRD and MetaImage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/loader.hpp"
#include "core/io/refuse.hpp"

namespace parallax {

/// Reads the lines of a header without their ends (LF or CR LF).
class HeaderLines {
public:
    /// Throws Error(input) if the file cannot be opened.
    explicit HeaderLines(const std::string& path);
    /// Returns nothing at the end of the file. Throws Error(input) for a header that does not end within 16 MiB, or has a zero byte.
    std::optional<std::string> next();
    /// Offset in the file behind the last returned line.
    std::uint64_t position() const { return at_; }

private:
    std::string path_, text_;
    std::uint64_t at_ = 0;
    std::uint64_t size_ = 0;
    bool whole_ = false;
    void fill();
};

std::string lowerCase(std::string_view text);
/// Removes blanks at both ends.
std::string_view trimmed(std::string_view text);
/// Splits at blanks. "(1, 2)" in parentheses and "a name" in quotes are one word each, without the quotes.
std::vector<std::string> wordsOf(std::string_view text);
/// Parses a finite number or NaN.
std::optional<double> numberOf(std::string_view text);
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

/// Path of a file in the folder of a description ("./" before the name is allowed). Empty for a name in another folder, so that a foreign
/// description cannot make users open other files of theirs.
std::string pathBeside(const std::string& description, const std::string& name);

/// Fields of a header, not yet checked against the file with the samples.
struct DescribedVolume {
    std::string path;                  ///< as given, for messages
    std::string samplesPath;           ///< may equal `path`
    std::uint64_t offset = 0;          ///< bytes in the file before the samples, or before their compressed form
    std::uint64_t inflatedOffset = 0;  ///< bytes after inflating before the samples
    bool atEnd = false;                ///< the samples are the last bytes of the file
    bool compressed = false;           ///< as zlib or gzip stream
    StoredType type = StoredType::int16;
    bool bigEndian = false;
    Shape shape{1, 1, 1, 1};
    std::int64_t interleaved = 1;  ///< values per sample: each makes a volume
    std::int64_t volumes = 1;      ///< stored one after another
    std::optional<Geometry> geometry;
    bool oriented = false;  ///< the geometry includes the orientation in the patient
};

/// Loads number N of `interleaved * volumes`: value N modulo `interleaved` of volume N / `interleaved`. Throws Error(input) if the file
/// does not match the description, Error(memory), Error(cancelled).
Image loadDescribed(const DescribedVolume& volume, const std::string& choice, const LoadOptions& options);

}  // namespace parallax
