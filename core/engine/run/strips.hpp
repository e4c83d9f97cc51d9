// SPDX-License-Identifier: GPL-3.0-or-later
// Work in strips: an image is cut into parts that are uploaded, computed and downloaded one after the other, at the same time as
// their neighbours, and only a few of which are on the device at a time. Planes are the slices of all channels in the order in which
// they lie in memory: plane = channel * depth + slice. Small planes go together, large ones are cut into bands of rows, which come with
// the rows around them (the halo) that their results depend on. Work whose results do not lie where its samples do is cut by the execution
// itself: it says for each strip which boxes of memory go to the device and come back.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/shape.hpp"

namespace parallax {

/// Can an execution work in strips, and what does a row of its output depend on? Planes must not depend on each other.
struct StripSupport {
    bool yes = false;
    std::string reason;  ///< a sentence, when not
    int above = 0;       ///< rows of input besides the row itself
    int below = 0;
    /// Which row of the image stands for one outside of [0, height), or -1 for `fill` in all of its columns. Asked for -above ..
    /// height - 1 + below.
    std::function<std::int64_t(std::int64_t row)> rowFor;
    float fill = 0;
    static StripSupport no(std::string reason) { return {false, std::move(reason), 0, 0, {}, 0}; }
    explicit operator bool() const { return yes; }
};

/// Either `planes` whole planes, or one plane's output rows [row, row + rows).
struct Strip {
    std::int64_t plane = 0, planes = 1;
    std::int64_t row = 0, rows = 0;
    bool whole = true;  ///< every row of its planes: the input has the same rows, and borders are left to the execution
    friend bool operator==(const Strip&, const Strip&) = default;
};

/// What a session offers for strips.
struct StripLimits {
    int atOnce = 0;                   ///< strips on the device at a time; 0: the session has none
    std::uint64_t largestStrip = 0;   ///< bytes of a strip's input that more would not make faster
    std::uint64_t smallestStrip = 0;  ///< bytes below which a transfer's fixed costs count
    int fewestStrips = 1;             ///< that an image is cut into unless they would be smaller than smallestStrip
    /// Bytes that could be transferred in the time that one strip more costs, where both directions of the link are the limit; 0: that is
    /// not known. N bytes in strips of s take the time of N + s + N / s of these: s = sqrt(N stripCost) instead of N / fewestStrips.
    std::uint64_t stripCost = 0;
};

/// A box of samples that goes between host memory and the buffer of a strip on the device, rows of it at a time.
struct StripBox {
    int image = 0;  ///< where on the host: 0: the run's image (going up) or result (coming down); i: StripPlan::kept[i - 1]
    std::int64_t host = 0, slot = 0;  ///< first sample there, and in the buffer of the strip
    std::int64_t width = 0, rows = 1, slices = 1;
    std::int64_t hostRow = 0, hostSlice = 0;  ///< from a row to the next, from a slice to the next; slices are whole numbers of rows
    std::int64_t slotRow = 0, slotSlice = 0;
    std::int64_t samples() const { return width * rows * slices; }
    /// The same box with rows and slices that follow each other without gaps on both sides put together to longer rows.
    StripBox merged() const;
    friend bool operator==(const StripBox&, const StripBox&) = default;
};

/// A strip that the execution made by itself.
struct StripPart {
    std::int64_t input = 0, output = 0;  ///< samples of its buffers on the device, either may be 0
    std::vector<StripBox> up, down;
    bool waits = false;  ///< for all strips before it to have come down: it reads what they wrote
};

struct StripPlan {
    Shape shape;  ///< of the output, and of the input where the execution does not cut by itself
    int above = 0, below = 0;
    std::function<std::int64_t(std::int64_t row)> rowFor;  ///< StripSupport::rowFor
    float fill = 0;                                        ///< StripSupport::fill
    std::vector<Strip> strips;                             ///< in the order of memory; they cover the output once
    std::int64_t rows = 0;                                 ///< of a band; 0 if planes stay whole
    std::int64_t planes = 1;                               ///< of a strip
    std::uint64_t slotBytes = 0;                           ///< of the largest input and the largest output of a strip together

    /// Of an execution that cuts by itself: as many as `strips`, of which `plane` is the index and `rows` counts for progress only.
    /// Strips are launched in their order, and the input of each stays as it is until the next one is computed.
    std::vector<StripPart> parts;
    std::vector<std::int64_t> kept;  ///< samples of images that stay on the host between strips
    std::uint64_t ownBytes = 0;      ///< device memory that the execution has besides the buffers of the strips
    std::string name;                ///< what text() says then

    /// For people: "32 strips of 256 rows", "10 strips of 30 planes".
    std::string text() const;

    /// The input of a strip, rows of the image: a band's may begin before 0 and end after shape.height.
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

/// Bytes of a strip's input that `limits` ask for where all of them have this many.
std::uint64_t wantedStripBytes(const StripLimits& limits, std::uint64_t all);
/// Sizes of strips of `all` units that are uploaded and downloaded one after the other, `up` and `down` bytes a unit and `before` bytes
/// that come down without an upload: as few strips of up to `most` units as there can be if all takes no longer than with strips of
/// `first`. Where there is more to come down they grow from the first one on, else they become smaller towards the last; with as much in
/// either direction all have the same size.
std::vector<std::int64_t> unevenSizes(std::int64_t all, std::int64_t first, std::int64_t most, std::int64_t up, std::int64_t down,
                                      std::int64_t before = 0);
/// "32 strips of 256 rows", "12 strips of up to 5 planes" where more than the last one has less.
std::string stripText(std::size_t strips, std::int64_t size, const char* unit, bool upTo = false);
/// For a device on which not even the smallest strips have room.
Error tooLittleForStrips(std::uint64_t needed, std::uint64_t memory);

/// Cuts an image so that all slots together take at most `memory` bytes. Within that, strips are as large as `limits` say, bands
/// have several times the rows of their halo, a multiple of 64 where they have more, and about the same height each. Throws
/// Error(memory) with the bytes that would be needed if not even single rows fit. `shape` must not be empty, limits.atOnce > 0.
StripPlan planStrips(const Shape& shape, const StripSupport& support, const StripLimits& limits, std::uint64_t memory);

/// Rows of the image that make the input of a band, in pieces that follow each other in memory: [first, first + count), or `count` rows
/// of StripSupport::fill where first is -1. In order.
struct RowRun {
    std::int64_t first = 0, count = 0;
    bool outside = false;  ///< stands for rows outside of the image
    friend bool operator==(const RowRun&, const RowRun&) = default;
};
std::vector<RowRun> inputRuns(const StripPlan& plan, const Strip& strip);

/// Rows at the front of the input of strip `index` that are also the last ones of the strip before: the halo between two bands of a plane.
std::int64_t sharedRows(const StripPlan& plan, std::size_t index);

/// The same samples in as few boxes as there can be: each one merged, and runs of the same length that follow each other at the same
/// distance as rows of one.
std::vector<StripBox> transfersOf(const std::vector<StripBox>& boxes);

/// What of the host's memory makes the input of a strip and where its output goes, whoever cut it. Boxes with a negative `host` are
/// StripSupport::fill. Of a band without the first `shared` rows, if they are there already.
std::vector<StripBox> boxesUp(const StripPlan& plan, const Strip& strip, std::int64_t shared = 0);
std::vector<StripBox> boxesDown(const StripPlan& plan, const Strip& strip);

}  // namespace parallax
