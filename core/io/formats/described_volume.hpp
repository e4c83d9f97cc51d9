// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes with a header, followed by the samples or naming a file with them: common parts of NRRD, MetaImage and NIfTI.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/loader.hpp"

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

/// Splits at blanks. "(1, 2)" in parentheses and "a name" in quotes are one word each, without the quotes.
std::vector<std::string> wordsOf(std::string_view text);
/// Parses a finite number or NaN.
std::optional<double> numberOf(std::string_view text);
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

/// Path of a file in the folder of a description ("./" before the name is allowed). Empty for a name in another folder, so that a foreign
/// description cannot make users open other files of theirs.
std::string pathBeside(const std::string& description, const std::string& name);

/// Names and values in the lines of a header.
struct HeaderFields {
    std::string path;
    std::map<std::string, std::string> values;  ///< by lower-case names
    std::uint64_t end = 0;                      ///< bytes up to the samples, if these follow

    /// Throws Error(input) if the name is repeated.
    void add(std::string_view name, std::string_view value);
    /// Finds the first of several names; null if there is none.
    const std::string* find(std::initializer_list<const char*> names) const;
    /// Throws Error(input) if it is missing.
    const std::string& need(const char* name) const;
    /// Throws Error(input) unless there is a whole number of at least `least`, or none (`otherwise`). `shown` begins the message.
    std::int64_t whole(std::initializer_list<const char*> names, std::int64_t least, std::int64_t otherwise,
                       const std::string& shown) const;
};
/// Parses sizes. Throws Error(input).
std::vector<std::int64_t> sizesOf(const std::string& path, const std::vector<std::string>& words);

/// A volume as its header describes it, not yet checked against the file with the samples.
struct DescribedVolume {
    std::string format;                ///< as in SourceInfo
    std::string path;                  ///< as given, for messages
    std::string samplesPath;           ///< may equal `path`
    std::vector<std::string> files{};  ///< instead of samplesPath: several files, each with an equal part of the samples
    std::uint64_t offset = 0;          ///< bytes in the file before the samples, or before their compressed form
    std::uint64_t inflatedOffset = 0;  ///< bytes after inflating before the samples
    bool atEnd = false;                ///< the samples are the last bytes of the file
    bool compressed = false;           ///< as zlib, gzip or bzip2 stream
    bool bzip2 = false;                ///< `compressed` by bzip2
    bool mayEndEarly = false;          ///< volumes behind the chosen one may be missing
    StoredType type = StoredType::int16;
    bool bigEndian = false;
    Rescale rescale{};
    Shape shape{1, 1, 1, 1};
    std::int64_t interleaved = 1;  ///< values per sample: each makes a volume
    std::int64_t volumes = 1;      ///< stored one after another
    Geometry geometry{};
    bool oriented = false;  ///< the geometry includes the orientation in the patient
    std::vector<std::string> warnings{};

    /// Sets `files` to files beside the header.
    void setFiles(const std::vector<std::string>& names);
    /// Sets the spacing of an axis in mm, with a warning if it is invalid.
    bool setSpacing(std::size_t axis, double spacing);
    /// Takes the axes as those of the patient, with a note. A plane (two dimensions) with origin 0 and without rotation keeps an unknown
    /// orientation, which loses nothing.
    void assumeAxes(std::size_t dimensions);
    /// Millimetres per unit of length; 1 without a unit and, with a warning, for unknown ones.
    double millimetres(const std::string& unit);
};

/// Loads number N of `interleaved * volumes`: value N modulo `interleaved` of volume N / `interleaved`. Throws Error(input) if the file
/// does not match the description, Error(memory), Error(cancelled).
Image loadDescribed(const DescribedVolume& volume, const std::string& choice, const LoadOptions& options);

}  // namespace parallax
