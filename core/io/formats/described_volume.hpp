// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes whose header is a text, with the samples behind it or in another file: what NRRD and MetaImage have in common.
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

namespace parallax {

/// Throws Error(input): "'PATH' cannot be read", why, and what to do.
[[noreturn]] void refuseVolume(const std::string& path, const std::string& why,
                               const std::string& advice = "Get the file again from its source");

/// Lines of the header one after the other, without their ends (LF or CR LF). Headers are short; files are not.
class HeaderLines {
public:
    /// Throws Error(input) if the file cannot be opened.
    explicit HeaderLines(const std::string& path);
    /// None at the end of the file. Throws Error(input) for a header that has no end within 16 MiB, or holds a zero byte.
    std::optional<std::string> next();
    /// Bytes from the beginning of the file to behind the last line that was given.
    std::uint64_t position() const { return at_; }

private:
    std::string path_, text_;
    std::uint64_t at_ = 0;
    std::uint64_t size_ = 0;
    bool whole_ = false;
    void fill();
};

std::string lowerCase(std::string_view text);
/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
/// What stands between blanks; "(1, 2)" and "a name" in parentheses and quotes are one word each, which keeps the parentheses and loses the
/// quotes.
std::vector<std::string> wordsOf(std::string_view text);
/// A finite number, or NaN where the text says so; none if it is something else.
std::optional<double> numberOf(std::string_view text);
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

/// A file in the folder of a description, by its name there ("./" may stand before it). Empty for a name that leads elsewhere: whoever
/// gives a description away must not choose another file of whoever opens it.
std::string pathBeside(const std::string& description, const std::string& name);

/// What a header says, read but not yet checked against the file that has the samples.
struct DescribedVolume {
    std::string path;                  ///< as it was given, for messages
    std::string samplesPath;           ///< may be `path`
    std::uint64_t offset = 0;          ///< bytes in the file before the samples, or before their compressed form
    std::uint64_t inflatedOffset = 0;  ///< bytes after inflating before the samples
    bool atEnd = false;                ///< the samples are the last bytes of the file, wherever they begin
    bool compressed = false;           ///< as zlib or gzip stream
    StoredType type = StoredType::int16;
    bool bigEndian = false;
    Shape shape{1, 1, 1, 1};
    std::int64_t interleaved = 1;  ///< values side by side for each sample: each makes a volume
    std::int64_t volumes = 1;      ///< one behind the other
    std::optional<Geometry> geometry;
    bool oriented = false;  ///< does the geometry say how the samples lie in the patient?
};

/// Number N of `interleaved * volumes`: value N modulo `interleaved` of volume N / `interleaved`. Throws Error(input) where the file does
/// not hold what is described, Error(memory), Error(cancelled).
Image loadDescribed(const DescribedVolume& volume, const std::string& choice, const LoadOptions& options);

}  // namespace parallax
