// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/child_process.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/image/error.hpp"

extern char** environ;

namespace parallax::user {

OwnedDescriptor::~OwnedDescriptor() {
    if (number_ >= 0) ::close(number_);
}

namespace {

/// The environment of this process, with `variables` added or replaced.
std::vector<char*> environmentWith(const std::vector<std::string>& variables) {
    std::vector<char*> all;
    for (const std::string& v : variables) all.push_back(const_cast<char*>(v.c_str()));
    for (char** inherited = environ; *inherited; ++inherited) {
        const std::string_view entry(*inherited);
        const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const std::string& v) {
            return entry.substr(0, entry.find('=')) == std::string_view(v).substr(0, v.find('='));
        });
        if (!replaced) all.push_back(*inherited);
    }
    all.push_back(nullptr);
    return all;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const std::vector<std::pair<int, int>>& descriptors,
                           const std::vector<std::string>& variables, bool whole)
    : whole_(whole) {
    std::vector<char*> list;
    for (const std::string& a : arguments) list.push_back(const_cast<char*>(a.c_str()));
    list.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const auto& [here, there] : descriptors) posix_spawn_file_actions_adddup2(&actions, here, there);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    const int group = whole ? POSIX_SPAWN_SETPGROUP : 0;  // one of its own
    posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
    const int error = posix_spawnp(&id_, list.front(), &actions, &attributes, list.data(), environmentWith(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        id_ = -1;
        throw Error(ErrorCode::unavailable, "Cannot start '" + arguments.front() + "'", std::strerror(error));
    }
}

ChildProcess::~ChildProcess() {
    if (id_ < 0 || status_) return;
    kill();
    (void)wait();
}

void ChildProcess::kill() const {
    if (id_ > 0 && !status_) ::kill(whole_ ? -id_ : id_, SIGKILL);
}

int ChildProcess::wait() {
    if (status_) return *status_;
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
    status_ = status;
    return status;
}

bool ChildProcess::hasEnded() {
    int status = 0;
    if (!status_ && waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    return status_.has_value();
}

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin"; !rest.empty();) {
        const auto colon = rest.find(':');
        const std::string file = std::string(rest.substr(0, colon)) + "/" + name;
        if (::access(file.c_str(), X_OK) == 0) return file;
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return {};
}

}  // namespace parallax::user
