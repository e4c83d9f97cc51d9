// SPDX-License-Identifier: GPL-3.0-or-later
// Backends: the devices that they run on, sessions with memory and clock, and lists of implementations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/engine/run/stages.hpp"
#include "core/parallel/sample_transport.hpp"

namespace parallax {

struct Availability {
    bool yes = true;
    std::string reason;    ///< if not: "No NVIDIA driver is installed"
    std::string whatToDo;  ///< may be empty
};

struct DeviceInfo {
    int index = 0;
    std::string name;
    std::uint64_t memoryTotal = 0, memoryFree = 0;  ///< bytes
    /// Further properties to show, in order: {"compute capability", "9.0"}, {"driver", "580.1"}, ...
    std::vector<std::pair<std::string, std::string>> details;
    double clockStepNs = 0;  ///< resolution of the clock that times its stages; 0: the steady clock of the host
};

/// A condition that makes measurements unreliable.
struct Condition {
    std::string name;    ///< for programs: "gpu-throttled"
    std::string what;    ///< a sentence without its full stop
    std::string advice;  ///< may be empty
};

/// A counter of energy. Only differences of two readings mean anything.
struct EnergyReading {
    std::optional<double> joules;  ///< used so far
    std::string source;            ///< "NVML"
    std::string reason;            ///< without joules: why
};

/// Capabilities of sessions beyond a plain run. Users ask for them by modes of a backend, see Backend::capabilities().
enum class Capability {
    pageLocked,  ///< image and result are in page-locked memory of the host
    overlapped,  ///< strips are uploaded, computed and downloaded at the same time
    recorded     ///< the device's work is recorded once and then repeated
};

/// Modes that can be used together. They change how a run moves data and starts its work, but not how it computes, and are written behind
/// the name of a backend: "cuda.direct+overlapped+pinned".
struct ModeInfo {
    std::vector<std::string> modes;  ///< in alphabetical order
    std::string summary;             ///< one sentence
};
/// "overlapped+pinned".
std::string toText(const std::vector<std::string>& modes);

/// Memory, transfers and clock of one device for one run at a time.
class BackendSession {
public:
    virtual ~BackendSession() = default;
    virtual MemorySpace memorySpace() const = 0;
    /// The layout in which implementations that accept padded rows are fastest.
    virtual Layout paddedLayout(const Shape& shape) const { return shape; }
    /// Buffer in memorySpace(). Throws Error(memory).
    virtual Buffer allocate(const Layout& layout) = 0;
    /// Host to session memory and back; shapes are equal, and each channel is dense in host memory. Host memory may change when upload()
    /// returns. Not called if memorySpace() is host accessible.
    virtual void upload(View<const float> host, View<float> device) = 0;
    virtual void download(View<const float> device, View<float> host) = 0;
    virtual StageClock& clock() = 0;
    /// Waits for all work in flight: memory may be released afterwards.
    virtual void drain() = 0;

    /// Page-locked host memory, which the device can access directly. For Capability::pageLocked, else null.
    virtual std::shared_ptr<Allocator> pageLockedMemory() { return nullptr; }
    /// Limits for strips of images in page-locked or in pageable memory. By default the session does not work in strips.
    virtual StripLimits stripLimits(bool /*pageLocked*/) const { return {}; }
    /// Limits for Execution::prepareSlabs().
    virtual StripLimits slabLimits(bool pageLocked) const { return stripLimits(pageLocked); }
    /// Runs an execution over an image in host memory by the strips of a plan and times each part as a piece of its stage. The result is
    /// complete on return. Keeps its buffers for the next run. Throws Error. Only with stripLimits().
    virtual void runStrips(Execution& /*execution*/, const StripPlan& /*plan*/, const View<const float>& /*input*/,
                           const View<float>& /*output*/, RunContext& /*context*/) {
        throw Error(ErrorCode::failed, "This backend does not work in strips");
    }
    /// Records the device work that `work` enqueues and runs it; later calls with the same buffers repeat the recording without calling
    /// `work`. Times the device's work as `compute` and the recording as `prepare`: no stage may be open. For Capability::recorded.
    virtual void runRecorded(const std::vector<const void*>& /*buffers*/, const std::function<void()>& /*work*/) {
        throw Error(ErrorCode::failed, "This backend does not record its work");
    }

    /// Names the work until endRange() for profilers, as "convolve / cuda / direct". Takes a few nanoseconds when no profiler is
    /// attached. `name` is only used during the call.
    virtual void beginRange(const char* /*name*/) {}
    virtual void endRange() {}
    /// Limits a profiler that waits for this (an option of ncu and nsys) to the work in between.
    virtual void startProfiler() {}
    virtual void stopProfiler() {}
};

/// Limits and callbacks of Backend::measureCeilings().
struct CeilingProbe {
    double seconds = 0.15;  ///< of one measurement: repeated until then, but at least three times
    std::stop_token stop;   ///< checked between repetitions
    /// `what` was measured; `fraction` of all is done, in (0, 1].
    std::function<void(const std::string& what, double fraction)> onProgress;
};

/// The backend that all others are compared with: serial, double accumulation, always available.
inline constexpr const char* kReferenceBackend = "reference";

class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string id() const = 0;     ///< "openmp"
    virtual std::string title() const = 0;  ///< "OpenMP + SIMD"
    virtual Availability availability() const { return {}; }
    /// Runs on one thread, however many a target asks for.
    virtual bool isSerial() const { return false; }
    /// At least one when available. Must be cheap: called often.
    virtual std::vector<DeviceInfo> devices() const = 0;
    /// The default is the one with the highest preference among those that support a problem, or else the first.
    virtual std::vector<const Implementation*> implementations() const = 0;
    /// Conditions of this device that make measurements unreliable now: throttling, processes of other users. Called between timing
    /// samples, never inside a timed region; empty if there are none or if they are unknown.
    virtual std::vector<Condition> conditions(int /*device*/) const { return {}; }
    /// Measures the ceilings of a device other than the CPU: see run_record.hpp for their names. Empty for a CPU backend.
    /// Throws Error(unavailable, memory, cancelled, failed).
    virtual std::vector<CeilingRecord> measureCeilings(int /*device*/, const CeilingProbe& /*probe*/) const { return {}; }
    /// Replaces the contents of the caches of a device other than the CPU, and returns when that is done. Called before timing samples with
    /// cold caches, never inside a timed region. Returns false if the backend cannot. Throws Error(memory, failed).
    virtual bool emptyCaches(int /*device*/) const { return false; }
    /// Reads the energy counter of a device other than the CPU.
    virtual EnergyReading energy(int /*device*/) const { return {{}, {}, "the backend reads no energy counter"}; }
    /// Compiler, flags and library versions for reports, besides those of the program.
    virtual std::vector<std::pair<std::string, std::string>> buildDetails() const { return {}; }
    /// Every combination of modes except none.
    virtual std::vector<ModeInfo> modes() const { return {}; }
    /// The capability that each mode stands for.
    virtual std::vector<std::pair<std::string, Capability>> capabilities() const { return {}; }
    /// Throws Error(unavailable) for an unknown device.
    virtual std::unique_ptr<BackendSession> open(const RunContext& context) const = 0;
    /// Lets sessions with memory of their own exchange samples; sessions[rank] is that of a part, and outlives the transport. Throws
    /// Error(unavailable) if they cannot.
    virtual std::shared_ptr<SampleTransport> connect(std::span<BackendSession* const> /*sessions*/) const {
        throw Error(ErrorCode::unavailable, "'" + id() + "' cannot work on parts",
                    "it has memory of its own, from which parts cannot exchange",
                    "Leave @ and the number of parts out, or use a CPU backend");
    }
};

/// The session of backends that compute in host memory, timed by a steady clock.
std::unique_ptr<BackendSession> makeHostSession();
/// The CPU as a device: its name, and memory as it is now, which the system is asked for.
DeviceInfo hostDevice();
/// The name of that device.
const std::string& processorName();

}  // namespace parallax
