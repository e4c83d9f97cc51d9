// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/tool_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "core/image/error.hpp"

namespace parallax::user {

namespace fs = std::filesystem;

PrivateFolder::PrivateFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string name = (parent / "parallax-kernel-XXXXXX").string();
    if (error || !mkdtemp(name.data())) {
        const char* variable = std::getenv("TMPDIR");
        throw Error(ErrorCode::output, "Cannot make a folder in '" + (error && variable ? variable : parent.string()) + "'",
                    error ? error.message() : std::strerror(errno), "Name another one in TMPDIR");
    }
    path_ = name;
}

PrivateFolder::~PrivateFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

void writeText(const std::string& path, std::string_view text) {
    std::ofstream file(path);
    file << text;
    if (!file.flush()) throw Error(ErrorCode::output, "Cannot write '" + path + "'", std::strerror(errno), "Free some space");
}

int Finished::exitCode() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

Finished runToEnd(const std::vector<std::string>& arguments, const std::stop_token& stop, const std::vector<std::string>& variables) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorCode::failed, "Cannot start '" + arguments.front() + "'", std::strerror(errno));
    const OwnedDescriptor reading(ends[0]);
    constexpr std::size_t kLongestMessages = 32 << 10;
    Finished finished;
    OwnedDescriptor writing(ends[1]);
    ChildProcess child(arguments, {{writing.number(), STDOUT_FILENO}, {writing.number(), STDERR_FILENO}}, variables, true);
    writing = OwnedDescriptor();
    for (char buffer[4096];;) {
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        pollfd ready{reading.number(), POLLIN, 0};
        if (poll(&ready, 1, 50) <= 0) continue;
        const ssize_t got = ::read(reading.number(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        const std::size_t room = kLongestMessages - std::min(kLongestMessages, finished.output.size());
        finished.output.append(buffer, std::min(static_cast<std::size_t>(got), room));
    }
    finished.status = child.wait();
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");  // a signal may have ended it, too
    return finished;
}

OwnedDescriptor openedFile(const std::string& path) {
    OwnedDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) throw Error(ErrorCode::failed, "Cannot open '" + path + "'", std::strerror(errno));
    return file;
}

}  // namespace parallax::user
