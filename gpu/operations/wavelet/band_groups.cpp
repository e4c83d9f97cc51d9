// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/wavelet/band_groups.hpp"

#include <algorithm>

namespace parallax::gpu {

int BandGroups::blocksOf(std::span<const BandBox> boxes) {
    int blocks = 1;
    for (const BandBox& box : boxes) blocks = std::max(blocks, blocksOfBox(box));
    return blocks;
}

BandGroups::BandGroups(std::span<const BandsInMemory> groups, const CudaSession& session) : stream_(session.stream()) {
    std::vector<BandBox> all;
    for (const BandsInMemory& group : groups) all.insert(all.end(), group.boxes.begin(), group.boxes.end());
    bands_ = all.size();
    blocks_ = blocksOf(all);
    boxes_ = DeviceBuffer<BandBox>(session.allocator(), std::span<const BandBox>(all), stream_);
    std::size_t first = 0;
    for (const BandsInMemory& group : groups) {
        groups_.push_back({group.memory, first, {boxes_.data() + first, static_cast<int>(group.boxes.size()), blocks_}});
        first += group.boxes.size();
    }
}

void BandGroups::moments(BandMoments* partial, BandMoments* moments) const {
    for (const Group& g : groups_)
        launchMoments(readOnly(g.memory), g.boxes, partial + g.first * static_cast<std::size_t>(blocks_), moments + g.first, stream_);
}

void BandGroups::select(std::optional<std::size_t> band, SelectedRanks ranks, float above, std::int64_t kept, SelectionState* state,
                        Communicator* communicator) const {
    startSelection(state, stream_);
    for (int digit = 0; digit < kSelectionDigits; ++digit) {
        for (const Group& g : groups_) {
            const bool has = !band || (*band >= g.first && *band < g.first + static_cast<std::size_t>(g.boxes.count));
            if (has) launchCount(readOnly(g.memory), band ? g.boxes.only(*band - g.first) : g.boxes, above, digit, state, stream_);
        }
        if (communicator) sumBuckets(state, *communicator);
        launchFind(digit, ranks, kept, state, stream_);
    }
}

void BandGroups::sumBuckets(SelectionState* state, Communicator& communicator) const {
    constexpr const char* kFailed = "Counts of wavelet coefficients could not be copied";
    std::vector<std::int64_t> counts(2 * kSelectionBuckets);
    static_assert(sizeof(state->buckets) == 2 * kSelectionBuckets * sizeof(std::int64_t));
    check(cudaMemcpyAsync(counts.data(), state->buckets, sizeof(state->buckets), cudaMemcpyDeviceToHost, stream_), kFailed);
    check(cudaStreamSynchronize(stream_), kFailed);
    communicator.allReduce(std::span<std::int64_t>(counts));
    check(cudaMemcpyAsync(state->buckets, counts.data(), sizeof(state->buckets), cudaMemcpyHostToDevice, stream_), kFailed);
    check(cudaStreamSynchronize(stream_), kFailed);
}

void BandGroups::shrink(const BandThreshold* thresholds, const Shrinkage& shrinkage, ShrinkCounts* counts) const {
    for (const Group& g : groups_) launchShrink(g.memory, g.boxes, thresholds + g.first, shrinkage, counts, stream_);
}

}  // namespace parallax::gpu
