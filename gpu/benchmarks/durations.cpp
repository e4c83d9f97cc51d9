// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the compute times of the CUDA backend's clock with the kernel durations that the driver's tracing (CUPTI, as in Nsight Systems)
// reports: the ratio of the medians for each implementation. Runs with and without tracing alternate in blocks. Fails (1) beyond 3 %.
// Usage: bench_gpu_durations [--op STEP] [--size N] [--runs N] [--device N] [--variant NAME]
//                            [--list | --measure | --profile]   --list: the names of the variants. One variant: print the median
//                            compute time as JSON; --profile marks the
//                            runs for a profiler that waits for cudaProfilerStart (see ncu_ratio.py)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"

#ifdef PARALLAX_HAS_CUPTI
#include <cupti.h>
#endif

namespace {

using namespace parallax;

constexpr double kAllowed = 0.03;

struct Options {
    std::string step = "convolve:size=15", variant;
    std::string size = "16384x16384";  // some milliseconds of work, since recording an event costs about a microsecond
    int runs = 15, device = 0;
    bool measure = false, profile = false, list = false;
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

#ifdef PARALLAX_HAS_CUPTI

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
using CopyRecord = CUpti_ActivityMemcpy6;
#else
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
#endif

double tracedNs = 0;
int tracedKernels = 0;

void require(CUptiResult result, const char* what) {
    if (result == CUPTI_SUCCESS) return;
    const char* text = nullptr;
    (void)cuptiGetResultString(result, &text);
    throw Error(ErrorCode::failed, what, text ? text : "");
}

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *size = std::size_t{1} << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, *size));
    *most = 0;
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    while (valid > 0 && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            const auto* k = reinterpret_cast<const KernelRecord*>(record);
            tracedNs += static_cast<double>(k->end - k->start);
            ++tracedKernels;
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            // Copies on the device (of channels that are not filtered) count as computing, transfers do not.
            const auto* m = reinterpret_cast<const CopyRecord*>(record);
            if (m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOD) tracedNs += static_cast<double>(m->end - m->start);
        }
    }
    std::free(buffer);
}

/// Returns the kernel durations of a run in ns.
double traced(PreparedRun& run, RunContext& context) {
    require(cuptiActivityFlushAll(1), "Tracing could not be emptied");
    tracedNs = 0;
    tracedKernels = 0;
    (void)run.run(context);
    require(cuptiActivityFlushAll(1), "Tracing could not be emptied");
    return tracedNs;
}

void setTracing(bool on) {
    for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY})
        require(on ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind), "Tracing could not be switched");
}

bool agrees(PreparedRun& run, RunContext& context, const std::string& name, int runs) {
    std::vector<double> own, driver;
    constexpr int kBlock = 5;
    for (int done = 0; done < runs; done += kBlock) {
        for (int i = 0; i < kBlock; ++i) own.push_back(static_cast<double>(run.run(context).compute()));
        setTracing(true);
        (void)traced(run, context);  // warms up tracing
        for (int i = 0; i < kBlock; ++i) driver.push_back(traced(run, context));
        setTracing(false);
        (void)run.run(context);
    }
    const double ratio = median(own) / median(driver);
    const bool good = tracedKernels > 0 && std::fabs(ratio - 1) <= kAllowed;
    std::printf("%-28s own clock %10.4f ms, kernels %10.4f ms (%d), ratio %.4f %s\n", name.c_str(), 1e-6 * median(own),
                1e-6 * median(driver), tracedKernels, ratio, good ? "ok" : "BEYOND 3 %");
    return good;
}

#endif

/// Runs one variant and prints its median.
int single(PreparedRun& run, RunContext& context, const Options& o) {
    std::vector<double> own;
    if (o.profile) run.startProfiler();
    for (int i = 0; i < o.runs; ++i) own.push_back(static_cast<double>(run.run(context).compute()));
    if (o.profile) run.stopProfiler();
    std::printf("{\"runs\": %d, \"compute_ns\": %.0f}\n", o.runs, median(own));
    return 0;
}

int main2(const Options& o) {
    const Catalog& catalog = processCatalog();
    const Backend& backend = catalog.backend("cuda");
    if (const Availability a = backend.availability(); !a.yes) {
        std::printf("CUDA is not available: %s. %s\n", a.reason.c_str(), a.whatToDo.c_str());
        return 5;
    }
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(catalog, o.step));
    if (o.list) {
        for (const Implementation* i : catalog.implementations(pipeline.steps[0].operation->id(), "cuda"))
            std::printf("%s\n", i->variant().c_str());
        return 0;
    }
    const auto input = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:gradient:" + o.size)));
    const Engine engine(catalog);
    bool good = true;
    for (const Implementation* i : catalog.implementations(pipeline.steps[0].operation->id(), "cuda")) {
        if (!o.variant.empty() && i->variant() != o.variant) continue;
        Target target = parseTarget("cuda." + i->variant());
        target.device = o.device;
        RunContext context;
        PreparedRun run = engine.prepare(pipeline, input, target, context);
        for (int w = 0; w < 3; ++w) (void)run.run(context);
        if (o.measure || o.profile) return single(run, context, o);
#ifdef PARALLAX_HAS_CUPTI
        good = agrees(run, context, run.plan()[0].implementation, o.runs) && good;
#else
        std::printf("built without CUPTI: only --measure and --profile\n");
        return 77;
#endif
    }
    return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        const bool more = i + 1 < argc;
        if (a == "--op" && more) o.step = argv[++i];
        else if (a == "--size" && more) o.size = std::string(argv[i + 1]) + "x" + argv[i + 1], ++i;
        else if (a == "--runs" && more) o.runs = std::max(1, std::atoi(argv[++i]));
        else if (a == "--device" && more) o.device = std::atoi(argv[++i]);
        else if (a == "--variant" && more) o.variant = argv[++i];
        else if (a == "--list") o.list = true;
        else if (a == "--measure") o.measure = true;
        else if (a == "--profile") o.profile = true;
        else {
            std::printf("unknown: %s\n", a.c_str());
            return 2;
        }
    }
    try {
#ifdef PARALLAX_HAS_CUPTI
        // Before the driver starts. Not under a profiler, since only one tool can trace.
        if (!o.measure && !o.profile && !o.list)
            require(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer), "Tracing could not be set up");
#endif
        return main2(o);
    } catch (const Error& e) {
        std::printf("failed: %s\n", e.what());
        return 1;
    }
}
