// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of communicators on MPI ranks: all of them run all tests.
#include <gtest/gtest.h>

#include <iostream>

#include "core/mpi/mpi_ranks.hpp"
#include "tests/support/rank_kinds.hpp"

namespace parallax {
namespace {

std::shared_ptr<MpiRanks> ranks;

/// The failures of a rank, whose other output would repeat that of rank 0.
class FailuresOnly final : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed())
            std::cerr << "rank " << ranks->rank() << ": " << result.file_name() << ":" << result.line_number() << ": " << result.message()
                      << "\n";
    }
};

/// All ranks end a test together: one that took no part in it would be missed once it waits for the end of MPI.
class EndTogether final : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo&) override {
        runOnRanks(ranks->size(), [](Communicator& c) { c.barrier(); }, {});
    }
};

}  // namespace

std::vector<std::string> rankKinds() { return {"overlapped", "blocking", "pieces"}; }
void useRanks(const std::string& kind) {
    ranks->setExchangeMode(kind == "blocking" ? ExchangeMode::blocking : ExchangeMode::overlapped);
    ranks->setLargestMessage(kind == "pieces" ? 1000 : kLargestMpiMessage);
}
bool hasRanks(int size) { return ranks->rank() < size; }

void runOnRanks(int size, const std::function<void(Communicator&)>& work, const std::stop_token& stop) {
    if (ranks->rank() == 0) return ranks->lead({}, size, work, stop);
    if (!ranks->follow([&](std::span<const std::byte>, Communicator& c) { work(c); })) ADD_FAILURE() << "dismissed";
}

}  // namespace parallax

int main(int argc, char** argv) {
    parallax::ranks = parallax::startMpi();
    testing::InitGoogleTest(&argc, argv);
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    listeners.Append(new parallax::EndTogether);
    if (parallax::ranks->rank() > 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new parallax::FailuresOnly);
    }
    const int code = RUN_ALL_TESTS();
    parallax::ranks.reset();
    return code;
}
