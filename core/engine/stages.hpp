// SPDX-License-Identifier: GPL-3.0-or-later
// Named parts of a run and their times. "Compute" is the compute stage alone; "end to end" is allocate + upload +
// compute + exchange + download. `prepare` makes the first run different and is shown apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

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

    std::int64_t operator[](Stage s) const { return ns_[static_cast<std::size_t>(s)]; }
    std::int64_t& operator[](Stage s) { return ns_[static_cast<std::size_t>(s)]; }
    std::int64_t compute() const { return (*this)[Stage::compute]; }
    std::int64_t endToEnd() const {
        return (*this)[Stage::allocate] + (*this)[Stage::upload] + (*this)[Stage::compute] + (*this)[Stage::exchange] +
               (*this)[Stage::download];
    }
    const Span& span(Stage s) const { return spans_[static_cast<std::size_t>(s)]; }
    /// Makes the span of a stage so long that this is in it.
    void extendSpan(Stage s, std::int64_t begin, std::int64_t end) {
        Span& span = spans_[static_cast<std::size_t>(s)];
        span = span.known() ? Span{std::min(span.begin, begin), std::max(span.end, end)} : Span{begin, end};
    }
    /// Times add up; the spans stay those of this run, since those of the other one have another beginning.
    StageTimes& operator+=(const StageTimes& other) {
        for (const Stage s : kAllStages) (*this)[s] += other[s];
        return *this;
    }

private:
    std::array<std::int64_t, kAllStages.size()> ns_{};
    std::array<Span, kAllStages.size()> spans_{};
};

/// Times the stages of one run in the backend's own way (steady clock, device events). Stages do not overlap.
class StageClock {
public:
    virtual ~StageClock() = default;
    virtual void begin(Stage stage) = 0;
    virtual void end() = 0;
    /// Waits for outstanding work and returns what was measured since the last finish().
    virtual StageTimes finish() = 0;
};

}  // namespace parallax
