// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is cancelled as soon as it has begun.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "tests/support/promptness.hpp"

namespace parallax::gpu {

/// The context of a run, for prepare() and expectCancelled().
class CancellableRun {
public:
    CancellableRun() {
        context.stop = source_.get_token();
        context.progress = &progress_;
    }
    CancellableRun(const CancellableRun&) = delete;
    CancellableRun& operator=(const CancellableRun&) = delete;
    RunContext context;

    /// Cancels at the first progress and expects the run to end as cancelled; `prompt` measures from the cancel on.
    void expectCancelled(PreparedRun& run, Promptness& prompt) {
        {
            std::jthread stopper([&] {
                while (progress_.fraction() <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                prompt.start();
                source_.request_stop();
            });
            try {
                (void)run.run(context);
                ADD_FAILURE() << "the run was not cancelled";
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
            }
        }
        prompt.stop();
    }

private:
    std::stop_source source_;
    Progress progress_;
};

}  // namespace parallax::gpu
