// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parallax {

struct TiffCloser {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, TiffCloser>;

/// Options of a handle whose messages are kept in `firstError` instead of being printed.
class TiffOptions {
public:
    /// `maximumAllocation` limits each block of memory that libtiff asks for.
    TiffOptions(std::string& firstError, std::uint64_t maximumAllocation);
    TIFFOpenOptions* get() const { return options_.get(); }

private:
    struct Free {
        void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
    };
    std::unique_ptr<TIFFOpenOptions, Free> options_;
};

/// A TIFF or BigTIFF file opened for reading.
class TiffFile {
public:
    /// Throws Error(input). Reads the header only: choosePage() comes first.
    explicit TiffFile(const std::string& path);
    TiffFile(const TiffFile&) = delete;  // libtiff keeps the address of firstError_

    /// Offsets of the directories, one a page. Stops at a damaged or repeated directory, and after a million of them.
    std::vector<std::uint64_t> pages() const;
    /// Throws Error(input) for a damaged directory.
    void choosePage(std::uint64_t offset);

    TIFF* get() const { return tiff_.get(); }
    std::uint64_t bytes() const { return bytes_; }
    /// What libtiff said first since choosePage(); `otherwise` if it said nothing.
    std::string error(const char* otherwise) const { return firstError_.empty() ? otherwise : firstError_; }

    /// Value of a tag with one number, or its default.
    std::uint16_t shortOr(std::uint32_t tag, std::uint16_t fallback) const;
    std::uint32_t longOr(std::uint32_t tag, std::uint32_t fallback) const;

private:
    std::string path_, firstError_;
    std::uint64_t bytes_;
    TiffHandle tiff_;
};

}  // namespace parallax
