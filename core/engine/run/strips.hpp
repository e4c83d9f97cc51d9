// SPDX-License-Identifier: GPL-3.0-or-later
// Work in strips: an image is uploaded, computed and downloaded part by part, with neighbouring strips in flight at the same time, so that
// only a few of them are on the device. Planes are the slices of all channels in memory order: plane = channel * depth + slice. A strip is
// some small planes, or a band of rows of a large one together with its halo. Slabs are strips that an execution plans itself because its
// results do not lie where the samples do: boxes of memory say what is transferred.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/shape.hpp"

namespace parallax {

/// Whether an implementation works in strips, and the halo that an output row needs. Planes must not depend on each other.
struct StripSupport {
    bool yes = false;
    std::string reason;  ///< if not: a sentence
    int above = 0;       ///< rows of input needed besides the row itself
    int below = 0;
    /// The row of the image that stands for one outside of [0, height), or -1 for `fill` in all columns. Defined for -above ..
    /// height - 1 + below.
    std::function<std::int64_t(std::int64_t row)> rowFor;
    float fill = 0;
    static StripSupport no(std::string reason) { return {false, std::move(reason), 0, 0, {}, 0}; }
    /// Output samples depend on the input samples at the same place only.
    static StripSupport withoutHalo() {
        return {true, {}, 0, 0, [](std::int64_t row) { return row; }, 0};
    }
    explicit operator bool() const { return yes; }
};

/// Either `planes` whole planes, or the output rows [row, row + rows) of one plane.
struct Strip {
    std::int64_t plane = 0, planes = 1;
    std::int64_t row = 0, rows = 0;
    bool whole = true;  ///< all rows of its planes: the input has the same rows, and the execution handles borders
    friend bool operator==(const Strip&, const Strip&) = default;
};

/// Limits of a session for strips.
struct StripLimits {
    int inFlight = 0;                 ///< strips on the device at a time; 0: the session does not work in strips
    std::uint64_t largestStrip = 0;   ///< input bytes above which strips do not get faster
    std::uint64_t smallestStrip = 0;  ///< input bytes below which the fixed cost of a transfer counts
    int minStripCount = 1;            ///< strips of an image, unless they would be smaller than smallestStrip
    /// Bytes that could be transferred in the time that one more strip costs, if the link is the limit in both directions; 0: unknown.
    /// Transferring N bytes in strips of s takes the time of N + s + N / s * stripCost bytes, which s = sqrt(N * stripCost) minimises.
    std::uint64_t stripCost = 0;
};

/// A box of samples that is copied row by row between host memory and the device buffer of a strip.
struct StripBox {
    int image = 0;                    ///< host memory: 0: the run's input (upload) or result (download); i: StripPlan::kept[i - 1]
    std::int64_t host = 0, slot = 0;  ///< first sample in host memory and in the buffer; negative `host`: StripSupport::fill
    std::int64_t width = 0, rows = 1, slices = 1;
    std::int64_t hostRow = 0, hostSlice = 0;  ///< strides in host memory; slices are whole numbers of rows
    std::int64_t slotRow = 0, slotSlice = 0;  ///< strides in the buffer
    std::int64_t samples() const { return width * rows * slices; }
    /// The same box with rows and slices that follow each other without gaps on both sides merged into longer rows.
    StripBox merged() const;
    friend bool operator==(const StripBox&, const StripBox&) = default;
};

/// A strip that an execution planned itself.
struct StripPart {
    std::int64_t input = 0, output = 0;  ///< samples of its device buffers, either may be 0
    std::vector<StripBox> up, down;      ///< uploads and downloads
    bool waits = false;                  ///< reads what earlier strips wrote: starts when all of them are downloaded
};

struct StripPlan {
    Shape shape;               ///< of the output, and of the input unless the execution planned the strips
    int above = 0, below = 0;  ///< halo: StripSupport
    std::function<std::int64_t(std::int64_t row)> rowFor;
    float fill = 0;
    std::vector<Strip> strips;    ///< in memory order; they cover the output once
    std::int64_t rows = 0;        ///< of a band; 0 if planes stay whole
    std::int64_t planes = 1;      ///< of a strip
    std::uint64_t slotBytes = 0;  ///< of the largest input and the largest output of a strip together

    /// Slabs: one for each of `strips`, whose `plane` is then an index and whose `rows` count for progress only. Strips are launched in
    /// order, and the input of each stays unchanged until the next one is computed.
    std::vector<StripPart> parts;
    std::vector<std::int64_t> kept;  ///< samples of images that stay on the host between strips
    std::uint64_t ownBytes = 0;      ///< device memory of the execution besides the buffers of strips
    std::string name;                ///< replaces text()

    /// To show: "32 strips of 256 rows", "10 strips of 30 planes".
    std::string text() const;

    /// Input of a strip in rows of the image: that of a band may begin before 0 and end after shape.height.
    std::int64_t inputRow(const Strip& s) const { return s.whole ? 0 : s.row - above; }
    std::int64_t inputRows(const Strip& s) const { return s.whole ? s.rows : above + s.rows + below; }
    Shape inputShape(const Strip& s) const {
        return parts.empty() ? Shape{shape.width, inputRows(s), 1, s.planes} : Shape{part(s).input, 1, 1, 1};
    }
    Shape outputShape(const Strip& s) const {
        return parts.empty() ? Shape{shape.width, s.rows, 1, s.planes} : Shape{part(s).output, 1, 1, 1};
    }
    const StripPart& part(const Strip& s) const { return parts[static_cast<std::size_t>(s.plane)]; }
    std::uint64_t keptBytes() const;
};
/// A plan of images of this shape that has no strips yet.
StripPlan planWithHalo(const Shape& shape, const StripSupport& support);

/// Input bytes of a strip that suit `limits`, given the bytes of all strips.
std::uint64_t preferredStripBytes(const StripLimits& limits, std::uint64_t all);
/// Sizes of strips of `all` units that are uploaded and downloaded one after another, `up` and `down` bytes a unit, with `before` bytes to
/// download without an upload. Returns as few strips of up to `most` units as take no longer than strips of `first`. If more is downloaded
/// they grow from the first one, if more is uploaded they shrink towards the last; otherwise all have the same size.
std::vector<std::int64_t> gradedStripSizes(std::int64_t all, std::int64_t first, std::int64_t most, std::int64_t up, std::int64_t down,
                                           std::int64_t before = 0);
/// "32 strips of 256 rows"; with upTo "12 strips of up to 5 planes", if others than the last one are smaller.
std::string stripText(std::size_t strips, std::int64_t size, const char* unit, bool upTo = false);
/// The error if even the smallest strips do not fit on the device.
Error stripMemoryError(std::uint64_t needed, std::uint64_t memory);

/// Divides an image so that the buffers of all strips in flight take at most `memory` bytes. Strips are as large as `limits` allow; bands
/// are several times as high as their halo, about equally high, and a multiple of 64 rows if they are higher than that. Throws
/// Error(memory) with the bytes needed if not even single rows fit. `shape` must not be empty, limits.inFlight > 0.
StripPlan planStrips(const Shape& shape, const StripSupport& support, const StripLimits& limits, std::uint64_t memory);

/// Rows of a band's input that follow each other in memory: [first, first + count), or `count` rows of StripPlan::fill if first is -1.
struct RowRun {
    std::int64_t first = 0, count = 0;
    bool outside = false;  ///< stands for rows outside of the image
    friend bool operator==(const RowRun&, const RowRun&) = default;
};
/// The input of a band, in order.
std::vector<RowRun> inputRuns(const StripPlan& plan, const Strip& strip);

/// Rows at the front of the input of strip `index` that are also the last ones of the strip before: the halo between two bands of a plane.
std::int64_t sharedRows(const StripPlan& plan, std::size_t index);

/// The same samples in as few boxes as possible: each one merged, and equal runs at equal distances combined as rows of one box.
std::vector<StripBox> mergedBoxes(const std::vector<StripBox>& boxes);

/// Host memory that makes the input of a strip, without the first `shared` rows of a band if they are on the device already.
std::vector<StripBox> uploadBoxes(const StripPlan& plan, const Strip& strip, std::int64_t shared = 0);
/// Host memory that the output of a strip goes to.
std::vector<StripBox> downloadBoxes(const StripPlan& plan, const Strip& strip);

}  // namespace parallax
