// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kernel_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"
#include "core/image/host/processors.hpp"
#include "core/image/texts.hpp"

namespace parallax::user {
namespace {

constexpr const char* kHost = "parallax-kernel-host";

[[noreturn]] void failWithErrno(const char* what) { throw Error(ErrorCode::failed, what, std::strerror(errno)); }

/// "7 samples", or bytes if it is no multiple of a sample.
std::string distanceText(std::int64_t bytes) {
    constexpr std::int64_t kSample = 4;
    return bytes % kSample == 0 ? counted(bytes / kSample, "sample") : counted(bytes, "byte");
}

}  // namespace

std::string kernelHostProgram() {
    if (const char* chosen = std::getenv("PARALLAX_KERNEL_HOST"); chosen && *chosen) return chosen;
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    std::string beside = (self.parent_path() / kHost).string();
    if (!error && std::filesystem::exists(beside, error)) return beside;
    if (std::string found = findProgram(kHost); !found.empty()) return found;
    throw Error(ErrorCode::unavailable, "Kernels cannot run", "the program " + std::string(kHost) + " is not beside this one",
                "Install Parallax again, or name it in PARALLAX_KERNEL_HOST");
}

struct KernelProcess::Staging {
    Staging() : file(memfd_create("parallax-samples", MFD_CLOEXEC)) {
        if (!file || ftruncate(file.number(), kStagingBytes) != 0) failWithErrno("Cannot share memory with the kernel");
        void* p = mmap(nullptr, kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
        if (p == MAP_FAILED) failWithErrno("Cannot share memory with the kernel");
        data = static_cast<std::byte*>(p);
    }
    ~Staging() { munmap(data, kStagingBytes); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    OwnedDescriptor file;
    std::byte* data = nullptr;
};

OwnedDescriptor fileInMemory(const void* bytes, std::size_t count) {
    OwnedDescriptor file(memfd_create("parallax-parameters", MFD_CLOEXEC));
    if (!file || pwrite(file.number(), bytes, count, 0) != static_cast<ssize_t>(count))
        failWithErrno("Cannot share memory with the kernel");
    return file;
}

KernelProcess::KernelProcess(double limitSeconds, int device, std::shared_ptr<const Sanitizer> sanitizer)
    : staging_(std::make_shared<Staging>()), limit_(limitSeconds), device_(device) {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) failWithErrno("Cannot start a process for kernels");
    socket_ = OwnedDescriptor(ends[0]);
    const OwnedDescriptor theirs(ends[1]);
    // The driver of CUDA reserves more addresses than there is memory: no limit for its process.
    const std::uint64_t memory = device == kHostDevice ? hostDevice().memoryFree / 4 * 3 : 0;
    std::vector<std::string> arguments{kernelHostProgram(), std::to_string(memory), std::to_string(device)}, variables;
    if (sanitizer) {
        reports_ = std::make_unique<SanitizerReports>(std::move(sanitizer));
        arguments = reports_->command(std::move(arguments));
        variables = reports_->environment(memory);
        if (device == kHostDevice) arguments.emplace_back(kSanitized);
    }
    processors_ = usableProcessors();
    child_ = std::make_unique<ChildProcess>(arguments, std::vector<std::pair<int, int>>{{theirs.number(), kSocket}}, variables);
    running_ = true;
    (void)call({.request = Request::staging}, kHost, {}, staging_->file.number());
}

Reply KernelProcess::call(const Message& message, const std::string& name, const std::stop_token& stop, int descriptor) {
    if (!running_) end(name, "its process has ended");
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    iovec part{const_cast<Message*>(&message), sizeof message};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (descriptor >= 0) {
        header.msg_control = control.data();
        header.msg_controllen = control.size();
        cmsghdr* c = CMSG_FIRSTHDR(&header);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(c), &descriptor, sizeof descriptor);
    }
    if (sendmsg(socket_.number(), &header, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof message)) end(name, howItEnded());
    const auto begin = std::chrono::steady_clock::now();
    Reply reply;
    for (bool ended = false;; ended = child_->hasEnded()) {
        pollfd ready{socket_.number(), POLLIN, 0};
        if (poll(&ready, 1, ended ? 0 : 50) > 0) {
            const ssize_t got = recv(socket_.number(), &reply, sizeof reply, 0);
            if (got < 0 && errno == EINTR) continue;
            if (got != static_cast<ssize_t>(sizeof reply)) end(name, howItEnded());
            break;
        }
        if (ended) end(name, howItEnded());  // a program that it started may hold the socket
        if (stop.stop_requested()) {
            running_ = false;
            child_->kill();
            throw Error(ErrorCode::cancelled, "Cancelled");
        }
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > limit_) {
            child_->kill();
            end(name, "it did not return within " + toText(ParameterValue(limit_)) + " s",
                "Look for a loop without an end, or raise the limit (--limit)");
        }
    }
    if (reply.answer == Answer::fault) explainFault(reply, name);
    reply.text[sizeof reply.text - 1] = 0;
    if (reply.answer == Answer::ended) end(name, reply.text);
    if (reply.answer == Answer::failed) throw Error(ErrorCode::failed, "The kernel '" + name + "' failed", reply.text);
    return reply;
}

bool KernelProcess::running() {
    running_ = running_ && !child_->hasEnded();
    return running_;
}

void KernelProcess::end(const std::string& name, const std::string& why, const std::string& advice) {
    running_ = false;
    if (reports_) {
        (void)child_->wait();
        if (const std::string found = reports_->finding(); !found.empty())
            throw Error(ErrorCode::failed, "The kernel '" + name + "' failed", found);
    }
    throw Error(ErrorCode::failed, "The kernel '" + name + "' failed", why, advice);
}

std::string KernelProcess::howItEnded() {
    const int status = child_->wait();
    if (WIFEXITED(status)) return "it ended its process by exit(" + std::to_string(WEXITSTATUS(status)) + ")";
    if (!WIFSIGNALED(status)) return "its process ended";
    const std::string ended = "its process was ended by signal " + std::to_string(WTERMSIG(status));
    return WTERMSIG(status) == SIGKILL ? ended + ", as the system does when memory runs out" : ended;
}

void KernelProcess::explainFault(const Reply& reply, const std::string& name) {
    const auto signal = static_cast<int>(reply.values[0]);
    const auto place = static_cast<Place>(reply.values[1]);
    const bool writes = reply.values[4] != 0;
    const std::string verb = writes ? "it wrote " : "it read ";
    (void)child_->wait();
    switch (signal) {
        case SIGFPE: end(name, "it divided a whole number by zero");
        case SIGILL: end(name, "it has an instruction that this processor does not know", "Compile it with -march=native");
        case SIGABRT: end(name, "it ended itself by abort(), as after an exception in a parallel loop");
        default: break;
    }
    switch (place) {
        case Place::null: end(name, verb + "through a null pointer");
        case Place::nullOfMalloc:
            end(name, verb + "through a null pointer after memory had run out, where malloc() returns null",
                "Allocate less, or free() what you allocate");
        case Place::before: end(name, verb + distanceText(reply.values[3]) + " before the first sample of an image");
        case Place::beyond: end(name, verb + distanceText(reply.values[3] + 4) + " beyond the last sample of an image");
        case Place::input: end(name, "it wrote to its input, which is not to be changed");
        case Place::stack:
            end(name, "its stack overflowed, as by a large array or endless recursion",
                "Keep large arrays in the workspace, which parallax_workspace() asks for");
        case Place::unknown: break;
    }
    end(name, "it used an address that is not in its memory");
}

void KernelProcess::followCaller() {
    std::vector<int> processors = usableProcessors();
    if (processors == processors_) return;
    rebindThreads(child_->id(), processors_, processors);
    processors_ = std::move(processors);
}

void KernelProcess::write(std::int64_t block, const std::byte* from, std::size_t bytes, const std::stop_token& stop) {
    for (std::size_t at = 0; at < bytes; at += static_cast<std::size_t>(kStagingBytes)) {
        const std::size_t count = std::min(bytes - at, static_cast<std::size_t>(kStagingBytes));
        std::memcpy(staging_->data, from + at, count);
        (void)call({.request = Request::write, .values = {block, static_cast<std::int64_t>(at), static_cast<std::int64_t>(count)}}, kHost,
                   stop);
    }
}

void KernelProcess::read(std::int64_t block, std::byte* to, std::size_t bytes, const std::stop_token& stop) {
    for (std::size_t at = 0; at < bytes; at += static_cast<std::size_t>(kStagingBytes)) {
        const std::size_t count = std::min(bytes - at, static_cast<std::size_t>(kStagingBytes));
        (void)call({.request = Request::read, .values = {block, static_cast<std::int64_t>(at), static_cast<std::int64_t>(count)}}, kHost,
                   stop);
        std::memcpy(to + at, staging_->data, count);
    }
}

}  // namespace parallax::user
