// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite of parts with each part on a rank: rank 0 runs the tests, the others compute for it.
#include <gtest/gtest.h>

#include "core/engine/parts/serve_ranks.hpp"
#include "core/mpi/mpi_ranks.hpp"

int main(int argc, char** argv) {
    using namespace parallax;
    testing::InitGoogleTest(&argc, argv);
    const std::shared_ptr<MpiRanks> ranks = startMpi();
    setProcessRanks(ranks);
    if (ranks->rank() > 0) {
        serveRanks(processCatalog(), *ranks);
        setProcessRanks(nullptr);
        return 0;
    }
    const int code = RUN_ALL_TESTS();
    ranks->dismiss();
    setProcessRanks(nullptr);
    return code;
}
