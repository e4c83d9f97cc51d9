// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/communicator.hpp"

namespace parallax {

Partition placesOf(Communicator& communicator, std::size_t bytes) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(communicator.size()));
    sizes[static_cast<std::size_t>(communicator.rank())] = static_cast<std::int64_t>(bytes);
    communicator.allReduce(sizes);
    return Partition::ofSizes(sizes);
}

std::vector<double> sumOfBlocks(Communicator& communicator, std::span<const double> own, std::size_t values) {
    if (values == 0 || own.size() % values != 0) throw Error(ErrorCode::failed, "The numbers of a block are incomplete");
    const std::vector<double> all = gatherBlocks(communicator, own);
    std::vector<double> sums(values);
    for (std::size_t i = 0; i < all.size(); ++i) sums[i % values] += all[i];
    return sums;
}

}  // namespace parallax
