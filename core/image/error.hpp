// SPDX-License-Identifier: GPL-3.0-or-later
// The exception type of Parallax: what happened, why, and what to do.
#pragma once

#include <exception>
#include <string>

namespace parallax {

/// Kinds of failure. The command line maps each to one exit code (app/cli/exit_codes.hpp).
enum class ErrorCode {
    failed,       ///< unexpected failure of an operation
    usage,        ///< invalid request: unknown name, value out of range
    input,        ///< input missing, unreadable, damaged or unsupported
    output,       ///< output cannot be written
    unavailable,  ///< backend or device not available, or it does not support this problem
    memory,       ///< out of memory or over a limit
    cancelled     ///< stopped by the caller
};

/// A message in three parts. `what` is a sentence without its final period.
class Error : public std::exception {
public:
    Error(ErrorCode code, std::string what, std::string why = {}, std::string whatToDo = {})
        : code_(code), summary_(std::move(what)), why_(std::move(why)), whatToDo_(std::move(whatToDo)) {
        text_ = summary_;
        if (!why_.empty()) text_ += ": " + why_;
        if (!whatToDo_.empty()) text_ += ". " + whatToDo_;
    }
    ErrorCode code() const noexcept { return code_; }
    const std::string& summary() const noexcept { return summary_; }
    const std::string& why() const noexcept { return why_; }
    const std::string& whatToDo() const noexcept { return whatToDo_; }
    /// All three parts in one line.
    const char* what() const noexcept override { return text_.c_str(); }

private:
    ErrorCode code_;
    std::string summary_, why_, whatToDo_, text_;
};

}  // namespace parallax
