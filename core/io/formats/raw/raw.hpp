// SPDX-License-Identifier: GPL-3.0-or-later
// Samples without a header: the size and the type come from the person, or from a description in JSON beside the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/image/image.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// One channel, x fastest: sample (x, y, z) is number z * height * width + y * width + x of the file.
struct RawRequest {
    std::string path;
    Shape shape;
    StoredType type = StoredType::float32;
    bool bigEndian = false;
    std::uint64_t offset = 0;  ///< bytes before the first sample
    Geometry geometry;
    std::vector<Fact> facts;  ///< only in descriptions: what an operation told about the samples
    bool oriented = false;    ///< does the geometry say how the samples lie in the patient? Only a description can
};

/// Does the text start with "raw:"?
bool isRaw(std::string_view text);
/// "raw:WxH[xD][,type=T][,endian=little|big][,offset=BYTES][,spacing=XxYxZ][,origin=XxYxZ][,unit=U]:FILE" with T as in
/// storedTypeOf(), by default float, little-endian. Throws Error(usage).
RawRequest parseRaw(std::string_view text);
std::string toText(const RawRequest& request);

/// Sizes in bytes that follow from a request.
struct RawSize {
    std::uint64_t samples = 0;  ///< bytes of the samples
    std::uint64_t needed = 0;   ///< bytes of the file: offset and samples
    bool countable = true;      ///< false: more than 64 bits can say, and the others mean nothing
    bool fits(std::uint64_t fileBytes) const { return countable && needed == fileBytes; }
};
RawSize sizeOf(const RawRequest& request);

/// Throws Error(input) when the file does not hold exactly that many bytes, Error(memory), Error(cancelled).
Image loadRaw(const RawRequest& request, const LoadOptions& options = {});
/// One slice as an image, to be looked at while the request is still being found out: the file may be shorter or longer than asked, as
/// long as it has that slice. Throws as loadRaw() does, and Error(input) when it has not.
Image loadRawSlice(const RawRequest& request, std::int64_t z, const LoadOptions& options = {});

/// "volume.raw" -> "volume.raw.json".
std::string rawDescriptionPath(const std::string& path);
/// What there is beside a file of samples that says what they are: its description in JSON, or a header of MetaImage or NRRD ("volume.mhd",
/// "volume.nhdr") that names it. Empty if there is none.
std::string describingFile(const std::string& path);
/// Is the beginning of a file that of such a description?
bool isRawDescription(std::string_view head);
/// Throws Error(input) for what is no such description, or names a file elsewhere.
RawRequest readRawDescription(const std::string& path);

/// Writes float32, little-endian, and the description, which has all facts about the samples. Both appear or none. Throws Error(usage) for
/// several channels.
void saveRaw(const Image& image, const std::string& path, const SaveOptions& options);

}  // namespace parallax
