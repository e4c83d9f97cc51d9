// SPDX-License-Identifier: GPL-3.0-or-later
// A program that this one starts and ends.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parallax::user {

/// A file descriptor that is closed with its owner.
class OwnedDescriptor {
public:
    OwnedDescriptor() = default;
    explicit OwnedDescriptor(int number) : number_(number) {}
    OwnedDescriptor(OwnedDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~OwnedDescriptor();
    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_ = -1;
};

class ChildProcess {
public:
    /// Starts a program with the environment of this process and signals as by default. `descriptors`: {in this process, in the child}.
    /// `variables`, "NAME=VALUE", are added to the environment, or replace those of the same name. The first argument is its path, or a
    /// name to look for in PATH. `whole`: kill() also kills the programs that it starts, and signals of the terminal do not reach it.
    /// Throws Error(unavailable) if it cannot be started.
    ChildProcess(const std::vector<std::string>& arguments, const std::vector<std::pair<int, int>>& descriptors,
                 const std::vector<std::string>& variables = {}, bool whole = false);
    /// Kills it if it still runs.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t id() const { return id_; }
    void kill() const;
    /// Waits for its end. Returns what waitpid() says.
    int wait();
    /// Does not wait.
    bool hasEnded();

private:
    pid_t id_ = -1;
    bool whole_;
    std::optional<int> status_;
};

/// The path of a program in PATH; empty if it is not there.
std::string findProgram(const std::string& name);

}  // namespace parallax::user
