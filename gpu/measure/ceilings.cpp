// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/measure/ceilings.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <thread>

#include "core/image/buffer.hpp"
#include "gpu/measure/ceiling_kernels.hpp"
#include "gpu/parallel/peer_access.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kArrayBytes = std::uint64_t{512} << 20;
constexpr std::uint64_t kTransferBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMessageBytes = 4096;  // of the latency of a link
constexpr double kBatchSeconds = 5e-3;
constexpr int kFewestRepetitions = 3;

/// Restricts this thread to a list of processors from sysfs ("0-15,32-47"); does nothing if the list is empty.
void runCloseTo(const std::string& processorList) {
    cpu_set_t allowed, close;
    CPU_ZERO(&allowed);
    CPU_ZERO(&close);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    const char *p = processorList.data(), *const end = p + processorList.size();
    while (p < end) {
        int first = 0, last = 0;
        auto parsed = std::from_chars(p, end, first);
        if (parsed.ec != std::errc{}) return;
        last = first;
        if (parsed.ptr < end && *parsed.ptr == '-') {
            parsed = std::from_chars(parsed.ptr + 1, end, last);
            if (parsed.ec != std::errc{}) return;
        }
        for (int i = std::max(first, 0); i <= last && i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &allowed)) CPU_SET(i, &close);
        p = parsed.ptr < end && *parsed.ptr == ',' ? parsed.ptr + 1 : end;
    }
    if (CPU_COUNT(&close) > 0) (void)sched_setaffinity(0, sizeof close, &close);
}

std::string closeProcessors(int device) {
    char bus[32] = {};
    if (!checkNoThrow(cudaDeviceGetPCIBusId(bus, sizeof bus, device))) return {};
    for (char& c : bus)
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    std::ifstream file("/sys/bus/pci/devices/" + std::string(bus) + "/local_cpulist");
    std::string list;
    std::getline(file, list);
    return list;
}

class DeviceCeilings {
public:
    DeviceCeilings(int device, const CeilingProbe& probe)
        : device_(device),
          probe_(probe),
          current_(device),
          stream_(std::make_shared<Stream>(device)),
          allocator_(makeStreamAllocator(MemoryPool::of(device), stream_)),
          first_(Event::Kind::timing),
          last_(Event::Kind::timing),
          multiprocessors_(deviceLimits(device).multiprocessors) {
        const DeviceInfo info = listDevices().at(static_cast<std::size_t>(device));
        name_ = info.name;
        // Two or three arrays are allocated at a time.
        count_ = static_cast<std::size_t>(std::min(kArrayBytes, info.memoryFree / 12)) / sizeof(float) / kStreamMultiple * kStreamMultiple;
        if (count_ == 0)
            throw Error(ErrorCode::memory, "Not enough memory on " + name_, "the ceilings could not get their arrays", kMemoryAdvice);
    }

    std::vector<CeilingRecord> measure() {
        preloadCeilingKernels();
        memory();
        add("fma", "float", bestRate(), "GFLOP/s", 0);
        transfers();
        for (int other = 0; other < devices_; ++other)
            if (other != device_) link(other);
        return std::move(all_);
    }

private:
    static constexpr int kOfDevice = 7, kOfLink = 2;

    void add(const char* name, const std::string& level, double value, const char* unit, std::uint64_t bytes) {
        CeilingRecord r{name, level, 0, value, unit, bytes, name_, "cuda", device_};
        all_.push_back(std::move(r));
        const int total = kOfDevice + kOfLink * (devices_ - 1);
        if (probe_.onProgress) probe_.onProgress(name_ + ": " + name + " " + level, static_cast<double>(all_.size()) / total);
    }

    /// Returns the seconds of `calls` consecutive calls.
    template <class F>
    double batch(int calls, F&& enqueue) {
        first_.record(stream_->get());
        for (int i = 0; i < calls; ++i) enqueue();
        last_.record(stream_->get());
        last_.wait();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, first_.get(), last_.get()), "A CUDA event could not be read");
        return 1e-3 * static_cast<double>(milliseconds);
    }

    /// Returns the shortest time that `sample` returns, of some calls in at least these seconds.
    template <class F>
    double shortest(double seconds, F&& sample) const {
        double least = std::numeric_limits<double>::infinity();
        const auto start = Clock::now();
        for (int i = 0; i < kFewestRepetitions || Clock::now() - start < std::chrono::duration<double>(seconds); ++i) {
            if (probe_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
            least = std::min(least, sample());
        }
        return least;
    }
    /// Returns the shortest time of a call, from batches long enough to hide the launches.
    template <class F>
    double best(double seconds, F&& enqueue) {
        (void)batch(1, enqueue);  // warms up
        const double once = batch(2, enqueue) / 2;
        const int calls = std::clamp(static_cast<int>(kBatchSeconds / std::max(once, 1e-6)), 1, 1000);
        return shortest(seconds, [&] { return batch(calls, enqueue) / calls; });
    }
    /// Returns the shortest time until a call and its enqueued work are complete, by the host's clock.
    template <class F>
    double bestOnHost(double seconds, F&& call) {
        const auto sample = [&] {
            const auto begin = Clock::now();
            call();
            check(cudaStreamSynchronize(stream_->get()), "A transfer failed");
            return std::chrono::duration<double>(Clock::now() - begin).count();
        };
        (void)sample();  // warms up
        return shortest(seconds, sample);
    }

    void memory() {
        DeviceBuffer<float> a(allocator_, count_), b(allocator_, count_), c(allocator_, count_);
        const std::size_t bytes = count_ * sizeof(float);
        for (DeviceBuffer<float>* array : {&a, &b, &c})
            check(cudaMemsetAsync(array->data(), 0, bytes, stream_->get()), "Memory of the CUDA device could not be set");
        const double each = probe_.seconds / static_cast<double>(std::size(kStreamShapes));
        double copy = best(each, [&] {
            check(cudaMemcpyAsync(a.data(), b.data(), bytes, cudaMemcpyDeviceToDevice, stream_->get()), "A copy could not be started");
        });
        for (const StreamShape& shape : kStreamShapes)
            copy = std::min(copy, best(each, [&] { launchCopy(a.data(), b.data(), count_, shape, stream_->get()); }));
        add("copy", "device", 2e-9 * static_cast<double>(bytes) / copy, "GB/s", 2 * bytes);
        double triad = std::numeric_limits<double>::infinity();
        for (const StreamShape& shape : kStreamShapes)
            triad = std::min(triad, best(each, [&] { launchTriad(a.data(), b.data(), c.data(), count_, shape, stream_->get()); }));
        add("triad", "device", 3e-9 * static_cast<double>(bytes) / triad, "GB/s", 3 * bytes);
    }

    double bestRate() {
        int threads = 0;
        for (const FmaShape& s : kFmaShapes) threads = std::max(threads, s.threads * s.blocksPerUnit * multiprocessors_);
        DeviceBuffer<float> sink(allocator_, static_cast<std::size_t>(threads));
        double rate = 0;
        constexpr int kLoops = 2000;
        for (const FmaShape& shape : kFmaShapes) {
            const double seconds = best(probe_.seconds / static_cast<double>(std::size(kFmaShapes)),
                                        [&] { launchFma(sink.data(), kLoops, shape, multiprocessors_, stream_->get()); });
            rate = std::max(rate, 1e-9 * fmaOperations(kLoops, shape, multiprocessors_) / seconds);
        }
        return rate;
    }

    void transfers() {
        const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(kTransferBytes, count_ * sizeof(float)));
        const Shape shape{static_cast<std::int64_t>(bytes / sizeof(float)), 1, 1, 1};
        DeviceBuffer<float> device(allocator_, bytes / sizeof(float));
        std::exception_ptr error;
        // In a separate thread, which leaves the caller's affinity unchanged. The first thread to touch memory decides its NUMA node.
        std::jthread([&] {
            try {
                runCloseTo(closeProcessors(device_));
                const CurrentDevice current(device_);
                const auto bothWays = [&](const char* level, Buffer& host, const auto& secondsOf) {
                    std::memset(host.data(), 0, bytes);
                    const auto one = [&](const char* name, void* to, const void* from, cudaMemcpyKind kind) {
                        const double seconds = secondsOf(
                            [&] { check(cudaMemcpyAsync(to, from, bytes, kind, stream_->get()), "A transfer could not be started"); });
                        add(name, level, 1e-9 * static_cast<double>(bytes) / seconds, "GB/s", bytes);
                    };
                    one("upload", device.data(), host.data(), cudaMemcpyHostToDevice);
                    one("download", host.data(), device.data(), cudaMemcpyDeviceToHost);
                };
                {
                    Buffer pinned(shape, SampleType::float32, pinnedAllocator(device_));
                    bothWays("pinned", pinned, [&](const auto& copy) { return best(probe_.seconds, copy); });
                }
                Buffer pageable{shape};
                bothWays("pageable", pageable, [&](const auto& copy) { return bestOnHost(probe_.seconds, copy); });
            } catch (...) {
                error = std::current_exception();
            }
        }).join();
        if (error) std::rethrow_exception(error);
    }

    /// To another device, by the way that runs on both take.
    void link(int other) {
        const std::vector<int> both{device_, other};
        if (whyNoPeerAccess(both).empty()) enablePeerAccess(both);
        const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(kTransferBytes, count_ * sizeof(float)));
        DeviceBuffer<float> from(allocator_, bytes / sizeof(float));
        const CurrentDevice there(other);
        const auto stream = std::make_shared<Stream>(other);
        DeviceBuffer<float> to(makeStreamAllocator(MemoryPool::of(other), stream), bytes / sizeof(float));
        check(cudaStreamSynchronize(stream->get()), "Memory of the CUDA device could not be allocated");
        const CurrentDevice here(device_);
        const double seconds = best(probe_.seconds, [&] {
            check(cudaMemcpyPeerAsync(to.data(), other, from.data(), device_, bytes, stream_->get()), "A copy could not be started");
        });
        add(kPeerLink, "to " + std::to_string(other), 1e-9 * static_cast<double>(bytes) / seconds, "GB/s", bytes);
        const double roundTrip = best(probe_.seconds, RoundTrip{from.data(), to.data(), *stream_, *stream});
        add(kPeerLink, "latency to " + std::to_string(other), 0.5e6 * roundTrip, "us", kMessageBytes);
    }

    /// Copies a message to another device and back, each copy by the stream of its source after the other one.
    struct RoundTrip {
        void* here;
        void* there;
        const Stream& own;
        const Stream& others;
        Event sent{Event::Kind::ordering}, returned = ofDevice(others.device());

        static Event ofDevice(int device) {
            const CurrentDevice current(device);
            return Event(Event::Kind::ordering);
        }
        void operator()() {
            copy(there, here, own, others);
            sent.record(own.get());
            const CurrentDevice current(others.device());
            check(cudaStreamWaitEvent(others.get(), sent.get()), kFailed);
            copy(here, there, others, own);
            returned.record(others.get());
            check(cudaStreamWaitEvent(own.get(), returned.get()), kFailed);
        }
        static void copy(void* to, const void* from, const Stream& source, const Stream& target) {
            check(cudaMemcpyPeerAsync(to, target.device(), from, source.device(), kMessageBytes, source.get()), kFailed);
        }
        static constexpr const char* kFailed = "A copy could not be started";
    };

    int device_;
    int devices_ = deviceCount();
    const CeilingProbe& probe_;
    CurrentDevice current_;
    std::shared_ptr<Stream> stream_;
    std::shared_ptr<Allocator> allocator_;
    Event first_, last_;
    int multiprocessors_;
    std::string name_;
    std::size_t count_ = 0;  // floats of an array
    std::vector<CeilingRecord> all_;
};

}  // namespace

std::vector<CeilingRecord> measureDeviceCeilings(int device, const CeilingProbe& probe) {
    // Returns gigabytes of idle memory to the driver, after the device has reached their release.
    const auto giveBack = [device] {
        const CurrentDevice current(device, std::nothrow);
        checkNoThrow(cudaDeviceSynchronize());
        MemoryPool::of(device).trim();
    };
    try {
        std::vector<CeilingRecord> all = DeviceCeilings(device, probe).measure();
        giveBack();
        return all;
    } catch (...) {
        giveBack();
        throw;
    }
}

}  // namespace parallax::gpu
