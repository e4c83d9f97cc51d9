// SPDX-License-Identifier: GPL-3.0-or-later
// Named parts of a run and their times. "Compute" is the compute stage alone; "end to end" is allocate + upload +
// compute + exchange + download, or, where stages were at work at the same time, the time from the beginning of the first to the end
// of the last. `prepare` makes the first run different and is shown apart.
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
std::string_view stageName(Stage stage);

/// Nanoseconds per stage; a stage that did not happen has 0.
class StageTimes {
public:
    /// From where to where a stage was at work, ns since the first stage of the run began. Where stages overlap, or one is
    /// interrupted by another, its span is longer than its time.
    struct Span {
        std::int64_t begin = 0, end = 0;
        bool known() const { return end > begin; }
    };

    /// One of several pieces that a stage was cut into, as the upload of a strip. ns since the first stage of the run began.
    struct Piece {
        Stage stage = Stage::compute;
        int strip = 0;  ///< counted from 0
        Span span;
    };

    std::int64_t operator[](Stage s) const { return ns_[static_cast<std::size_t>(s)]; }
    std::int64_t& operator[](Stage s) { return ns_[static_cast<std::size_t>(s)]; }
    std::int64_t compute() const { return (*this)[Stage::compute]; }
    std::int64_t endToEnd() const {
        if (overlapped()) return wall_;
        return (*this)[Stage::allocate] + (*this)[Stage::upload] + (*this)[Stage::compute] + (*this)[Stage::exchange] +
               (*this)[Stage::download];
    }
    const Span& span(Stage s) const { return spans_[static_cast<std::size_t>(s)]; }
    /// Makes the span of a stage so long that this is in it.
    void extendSpan(Stage s, std::int64_t begin, std::int64_t end) {
        Span& span = spans_[static_cast<std::size_t>(s)];
        span = span.known() ? Span{std::min(span.begin, begin), std::max(span.end, end)} : Span{begin, end};
    }
    /// Were stages at work at the same time? Then their times may add up to more than endToEnd().
    bool overlapped() const { return wall_ > 0; }
    /// Says so: `wall` is the time from the beginning of the first stage to the end of the last, ns, > 0.
    /// `reading` is what it took after that to find out the pieces, ns: part of the run, but of no stage.
    void setOverlapped(std::int64_t wall, std::int64_t reading = 0) {
        wall_ = wall;
        reading_ = reading;
    }
    std::int64_t reading() const { return reading_; }
    /// In the order of their beginnings; empty where no stage was cut.
    const std::vector<Piece>& pieces() const { return pieces_; }
    /// Takes them and adds to each stage the time at which at least one piece of it was at work, and to its span.
    void setPieces(std::vector<Piece> pieces);
    /// Takes those of a record, whose stages are known.
    void keepPieces(std::vector<Piece> pieces) { pieces_ = std::move(pieces); }

    /// Times add up; spans and pieces stay those of this run, since those of the other one have another beginning.
    StageTimes& operator+=(const StageTimes& other) {
        if (overlapped() || other.overlapped()) wall_ = endToEnd() + other.endToEnd();
        for (const Stage s : kAllStages) (*this)[s] += other[s];
        return *this;
    }

private:
    std::int64_t wall_ = 0, reading_ = 0;
    std::vector<Piece> pieces_;
    std::array<std::int64_t, kAllStages.size()> ns_{};
    std::array<Span, kAllStages.size()> spans_{};
};

/// Times the stages of one run in the backend's own way (steady clock, device events). Stages that are begun here do not overlap.
class StageClock {
public:
    virtual ~StageClock() = default;
    virtual void begin(Stage stage) = 0;
    virtual void end() = 0;
    /// Waits for outstanding work and returns what was measured since the last finish().
    virtual StageTimes finish() = 0;
};

}  // namespace parallax
