// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between a client and rank 0 of its job.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/backends/mpi/channel.hpp"
#include "core/engine/operation/fact_bytes.hpp"
#include "core/engine/run/engine.hpp"
#include "core/parallel/bytes.hpp"

namespace parallax {

/// The first frame holds it. Builds that differ need not agree on more than this.
struct HelloMessage {
    std::string build;                           ///< BuildInfo::stamp
    std::vector<std::string> hosts, processors;  ///< of the ranks
    std::vector<int> threads;                    ///< of the ranks
};

struct BusyMessage {
    double fraction = 0;  ///< of the request that is done, from 0 to 1
};

struct PrepareMessage {
    std::int64_t id = 0;  ///< of the prepared pipeline
    std::string backend, variant;
    int parts = 1, threads = 0;
    std::vector<std::string> steps;  ///< as toText(Step)
    Shape shape;
    std::vector<std::string> channelNames;
    std::array<double, 3> spacing{1, 1, 1};
    std::vector<Fact> facts;
    std::uint64_t image = 0;  ///< SharedMemory::id(); its descriptor comes with the first frame that names it
};

struct PreparedMessage {
    int threads = 0;                             ///< of all ranks
    std::string device;                          ///< name of that of rank 0
    std::vector<std::string> variants, reasons;  ///< of each step
};

struct RunMessage {
    std::int64_t id = 0;
    std::uint64_t result = 0;  ///< memory, as PrepareMessage::image
};

/// Times as StageTimes keeps them.
struct TimesMessage {
    std::array<std::int64_t, kAllStages.size()> ns{};
    std::array<StageTimes::Span, kAllStages.size()> spans{};
    std::int64_t wall = 0, reading = 0, origin = 0;
    std::vector<StageTimes::Piece> pieces;
};

struct StatisticMessage {
    int step = 0;
    std::string key, title, unit;
    double value = 0;
};
struct SeriesMessage {
    int step = 0;
    std::string key, label, end;
    std::vector<double> x, y;
    double tolerance = 0;
};
struct CurveMessage {
    int step = 0;
    std::vector<double> input, output;
};
struct LapMessage {
    int step = 0;
    std::string key, label;
    std::int64_t nanoseconds = 0, count = 0;
};

struct DoneMessage {
    TimesMessage times;
    std::vector<double> tolerances;  ///< of each step
    std::vector<StatisticMessage> statistics;
    std::vector<SeriesMessage> series;
    std::vector<CurveMessage> curves;
    std::vector<std::string> warnings;
    bool onParts = false;  ///< what follows is known
    std::string uncounted;
    std::int64_t unit = 1, edge = 0;
    PartTraffic received;
};

struct LapsMessage {
    std::vector<LapMessage> laps;
};

/// A request for a prepared pipeline, or what is to be released or forgotten.
struct IdMessage {
    std::uint64_t id = 0;
};

struct ErrorMessage {
    ErrorCode code = ErrorCode::failed;
    std::string what, why, whatToDo;
};

ErrorMessage errorMessage(const Error& error);
Error errorOf(const ErrorMessage& message);
TimesMessage timesMessage(const StageTimes& times);
StageTimes timesOf(const TimesMessage& message);

template <Is<HelloMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.build), each(m.hosts), each(m.processors), each(m.threads);
}
template <Is<PrepareMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.id), each(m.backend), each(m.variant), each(m.parts), each(m.threads), each(m.steps), each(m.shape), each(m.channelNames),
        each(m.spacing), each(m.facts), each(m.image);
}
template <Is<PreparedMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.threads), each(m.device), each(m.variants), each(m.reasons);
}
template <Is<TimesMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.ns), each(m.spans), each(m.wall), each(m.reading), each(m.origin), each(m.pieces);
}
template <Is<StatisticMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.step), each(m.key), each(m.title), each(m.unit), each(m.value);
}
template <Is<SeriesMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.step), each(m.key), each(m.label), each(m.end), each(m.x), each(m.y), each(m.tolerance);
}
template <Is<CurveMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.step), each(m.input), each(m.output);
}
template <Is<LapMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.step), each(m.key), each(m.label), each(m.nanoseconds), each(m.count);
}
template <Is<DoneMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.times), each(m.tolerances), each(m.statistics), each(m.series), each(m.curves), each(m.warnings);
    each(m.onParts), each(m.uncounted), each(m.unit), each(m.edge), each(m.received);
}
template <Is<LapsMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.laps);
}
template <Is<ErrorMessage> M, class F>
void forEachMember(M& m, F& each) {
    each(m.code), each(m.what), each(m.why), each(m.whatToDo);
}

}  // namespace parallax
