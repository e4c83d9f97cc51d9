// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_check/kernel_work.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/image/buffer.hpp"
#include "core/image/error.hpp"
#include "core/kernels/backend.hpp"
#include "core/kernels/kernel_text.hpp"
#include "core/kernels/packed_parameters.hpp"
#include "core/kernels/parallax_kernel.h"

namespace parallax {
namespace {

constexpr const char *kOperation = "convolve", *kSample = "padded", *kStep = "convolve:size=9", *kFile = "self-check.cpp";

constexpr const char *kCudaBackend = "cuda", *kCudaVariant = "naive", *kCudaFile = "self-check.cu";
/// naiveKernel() of gpu/operations/convolution/kernels/textbook.cu for the border mode of kStep, with the numbers that it gets there.
constexpr const char* kCudaKernel = R"(#include <parallax/convolve.h>

// requires: border == CONVOLVE_BORDER_REPLICATE "the border mode is another one"
// constant: taps
__constant__ float weights[127 * 127];

static __device__ __forceinline__ int inside(int i, int n) {
    if (i >= 0 && i < n) return i;
    return i < 0 ? 0 : n - 1;
}

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8), depth * channels)
__global__ void __launch_bounds__(256) naive(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {
    const int x = (int)blockIdx.x * 32 + (int)threadIdx.x, y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    const int width = (int)in.width, height = (int)in.height, kernelWidth = (int)p.taps.width, kernelHeight = (int)p.taps.height;
    const int anchorX = (int)p.left, anchorY = (int)p.above;
    if (x >= width || y >= height) return;
    const float *plane = in.data + blockIdx.z * in.slice;
    float sum = 0;
    for (int v = 0; v < kernelHeight; ++v) {
        const int sy = inside(y + v - anchorY, height);
        for (int u = 0; u < kernelWidth; ++u) {
            const int sx = inside(x + u - anchorX, width);
            const float sample = plane[sy * in.row + sx];
            sum += weights[v * kernelWidth + u] * sample;
        }
    }
    out.data[blockIdx.z * out.slice + y * out.row + x] = sum + (float)p.offset;
}
)";

using Parameters = const void*;
using KernelFunction = void (*)(const parallax_input*, const parallax_output*, Parameters, const parallax_context*);
using WorkspaceFunction = std::int64_t (*)(const parallax_input*, Parameters, const parallax_context*);

/// The library of a kernel in this process. It stays loaded, since threads of OpenMP may be in it.
struct Library {
    KernelFunction kernel = nullptr;
    WorkspaceFunction workspace = nullptr;

    explicit Library(const user::CompiledKernel& compiled) {
        void* const handle = dlopen(("/proc/self/fd/" + std::to_string(compiled.library.number())).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) throw Error(ErrorCode::unavailable, "Cannot load a kernel", dlerror());
        kernel = reinterpret_cast<KernelFunction>(dlsym(handle, "parallax_kernel"));
        workspace = reinterpret_cast<WorkspaceFunction>(dlsym(handle, "parallax_workspace"));
        if (!kernel || !workspace) throw Error(ErrorCode::unavailable, "Cannot load a kernel", "an entry is missing");
    }
};

/// Parameters as the kernel reads them: pointers are those of `data`, which is aligned like the samples of a buffer.
class Arguments {
public:
    explicit Arguments(user::PackedParameters packed)
        : words_(std::move(packed.words)), data_(rowOf((packed.data.size() + sizeof(float) - 1) / sizeof(float))) {
        auto* const data = reinterpret_cast<std::byte*>(data_.view<float>().data);
        std::copy(packed.data.begin(), packed.data.end(), data);
        for (const std::uint64_t i : packed.pointers) words_[i] += reinterpret_cast<std::uintptr_t>(data);
    }
    Parameters get() const { return words_.data(); }
    static Buffer rowOf(std::size_t samples) {
        return Buffer(Shape{static_cast<std::int64_t>(std::max<std::size_t>(samples, 1)), 1, 1, 1});
    }

private:
    std::vector<std::uint64_t> words_;
    Buffer data_;
};

class KernelHereExecution final : public Execution {
public:
    KernelHereExecution(const Library& library, const Operation& operation, const Problem& problem, int threads)
        : library_(&library), arguments_(user::packed(operation, problem)) {
        context_.threads = threads;
        std::copy(problem.spacing.begin(), problem.spacing.end(), context_.spacing);
        context_.alpha = problem.alphaChannel;
        const parallax_input in = described<parallax_input>(denseView<const float>(nullptr, problem.shape));
        const std::int64_t bytes = library.workspace(&in, arguments_.get(), &context_);
        workspace_ = Arguments::rowOf(static_cast<std::size_t>(bytes) / sizeof(float) + 1);
        context_.workspace = workspace_.view<float>().data;
    }
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext&) override {
        const auto in = described<parallax_input>(inputs[0]);
        const auto out = described<parallax_output>(outputs[0]);
        library_->kernel(&in, &out, arguments_.get(), &context_);
    }

private:
    template <class Samples, class T>
    static Samples described(const View<T>& v) {
        const Shape& s = v.shape;
        return {v.data, s.width, s.height, s.depth, s.channels, v.rowStride, v.sliceStride, v.channelStride};
    }

    const Library* library_;
    Arguments arguments_;
    Buffer workspace_;
    parallax_context context_{};
};

class KernelHereImplementation final : public Implementation {
public:
    KernelHereImplementation(Library library, const Operation& operation, int threads)
        : library_(library), operation_(&operation), threads_(threads) {}
    std::string operation() const override { return operation_->id(); }
    std::string variant() const override { return kSample; }
    std::string summary() const override { return "A kernel without a process of its own."; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<KernelHereExecution>(library_, *operation_, problem, threads_);
    }

private:
    Library library_;
    const Operation* operation_;
    int threads_;  // those of its twin: on small problems, `context` would have fewer
};

class KernelHereBackend final : public Backend {
public:
    KernelHereBackend(Library library, const Operation& operation, int threads) : implementation_(library, operation, threads) {}
    std::string id() const override { return kKernelHere; }
    std::string title() const override { return "A kernel in this process"; }
    std::vector<DeviceInfo> devices() const override { return {hostDevice()}; }
    std::vector<const Implementation*> implementations() const override { return {&implementation_}; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return makeHostSession(); }

private:
    KernelHereImplementation implementation_;
};

}  // namespace

KernelTwins makeKernelTwins(const Catalog& catalog, int threads, const std::stop_token& stop) {
    const Operation& operation = catalog.operation(kOperation);
    const user::PrivateFolder folder;
    const std::string path = folder.file(kFile);
    user::writeText(path, user::newKernel(operation, kSample));
    const OpenedKernel opened = openKernel(catalog, path, stop);
    const user::CompiledKernel compiled = user::compileKernel(user::readKernel(catalog.operations(), path), operation, false, stop);
    if (compiled.command != opened.command || compiled.compiler != opened.compiler)
        throw Error(ErrorCode::unavailable, "Kernels cannot be compared", "the compiler changed in the meantime", "Try again");
    RunContext context;
    context.threads = threads;
    const int all = effectiveThreads(context);
    return {.here = std::make_shared<KernelHereBackend>(Library(compiled), operation, all),
            .target = opened.target(),
            .threads = all,
            .step = kStep,
            .compiler = opened.compiler};
}

CudaTwins makeCudaTwins(const Catalog& catalog, const std::stop_token& stop) {
    const auto& all = catalog.backends();
    if (std::none_of(all.begin(), all.end(), [](const auto& b) { return b->id() == kCudaBackend; }))
        throw Error(ErrorCode::unavailable, std::string("There is no backend '") + kCudaBackend + "'");
    (void)catalog.availableBackend(kCudaBackend);
    const user::PrivateFolder folder;
    const std::string path = folder.file(kCudaFile);
    user::writeText(path, kCudaKernel);
    const OpenedKernel opened = openKernel(catalog, path, stop);
    return {
        .builtIn = std::string(kCudaBackend) + "." + kCudaVariant, .target = opened.target(), .step = kStep, .compiler = opened.compiler};
}

}  // namespace parallax
