// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of a run and their times. "Compute" is the compute stage alone, on several parts with what they wait for each other (exchange);
// "end to end" is allocate + upload + compute + exchange + download, or the time from the beginning of the first stage to the end of the
// last if stages overlapped. `prepare` is done once and is not part of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace parallax {

enum class Stage { load, decode, prepare, allocate, upload, compute, exchange, download, encode, display };
inline constexpr std::array<Stage, 10> kAllStages{Stage::load,    Stage::decode,   Stage::prepare,  Stage::allocate, Stage::upload,
                                                  Stage::compute, Stage::exchange, Stage::download, Stage::encode,   Stage::display};
/// "load", "decode", ...
constexpr std::string_view stageName(Stage stage) {
    constexpr std::array<std::string_view, kAllStages.size()> kNames{"load",    "decode",   "prepare",  "allocate", "upload",
                                                                     "compute", "exchange", "download", "encode",   "display"};
    return kNames[static_cast<std::size_t>(stage)];
}

/// Nanoseconds of each stage; 0 if it did not run.
class StageTimes {
public:
    /// Beginning and end of a stage in ns since the first stage of the run began. Longer than the time of the stage if another one
    /// interrupted it.
    struct Span {
        std::int64_t begin = 0, end = 0;
        bool known() const { return end > begin; }
    };

    /// A piece of a stage, such as the upload of one strip, or what one part of a run on several had of it. ns since the first stage of the
    /// run began.
    struct Piece {
        Stage stage = Stage::compute;
        int strip = 0;  ///< from 0
        Span span;
        int part = 0;  ///< from 0
    };

    std::int64_t operator[](Stage s) const { return ns_[static_cast<std::size_t>(s)]; }
    std::int64_t& operator[](Stage s) { return ns_[static_cast<std::size_t>(s)]; }
    std::int64_t compute() const { return (*this)[Stage::compute] + (*this)[Stage::exchange]; }
    std::int64_t endToEnd() const {
        if (overlapped()) return wall_;
        return (*this)[Stage::allocate] + (*this)[Stage::upload] + (*this)[Stage::compute] + (*this)[Stage::exchange] +
               (*this)[Stage::download];
    }
    const Span& span(Stage s) const { return spans_[static_cast<std::size_t>(s)]; }
    /// Extends the span of a stage to include [begin, end].
    void extendSpan(Stage s, std::int64_t begin, std::int64_t end) {
        Span& span = spans_[static_cast<std::size_t>(s)];
        span = span.known() ? Span{std::min(span.begin, begin), std::max(span.end, end)} : Span{begin, end};
    }
    /// Stages ran at the same time, so their times may add up to more than endToEnd().
    bool overlapped() const { return wall_ > 0; }
    /// `wall`: ns from the beginning of the first stage to the end of the last, > 0. `reading`: ns that reading the times of the pieces
    /// took after that, which belong to no stage.
    void setOverlapped(std::int64_t wall, std::int64_t reading = 0) {
        wall_ = wall;
        reading_ = reading;
    }
    std::int64_t reading() const { return reading_; }
    /// When the first stage began, in ns of the steady clock; 0: unknown.
    std::int64_t origin() const { return origin_; }
    void setOrigin(std::int64_t ns) { origin_ = ns; }
    /// In the order of their beginnings, those of one part after those of another; empty if no stage was divided.
    const std::vector<Piece>& pieces() const { return pieces_; }
    /// Parts that have pieces; at least 1.
    int parts() const {
        int last = 0;
        for (const Piece& p : pieces_) last = std::max(last, p.part);
        return last + 1;
    }
    /// Sets the pieces and adds to each stage the time during which at least one of its pieces ran, and to its span.
    void setPieces(std::vector<Piece> pieces);
    /// Sets the pieces of a run whose stage times are set already.
    void keepPieces(std::vector<Piece> pieces) { pieces_ = std::move(pieces); }

    /// Adds the times. Spans and pieces stay those of this run: those of the other one have another origin.
    StageTimes& operator+=(const StageTimes& other) {
        if (overlapped() || other.overlapped()) wall_ = endToEnd() + other.endToEnd();
        for (const Stage s : kAllStages) (*this)[s] += other[s];
        return *this;
    }

private:
    std::int64_t wall_ = 0, reading_ = 0, origin_ = 0;
    std::vector<Piece> pieces_;
    std::array<std::int64_t, kAllStages.size()> ns_{};
    std::array<Span, kAllStages.size()> spans_{};
};

/// Times the stages of one run by the clock of the backend (steady clock, device events). Stages begun here do not overlap.
class StageClock {
public:
    virtual ~StageClock() = default;
    virtual void begin(Stage stage) = 0;
    virtual void end() = 0;
    /// Waits for outstanding work and returns the times since the last finish().
    virtual StageTimes finish() = 0;
};

}  // namespace parallax
