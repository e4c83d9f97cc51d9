// SPDX-License-Identifier: GPL-3.0-or-later
// Where it is done.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/engine/run/stages.hpp"

namespace parallax {

struct Availability {
    bool yes = true;
    std::string reason;    ///< why not: "No NVIDIA driver is installed"
    std::string whatToDo;  ///< advice, may be empty
};

struct DeviceInfo {
    int index = 0;
    std::string name;
    std::uint64_t memoryTotal = 0, memoryFree = 0;  ///< bytes
    /// Further facts for people and reports, in order: {"compute capability", "9.0"}, {"driver", "580.1"}, ...
    std::vector<std::pair<std::string, std::string>> details;
};

/// What makes measurements doubtful, with a name for programs: "gpu-throttled".
struct Condition {
    std::string name;
    std::string what;    ///< a sentence without its full stop
    std::string advice;  ///< what to do, may be empty
};

/// How a run goes about its work, apart from how it computes. Written behind the name of a backend: "cuda.direct+overlapped+pinned".
inline constexpr const char* kModePinned = "pinned";          ///< image and result lie in page-locked memory of the host
inline constexpr const char* kModeOverlapped = "overlapped";  ///< strips are uploaded, computed and downloaded at the same time
inline constexpr const char* kModeGraph = "graph";            ///< the device's work is recorded once and then repeated
struct ModeInfo {
    std::vector<std::string> modes;  ///< those that go together, in alphabetical order
    std::string summary;             ///< one sentence
};
/// "overlapped+pinned".
std::string toText(const std::vector<std::string>& modes);

/// Memory, transfers and clock of one device for one run at a time.
class BackendSession {
public:
    virtual ~BackendSession() = default;
    virtual MemorySpace memorySpace() const = 0;
    /// Buffer in memorySpace(). Throws Error(memory).
    virtual Buffer allocate(const Shape& shape) = 0;
    /// Host to session memory and back; shapes are equal. Not called when memorySpace() is host accessible.
    virtual void upload(View<const float> host, Buffer& device) = 0;
    virtual void download(const Buffer& device, View<float> host) = 0;
    virtual StageClock& clock() = 0;
    /// Waits until nothing is in flight any more: memory may be released afterwards.
    virtual void drain() = 0;

    /// Memory of the host that the device reaches by itself, for backends with the mode `pinned`; else null.
    virtual std::shared_ptr<Allocator> pinnedMemory() { return nullptr; }
    /// What this session offers for strips of images in page-locked or in ordinary memory; none at once where it has none.
    virtual StripLimits stripLimits(bool /*pinned*/) const { return {}; }
    /// The same for executions that cut their work by themselves.
    virtual StripLimits slabLimits(bool pinned) const { return stripLimits(pinned); }
    /// Runs an execution over an image in host memory by the strips of a plan, each part of the work timed as a piece of its stage.
    /// The result is complete on return. Throws Error; memory that it needed stays for the next run. Only with stripLimits().
    virtual void runStrips(Execution& /*execution*/, const StripPlan& /*plan*/, const View<const float>& /*input*/,
                           const View<float>& /*output*/, RunContext& /*context*/) {
        throw Error(ErrorCode::failed, "This backend does not work in strips");
    }
    /// Records what `work` asks of the device and runs that; later calls with the same buffers repeat it without asking. Times the device's
    /// work as `compute` and the recording as `prepare`: no stage may be open. For backends with the mode `graph`.
    virtual void repeat(const std::vector<const void*>& /*buffers*/, const std::function<void()>& /*work*/) {
        throw Error(ErrorCode::failed, "This backend does not record its work");
    }

    /// A range that profilers of this backend show, as "convolve / cuda / direct"; the engine gives one to each step. Costs some
    /// nanoseconds at most when no profiler looks. `name` is only used during the call.
    virtual void beginRange(const char* /*name*/) {}
    virtual void endRange() {}
    /// Tells a profiler that waits for it (ncu and nsys do when asked) what to look at: everything before is left out.
    virtual void startProfiler() {}
    virtual void stopProfiler() {}
};

/// What measureCeilings() of a backend may use and must obey.
struct CeilingProbe {
    double seconds = 0.15;  ///< of one measurement: repetitions until then, three at least
    std::stop_token stop;   ///< asked between repetitions
    /// What was measured and the part of all that is done, in (0, 1].
    std::function<void(const std::string& what, double fraction)> onProgress;
};

/// The backend that every other one is held to: serial, double accumulation, always there.
inline constexpr const char* kReferenceBackend = "reference";

class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string id() const = 0;     ///< "openmp"
    virtual std::string title() const = 0;  ///< "OpenMP + SIMD"
    virtual Availability availability() const { return {}; }
    /// At least one when available. Must be cheap: asked often.
    virtual std::vector<DeviceInfo> devices() const = 0;
    /// Among those that support a problem, the one with the highest preference is the default, or else the first one listed.
    virtual std::vector<const Implementation*> implementations() const = 0;
    /// What makes measurements on this device doubtful at this moment: throttling, other people's processes. Asked between
    /// samples, never inside a timed region; empty when nothing is wrong or nothing can be known.
    virtual std::vector<Condition> conditions(int /*device*/) const { return {}; }
    /// Ceilings of a device that is not the processor, measured now: see run_record.hpp for their names. Empty when it has none.
    /// Throws Error(unavailable, memory, cancelled, failed).
    virtual std::vector<CeilingRecord> measureCeilings(int /*device*/, const CeilingProbe& /*probe*/) const { return {}; }
    /// Compiler, flags, versions of libraries: what a report needs beside those of the program. In order, for people.
    virtual std::vector<std::pair<std::string, std::string>> buildDetails() const { return {}; }
    /// Every set of modes that it has; none is always there and not listed.
    virtual std::vector<ModeInfo> modes() const { return {}; }
    /// Throws Error(unavailable) for a device that is not there.
    virtual std::unique_ptr<BackendSession> open(const RunContext& context) const = 0;
};

/// Session of every backend that computes in ordinary host memory with a steady clock.
std::unique_ptr<BackendSession> makeHostSession();
/// The processor as a device: model name and memory.
DeviceInfo hostDevice();

}  // namespace parallax
