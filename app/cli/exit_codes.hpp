// SPDX-License-Identifier: GPL-3.0-or-later
// Exit codes of the command line: stable, documented in the man page.
#pragma once

#include "app/cli/console.hpp"
#include "core/image/error.hpp"

namespace parallax::cli {

enum ExitCode : int {
    kSuccess = 0,
    kFailed = 1,
    kUsage = 2,
    kInput = 3,
    kOutput = 4,
    kUnavailable = 5,
    kMemory = 6,
    kDisagreement = 7,
    kRegression = 8,
    kPartial = 9,  ///< some images of a batch failed
    kUntrustworthy = 10,
    kSignalBase = 128  ///< and the number of the signal: 130 for SIGINT, 143 for SIGTERM
};

inline int exitCodeOf(ErrorCode code) {
    switch (code) {
        case ErrorCode::failed: return kFailed;
        case ErrorCode::usage: return kUsage;
        case ErrorCode::input: return kInput;
        case ErrorCode::output: return kOutput;
        case ErrorCode::unavailable: return kUnavailable;
        case ErrorCode::memory: return kMemory;
        case ErrorCode::cancelled: return interruptedExitCode();
    }
    return kFailed;
}

}  // namespace parallax::cli
