// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the parts of an iteration on the device: an event after each, in the stream of the solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/solvers/solve.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// Work must have been enqueued ahead, so that the device never waits for the host while parts are recorded. An event costs about a
/// microsecond on the device, which belongs to its part.
class DeviceLaps {
public:
    using Lap = solvers::SolveHistory::Lap;

    /// The first part begins here.
    explicit DeviceLaps(cudaStream_t stream) : stream_(stream) { record(0); }
    /// The work enqueued since the last call belongs to this part. Keys: solvers::lapInfos().
    void add(std::string_view key, const std::string& label) {
        const auto same =
            std::find_if(laps_.begin(), laps_.end(), [&](const Lap& known) { return known.key == key && known.label == label; });
        const auto index = static_cast<std::size_t>(same - laps_.begin());
        if (same == laps_.end()) laps_.push_back({std::string(key), label, 0, 0});
        record(index);
    }
    /// Waits for the device and returns the parts in the order in which they first ran.
    std::vector<Lap> wait() {
        constexpr const char* what = "The times of a solver could not be read";
        check(cudaStreamSynchronize(stream_), what);
        for (std::size_t i = 1; i < marks_.size(); ++i) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, marks_[i - 1].event.get(), marks_[i].event.get()), what);
            Lap& lap = laps_[marks_[i].lap];
            lap.nanoseconds += std::llround(static_cast<double>(milliseconds) * 1e6);
            ++lap.count;
        }
        marks_.clear();
        return std::move(laps_);
    }

private:
    struct Mark {
        Event event;
        std::size_t lap;
    };
    void record(std::size_t lap) {
        marks_.push_back({Event(Event::Kind::timing), lap});
        marks_.back().event.record(stream_);
    }

    cudaStream_t stream_;
    std::vector<Mark> marks_;
    std::vector<Lap> laps_;
};

/// Ends a part; `laps` is null where nothing is measured.
inline void endLap(DeviceLaps* laps, std::string_view key, const std::string& label = {}) {
    if (laps) laps->add(key, label);
}
inline void endLevelLap(DeviceLaps* laps, std::string_view key, std::size_t level) {
    if (laps) laps->add(key, "level " + std::to_string(level));
}

}  // namespace parallax::gpu
