// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/session.hpp"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include "gpu/parallel/session_group.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

/// Samples of 128 bytes, which a warp loads or stores at once.
constexpr std::int64_t kRowUnit = 32;
/// Narrower rows could grow by more than an eighth.
constexpr std::int64_t kNarrowestPadded = 256;

template <class T>
RowTransfer rowsOf(const View<T>& device) {
    const Shape& s = device.shape;
    const auto bytes = [](std::int64_t samples) { return static_cast<std::size_t>(samples) * sizeof(float); };
    if (device.rowStride == s.width) return RowTransfer::dense(bytes(s.samples()));
    return {.rowBytes = bytes(s.width),
            .devicePitch = bytes(device.rowStride),
            .rows = static_cast<std::size_t>(s.height * s.depth * s.channels)};
}

/// Rows of all slices and channels follow each other at the same distance.
template <class T>
bool evenRows(const View<T>& view) {
    return view.sliceStride == view.rowStride * view.shape.height && view.channelStride == view.sliceStride * view.shape.depth;
}

/// Calls transfer() for the whole of an image, or for each channel of a part.
template <class From, class To, class F>
void forDensePieces(const View<From>& from, const View<To>& to, F&& transfer) {
    if (from.shape != to.shape) throw Error(ErrorCode::failed, "Image and device buffer differ in shape");
    if (evenRows(from) && evenRows(to)) return transfer(from, to);
    for (std::int64_t c = 0; c < from.shape.channels; ++c) transfer(from.channel(c), to.channel(c));
}

template <class T>
void requireDense(const View<T>& view) {
    if (!view.contiguous()) throw Error(ErrorCode::failed, "Only contiguous images can be transferred");
}

template <class T>
void requireDenseRows(const View<T>& host) {
    if (host.rowStride != host.shape.width) throw Error(ErrorCode::failed, "Only images without gaps between rows can be transferred");
}

}  // namespace

CudaSession::CudaSession(int device)
    : device_(device),
      stream_(std::make_shared<Stream>(device)),
      allocator_(makeStreamAllocator(MemoryPool::of(device), stream_)),
      clock_(device, stream_) {
    (void)StagingEngine::of(device);  // creates threads and page-locked blocks in the stage `prepare`
}

CudaSession::~CudaSession() {
    const CurrentDevice current(device_, std::nothrow);
    drain();
    recorded_.forget();
}

Layout CudaSession::paddedLayout(const Shape& shape) const {
    if (shape.width < kNarrowestPadded) return shape;
    return {shape, (shape.width + kRowUnit - 1) / kRowUnit * kRowUnit};
}

Buffer CudaSession::allocate(const Layout& layout) {
    const CurrentDevice current(device_);
    return Buffer(layout, SampleType::float32, allocator_);
}

void CudaSession::upload(View<const float> host, View<float> device) {
    const CurrentDevice current(device_);
    forDensePieces(host, device, [&](const View<const float>& from, const View<float>& to) {
        requireDenseRows(from);
        StagingEngine::of(device_).upload(to.data, from.data, rowsOf(to), *stream_);
    });
}

void CudaSession::download(View<const float> device, View<float> host) {
    const CurrentDevice current(device_);
    forDensePieces(device, host, [&](const View<const float>& from, const View<float>& to) {
        requireDenseRows(to);
        StagingEngine::of(device_).download(to.data, from.data, rowsOf(from), *stream_);
    });
}

void CudaSession::drain() {
    // Called during error handling: an error here has been reported before, or will be by the next call.
    const CurrentDevice current(device_, std::nothrow);
    checkNoThrow(cudaStreamSynchronize(stream()));
    if (strips_) strips_->drain();
}

std::shared_ptr<Allocator> CudaSession::pageLockedMemory() { return recyclingPinnedAllocator(device_); }

void CudaSession::runStrips(Execution& execution, const StripPlan& plan, const View<const float>& input, const View<float>& output,
                            RunContext& context) {
    requireDense(input);
    requireDense(output);
    const CurrentDevice current(device_);
    if (!strips_) strips_ = std::make_unique<StripRunner>(stream_, allocator_);
    try {
        strips_->run(execution, plan, input, output, context, clock_);
    } catch (const Error& e) {
        strips_->drain();
        if (e.code() == ErrorCode::memory) strips_->release();
        throw;
    } catch (...) {
        strips_->drain();
        throw;
    }
}

void CudaSession::runRecorded(const std::vector<const void*>& buffers, const std::function<void()>& work) {
    const CurrentDevice current(device_);
    if (!recorded_.isOf(buffers)) {
        // The stage `compute` excludes the time that the host takes to record.
        clock_.begin(Stage::prepare);
        recorded_.record(buffers, work, *stream_);
        clock_.end();
    }
    clock_.begin(Stage::compute);
    recorded_.launch(*stream_);
    clock_.end();
}

std::unique_ptr<RankCopies> CudaSession::startCopies() {
    if (!link_) link_ = std::make_unique<RankLink>(stream_);
    return link_->startCopies();
}

void CudaSession::useRanks(Communicator* communicator) {
    if (communicator && !group_) join(std::make_shared<SessionGroup>(device_, communicator->size()), communicator->rank());
    if (group_) group_->useRanks(communicator);
}

void CudaSession::beginRange(const char* name) { nvtxRangePushA(name); }
void CudaSession::endRange() { nvtxRangePop(); }

void CudaSession::startProfiler() {
    const CurrentDevice current(device_);
    check(cudaProfilerStart(), "The profiler could not be started");
}

void CudaSession::stopProfiler() {
    const CurrentDevice current(device_);
    check(cudaProfilerStop(), "The profiler could not be stopped");
}

CudaSession& cudaSession(const RunContext& context) {
    auto* session = dynamic_cast<CudaSession*>(context.session);
    if (!session) throw Error(ErrorCode::failed, "A CUDA implementation needs a CUDA session");
    return *session;
}

}  // namespace parallax::gpu
