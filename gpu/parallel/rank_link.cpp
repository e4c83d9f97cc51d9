// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/rank_link.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/image/buffer.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kCopyFailed = "Samples could not be copied between a CUDA device and the memory of messages";
/// Samples of the smallest block: small exchanges share its size, and page-locking takes longer than a copy.
constexpr std::int64_t kSmallest = 1 << 18;

}  // namespace

struct RankLink::State {
    std::shared_ptr<Stream> work, copies;
    std::vector<Buffer> kept;  ///< page-locked

    Buffer take(std::int64_t samples) {
        const auto fits = [&](const Buffer& b) { return b.shape().samples() >= samples; };
        if (const auto found = std::find_if(kept.begin(), kept.end(), fits); found != kept.end()) {
            Buffer memory = std::move(*found);
            kept.erase(found);
            return memory;
        }
        kept.clear();  // smaller ones
        return Buffer(Shape{std::max(samples, kSmallest), 1, 1, 1}, SampleType::float32, pinnedAllocator(work->device()));
    }
};

class RankLink::Copies final : public RankCopies {
public:
    explicit Copies(State& state) : state_(state) {
        const CurrentDevice current(state.work->device());
        Event begun(Event::Kind::ordering);
        begun.record(state.work->get());
        check(cudaStreamWaitEvent(stream(), begun.get()), kCopyFailed);
    }
    ~Copies() override {
        const CurrentDevice current(state_.work->device(), std::nothrow);
        checkNoThrow(cudaStreamSynchronize(stream()));
        if (!memory_.empty()) state_.kept.push_back(std::move(memory_));
    }
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;

    float* messages(std::int64_t samples) override {
        memory_ = state_.take(samples);
        return memory_.view<float>().data;
    }
    void toMessage(const View<const float>& samples, float* message) override {
        copyBlocks(samples, denseView(message, samples.shape), cudaMemcpyDeviceToHost);
    }
    void fromMessage(const float* message, const View<float>& samples) override {
        copyBlocks(denseView(message, samples.shape), samples, cudaMemcpyHostToDevice);
    }
    void copy(const View<const float>& from, const View<float>& to) override { copyBlocks(from, to, cudaMemcpyDeviceToDevice); }
    void waitForMessages() override {
        const CurrentDevice current(state_.work->device());
        check(cudaStreamSynchronize(stream()), kCopyFailed);
    }
    void finish() override {
        const CurrentDevice current(state_.work->device());
        Event copied(Event::Kind::ordering);
        copied.record(stream());
        check(cudaStreamWaitEvent(state_.work->get(), copied.get()), kCopyFailed);
    }

private:
    cudaStream_t stream() const { return state_.copies->get(); }
    /// Slices that follow each other are one copy.
    void copyBlocks(const View<const float>& from, const View<float>& to, cudaMemcpyKind kind) const {
        if (from.shape.empty()) return;
        if (from.rowStride != from.shape.width || to.rowStride != to.shape.width)
            throw Error(ErrorCode::failed, "Only rows without gaps can be exchanged between ranks");
        const CurrentDevice current(state_.work->device());
        const std::int64_t slice = from.shape.width * from.shape.height;
        const bool dense = from.shape.depth == 1 || (from.sliceStride == slice && to.sliceStride == slice);
        const auto bytes = static_cast<std::size_t>(slice * (dense ? from.shape.depth : 1)) * sizeof(float);
        for (std::int64_t c = 0; c < from.shape.channels; ++c)
            for (std::int64_t z = 0; z < (dense ? 1 : from.shape.depth); ++z)
                check(cudaMemcpyAsync(to.row(0, z, c), from.row(0, z, c), bytes, kind, stream()), kCopyFailed);
    }

    State& state_;
    Buffer memory_;
};

RankLink::RankLink(std::shared_ptr<Stream> work) : state_(std::make_unique<State>()) {
    state_->copies = std::make_shared<Stream>(work->device());
    state_->work = std::move(work);
}

RankLink::~RankLink() = default;

std::unique_ptr<RankCopies> RankLink::startCopies() { return std::make_unique<Copies>(*state_); }

}  // namespace parallax::gpu
