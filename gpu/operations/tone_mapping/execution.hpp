// SPDX-License-Identifier: GPL-3.0-or-later
// A prepared run of all operators except `gradient`: its device memory, and how it goes over whole images (execution.cpp), parts of an
// image on several devices (execution_part.cpp) and strips (execution_strips.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/parts/part_execution.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "gpu/operations/tone_mapping/launchers.hpp"
#include "gpu/operations/tone_mapping/local_plan.hpp"
#include "gpu/operations/tone_mapping/slabs.hpp"
#include "gpu/parallel/local_part.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {

class ToneMappingExecution final : public Execution, public PartExecution {
public:
    /// `primitives`: those that gather the statistics; empty: one pass over the image for all statistics of the next one. `bandBytes`: as
    /// in makeToneMapping().
    ToneMappingExecution(const std::optional<TonePrimitives>& primitives, std::uint64_t bandBytes, const Problem& problem,
                         const CudaSession& session);

    /// Device memory besides that of LocalPlan and of the primitives.
    static std::uint64_t sharedBytes(const ToneMappingPlan& plan, std::int64_t blocks);

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override;
    void runPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& communicator,
                 RunContext& context) override;
    StripPlan prepareSlabs(const StripLimits& limits, std::uint64_t memory, RunContext& context) override;
    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                  RunContext& given) override;

    std::vector<Statistic> statistics(RunContext& context) override;
    /// Known once the statistics of the run are.
    double dataTolerance() const override { return dataTolerance_; }
    TransferCurve transferCurve(RunContext& context) override;

private:
    /// What one part of a run on several devices found, and where its state is.
    struct OfPart {
        TonePart statistics;
        const ToneState* state;
        int device;
    };
    static constexpr int kLocalPasses = 8;  // most of the work is in the Gaussians

    bool isHistogram() const { return setup_.op == ToneOperator::histogram; }
    bool isLocal() const { return setup_.op == ToneOperator::local; }

    /// Makes weights and memory for bands of an image of this shape.
    void makeLocal(const Shape& shape, std::uint64_t bandBytes, const CudaSession& session);

    template <class T>
    static void clear(DeviceBuffer<T>& buffer, cudaStream_t stream) {
        check(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream), "The memory of tone mapping could not be cleared");
    }
    template <class T>
    static void upload(DeviceBuffer<T>& buffer, const T* values, std::size_t count, cudaStream_t stream) {
        check(cudaMemcpyAsync(buffer.data(), values, count * sizeof(T), cudaMemcpyHostToDevice, stream),
              "Statistics could not be uploaded");
    }
    template <class T>
    static void download(RunContext& context, T* to, const T* from, std::size_t count) {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, session.stream()), "Statistics could not be downloaded");
        check(cudaStreamSynchronize(session.stream()), "Statistics could not be downloaded");
    }
    /// Counts pixels brighter than white on other ranks, whose states this one cannot read later.
    void shareBrighter(Communicator& communicator, RunContext& context);
    /// Downloads the state of the last run: the host sees nothing of recorded runs. Pixels brighter than white are those of all parts.
    ToneState found(RunContext& context);

    ToneMemory memory();
    TonePlanes planesOf(const View<const float>& in, const View<float>& out) const;
    void findAlignment(TonePlanes& p) const;
    /// The rows of a strip's input, in its buffer or among the kept ones. Row i of the result is that of row i of the input.
    TonePlanes planesOf(const ToneSlab& slab, const View<const float>& in, const View<float>& out) const;
    /// Copies the channels behind the colours of a strip.
    void copyOthers(const ToneSlab& slab, const View<const float>& in, const View<float>& out, cudaStream_t stream) const;
    /// Copies the colours of a strip for the passes that follow.
    void keep(const ToneSlab& slab, const View<const float>& in, cudaStream_t stream);

    void advance(const RunContext& context, std::int64_t rows, std::int64_t pass, std::int64_t passes) const;

    /// `rows`: to compute; the others are only read.
    void runLocal(const TonePlanes& planes, const PartRange& rows, const RunContext& context, cudaStream_t stream);
    /// The local operator on a part. Rows that need no other part are computed while the edges are exchanged.
    void runLocalPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& communicator,
                      const RunContext& context, CudaSession& session);

    std::optional<TonePrimitives> primitives_;  // of the variants that use gpu/primitives
    std::uint64_t bandBytes_;
    Shape shape_;
    ToneMappingPlan plan_;
    ToneSetup setup_;
    double dataTolerance_ = 0;
    std::int64_t pixels_;
    int multiprocessors_;
    DeviceBuffer<ToneState> state_;
    DeviceBuffer<unsigned> ticket_;
    DeviceBuffer<TonePart> total_;  // of the part of this device, in page-locked memory
    std::vector<OfPart> ofParts_;   // of a run on several devices of this process
    unsigned long long brighterOnOthers_ = 0;
    std::optional<LocalPart> part_;  // of the local operator there
    DeviceBuffer<TonePart> parts_;
    DeviceBuffer<std::uint64_t> counts_, fixed_;
    DeviceBuffer<float> cumulative_;
    TonePrimitiveMemory primitiveMemory_;
    DeviceBuffer<float> plane_;
    DeviceBuffer<unsigned char> results_, workspaces_[3];
    std::optional<LocalPlan> local_;
    DeviceBuffer<float> weights_, filtered_;

    // In strips.
    ToneSlabs slabs_;
    DeviceBuffer<TonePart> accumulated_;  // statistics of the strips of a pass so far
    DeviceBuffer<float> kept_;            // the first rows of all colours
};

}  // namespace parallax::gpu
