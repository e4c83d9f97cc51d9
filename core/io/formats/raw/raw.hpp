// SPDX-License-Identifier: GPL-3.0-or-later
// Samples without a header: size and type are given by the user, or by a JSON description beside the file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
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
    std::vector<Fact> facts;  ///< of descriptions only: facts that an operation stated about the samples
    bool oriented = false;    ///< the geometry includes the orientation in the patient; of descriptions only
};

/// Whether the text begins with "raw:".
bool isRaw(std::string_view text);
/// "raw:WxH[xD][,type=T][,endian=little|big][,offset=BYTES][,spacing=XxYxZ][,origin=XxYxZ][,unit=U]:FILE" with T as in
/// storedTypeOf(), by default float, little-endian. Throws Error(usage).
RawRequest parseRaw(std::string_view text);
std::string toText(const RawRequest& request);

/// Sizes that a request needs.
struct RawSize {
    std::uint64_t samples = 0;  ///< bytes of the samples
    std::uint64_t needed = 0;   ///< bytes of the file: offset plus samples
    bool countable = true;      ///< false: the sizes exceed 64 bits and are not valid
    bool fits(std::uint64_t fileBytes) const { return countable && needed == fileBytes; }
};
RawSize sizeOf(const RawRequest& request);

/// Throws Error(input) unless the file has exactly that many bytes, Error(memory), Error(cancelled).
Image loadRaw(const RawRequest& request, const LoadOptions& options = {});
/// Loads one slice as a preview while the user still edits the request: the file only has to contain that slice. Throws as loadRaw() does.
Image loadRawSlice(const RawRequest& request, std::int64_t z, const LoadOptions& options = {});

/// "volume.raw" -> "volume.raw.json".
std::string rawDescriptionPath(const std::string& path);
/// Path of the JSON description beside a file of samples, or of a MetaImage or NRRD header ("volume.mhd", "volume.nhdr") that names it.
/// Empty if there is none.
std::string describingFile(const std::string& path);
/// Whether a file that begins so is a JSON description.
bool isRawDescription(std::string_view head);
/// Throws Error(input) for an invalid description, or one that names a file in another folder.
RawRequest readRawDescription(const std::string& path);

/// Writes little-endian float32 samples and the description, with all facts about the samples. Both files appear or none. Throws
/// Error(usage) for several channels.
void saveRaw(const Image& image, const std::string& path, const SaveOptions& options);
/// Writes the description, and calls write() for the samples in between: see saveRaw(). The image needs no samples.
void saveRawWith(const Image& image, const std::string& path, const SaveOptions& options, AtomicFile& samples,
                 const std::function<void()>& write);

}  // namespace parallax
