// SPDX-License-Identifier: GPL-3.0-or-later
// parallax-kernel-host: runs kernels that users wrote, in a process of its own, so that a crash ends this program alone. It is started by
// the backend `user` (core/kernels) and ends with it. Standard library only.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/kernels/parallax_kernel.h"
#include "core/kernels/protocol.hpp"

namespace parallax::user {
namespace {

constexpr std::size_t kPage = 4096, kHugePage = std::size_t{2} << 20, kAlignment = 64;
constexpr std::size_t kGuard = std::size_t{64} << 20;  // of address space, to either side of a block
constexpr std::uint32_t kPoison = 0x7fa1b2c3;          // a NaN that no arithmetic makes

using Parameters = const void*;
using KernelFunction = void (*)(const parallax_input*, const parallax_output*, Parameters, const parallax_context*);
using RefusesFunction = const char* (*)(const parallax_input*, Parameters);
using WorkspaceFunction = std::int64_t (*)(const parallax_input*, Parameters, const parallax_context*);
using PrepareFunction = void (*)(const parallax_input*, Parameters, const parallax_context*);

std::size_t roundedUp(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// Samples that end at a page without access, but for less than 64 bytes.
class Block {
public:
    explicit Block(std::size_t bytes) : bytes_(bytes) {
        const std::size_t body = roundedUp(bytes, kPage);
        mapped_ = body + 2 * kGuard + kHugePage;
        void* p = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) throw std::runtime_error("there is not enough memory");
        base_ = static_cast<std::byte*>(p);
        const auto first = reinterpret_cast<std::uintptr_t>(base_) + kGuard;
        std::byte* begin = base_ + kGuard + (roundedUp(first, kHugePage) - first);
        if (mprotect(begin, body, PROT_READ | PROT_WRITE) != 0) {
            munmap(base_, mapped_);
            throw std::runtime_error("there is not enough memory");
        }
        madvise(begin, body, MADV_HUGEPAGE);
        body_ = begin;
        data_ = begin + (body - bytes) / kAlignment * kAlignment;
        // What lies around the samples is poison, so that reading it shows.
        fill(begin, data_);
        fill(data_ + bytes_, begin + body);
    }
    ~Block() { munmap(base_, mapped_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    std::byte* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    float* samples() const { return reinterpret_cast<float*>(data_); }
    /// Protects the samples from being written, or no longer.
    void protect(bool on) const { mprotect(body_, roundedUp(bytes_, kPage), on ? PROT_READ : PROT_READ | PROT_WRITE); }
    void poison() const { fill(data_, data_ + bytes_); }
    /// Where an address is: `distance` in bytes from the end of the samples, from their beginning, or into them. For signal handlers.
    Place place(const std::byte* address, std::int64_t& distance) const {
        if (address < base_ || address >= base_ + mapped_) return Place::unknown;
        if (address < data_) {
            distance = data_ - address;
            return Place::before;
        }
        distance = address - data_;
        if (address < data_ + bytes_) return Place::input;
        distance -= static_cast<std::int64_t>(bytes_);
        return Place::beyond;
    }

private:
    static void fill(std::byte* begin, std::byte* end) {
        for (; begin + sizeof kPoison <= end; begin += sizeof kPoison) std::memcpy(begin, &kPoison, sizeof kPoison);
    }
    std::byte *base_ = nullptr, *body_ = nullptr, *data_ = nullptr;
    std::size_t bytes_, mapped_ = 0;
};

/// A file descriptor that came with a message.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    std::size_t size() const {
        struct stat info {};
        if (fstat(number_, &info) != 0 || info.st_size <= 0) throw std::runtime_error("a message has no data");
        return static_cast<std::size_t>(info.st_size);
    }

private:
    int number_;
};

/// The bytes of PackedParameters, with its pointers in place.
class UnpackedParameters {
public:
    explicit UnpackedParameters(const Descriptor& file) : bytes_(roundedUp(file.size(), kAlignment) / sizeof(std::uint64_t)) {
        const std::size_t size = file.size();
        if (pread(file.number(), bytes_.data(), size, 0) != static_cast<ssize_t>(size))
            throw std::runtime_error("the parameters are incomplete");
        const std::uint64_t words = bytes_[0], pointers = bytes_[1], data = bytes_[2];
        std::memcpy(spacing.data(), &bytes_[3], sizeof spacing);
        const std::size_t head = roundedUp((kHead + words + pointers) * sizeof(std::uint64_t), kAlignment);
        if (head + data > size) throw std::runtime_error("the parameters are incomplete");
        // A copy, since the workspace of a vector is aligned to 16 bytes only.
        const std::size_t all = roundedUp(head + data, kAlignment);
        aligned_ = static_cast<std::byte*>(std::aligned_alloc(kAlignment, all));
        if (!aligned_) throw std::runtime_error("there is not enough memory");
        std::memcpy(aligned_, bytes_.data(), head + data);
        auto* word = reinterpret_cast<std::uint64_t*>(aligned_);
        for (std::uint64_t i = 0; i < pointers; ++i) {
            std::uint64_t& pointer = word[kHead + word[kHead + words + i]];
            pointer = reinterpret_cast<std::uintptr_t>(aligned_ + head + pointer);
        }
    }
    ~UnpackedParameters() { std::free(aligned_); }
    UnpackedParameters(const UnpackedParameters&) = delete;
    UnpackedParameters& operator=(const UnpackedParameters&) = delete;
    Parameters get() const { return aligned_ + kHead * sizeof(std::uint64_t); }
    std::array<double, 3> spacing{};

private:
    static constexpr std::size_t kHead = 6;
    std::vector<std::uint64_t> bytes_;
    std::byte* aligned_ = nullptr;
};

/// A kernel and what it was prepared for.
struct Slot {
    void* library = nullptr;
    KernelFunction kernel = nullptr;
    RefusesFunction refuses = nullptr;
    WorkspaceFunction workspaceBytes = nullptr;
    PrepareFunction prepare = nullptr;
    std::unique_ptr<UnpackedParameters> parameters;
    std::unique_ptr<Block> workspace;
    parallax_input in{};
    parallax_output out{};
    parallax_context context{};
};

std::map<std::int64_t, std::unique_ptr<Block>> blocks;
std::map<std::int64_t, Slot> slots;
std::byte* staging = nullptr;
const Block* input = nullptr;  // of the run

void answer(const Reply& reply) { (void)!send(kSocket, &reply, sizeof reply, MSG_NOSIGNAL); }

/// Says where the illegal address is, and ends.
void onFault(int signal, siginfo_t* info, void* state) {
    Reply reply;
    reply.answer = Answer::fault;
    reply.values[0] = signal;
    bool writes = false;
#if defined(__x86_64__)
    writes = (static_cast<const ucontext_t*>(state)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)state;
#endif
    reply.values[4] = writes;
    if (signal == SIGSEGV || signal == SIGBUS) {
        const auto* address = static_cast<const std::byte*>(info->si_addr);
        // The kernel gives no address where it is no valid one at all.
        if (info->si_code != SI_KERNEL && reinterpret_cast<std::uintptr_t>(address) < (std::uintptr_t{1} << 16))
            reply.values[1] = static_cast<std::int64_t>(Place::null);
        for (const auto& [id, block] : blocks) {
            std::int64_t distance = 0;
            const Place place = block->place(address, distance);
            if (place == Place::unknown || (place == Place::input && block.get() != input)) continue;
            reply.values[1] = static_cast<std::int64_t>(place);
            reply.values[2] = id;
            reply.values[3] = distance;
        }
    }
    answer(reply);
    _exit(128 + signal);
}

void catchFaults() {
    static std::array<std::byte, 64 << 10> stack;
    stack_t alternative{};
    alternative.ss_sp = stack.data();
    alternative.ss_size = stack.size();
    sigaltstack(&alternative, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
    signal(SIGINT, SIG_IGN);  // of the terminal: the program that started this one decides
}

Slot& slotOf(const Message& m) {
    const auto at = slots.find(m.values[0]);
    if (at == slots.end()) throw std::runtime_error("no kernel is loaded");
    return at->second;
}

Block& blockOf(std::int64_t id) {
    const auto at = blocks.find(id);
    if (at == blocks.end()) throw std::runtime_error("a block of memory is missing");
    return *at->second;
}

template <class Function>
Function entry(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

Reply load(const Message& m, const Descriptor& file) {
    Slot& slot = slots[m.values[0]];
    const std::string path = "/proc/self/fd/" + std::to_string(file.number());
    slot.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!slot.library) {
        const char* why = dlerror();
        throw std::runtime_error(why ? why : "it cannot be loaded");
    }
    slot.kernel = entry<KernelFunction>(slot.library, "parallax_kernel");
    if (!slot.kernel) throw std::runtime_error("it has no function parallax_kernel()");
    slot.refuses = entry<RefusesFunction>(slot.library, "parallax_refuses");
    slot.workspaceBytes = entry<WorkspaceFunction>(slot.library, "parallax_workspace");
    slot.prepare = entry<PrepareFunction>(slot.library, "parallax_prepare");
    Reply reply;
    reply.values[0] = slot.refuses != nullptr;
    return reply;
}

/// Sets shapes, parameters and context. Blocks are dense.
Slot& described(const Message& m, const Descriptor& file) {
    Slot& slot = slotOf(m);
    slot.parameters = std::make_unique<UnpackedParameters>(file);
    slot.context = {};
    slot.context.threads = m.values[1];
    slot.context.alpha = m.values[2];
    std::memcpy(slot.context.spacing, slot.parameters->spacing.data(), sizeof slot.context.spacing);
    const std::int64_t* in = m.values + 3;
    const std::int64_t* out = m.values + 7;
    slot.in = {nullptr, in[0], in[1], in[2], in[3], in[0], in[0] * in[1], in[0] * in[1] * in[2]};
    slot.out = {nullptr, out[0], out[1], out[2], out[3], out[0], out[0] * out[1], out[0] * out[1] * out[2]};
    return slot;
}

Reply refuses(const Message& m, const Descriptor& file) {
    const Slot& slot = described(m, file);
    Reply reply;
    if (slot.refuses)
        if (const char* why = slot.refuses(&slot.in, slot.parameters->get())) std::snprintf(reply.text, sizeof reply.text, "%s", why);
    return reply;
}

Reply prepare(const Message& m, const Descriptor& file) {
    Slot& slot = described(m, file);
    slot.workspace.reset();
    if (slot.workspaceBytes) {
        const std::int64_t bytes = slot.workspaceBytes(&slot.in, slot.parameters->get(), &slot.context);
        if (bytes < 0) throw std::runtime_error("parallax_workspace() returned " + std::to_string(bytes));
        if (bytes > 0) slot.workspace = std::make_unique<Block>(static_cast<std::size_t>(bytes));
    }
    slot.context.workspace = slot.workspace ? slot.workspace->data() : nullptr;
    if (slot.prepare) slot.prepare(&slot.in, slot.parameters->get(), &slot.context);
    return {};
}

std::int64_t now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

Reply run(const Message& m) {
    Slot& slot = slotOf(m);
    if (!slot.parameters) throw std::runtime_error("the kernel is not prepared");
    const Block &from = blockOf(m.values[1]), &to = blockOf(m.values[2]);
    const bool checked = m.values[3] != 0;
    slot.in.data = from.samples();
    slot.out.data = to.samples();
    input = &from;
    if (checked) {
        from.protect(true);
        to.poison();
    }
    Reply reply;
    reply.values[0] = now();
    slot.kernel(&slot.in, &slot.out, slot.parameters->get(), &slot.context);
    reply.values[1] = now();
    if (checked) {
        from.protect(false);
        const std::int64_t samples = static_cast<std::int64_t>(to.bytes() / sizeof(float));
        for (std::int64_t i = samples - 1; i >= 0; --i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, to.samples() + i, sizeof bits);
            if (bits != kPoison) continue;
            ++reply.values[2];
            reply.values[3] = i;
        }
    }
    input = nullptr;
    return reply;
}

std::byte* at(const Message& m) {
    const Block& block = blockOf(m.values[0]);
    const auto offset = static_cast<std::size_t>(m.values[1]), bytes = static_cast<std::size_t>(m.values[2]);
    if (!staging || bytes > static_cast<std::size_t>(kStagingBytes) || offset > block.bytes() || bytes > block.bytes() - offset)
        throw std::runtime_error("a message is wrong");
    return block.data() + offset;
}

Reply serve(const Message& m, const Descriptor& file) {
    switch (m.request) {
        case Request::staging: {
            void* p = mmap(nullptr, kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
            if (p == MAP_FAILED) throw std::runtime_error("there is not enough memory");
            staging = static_cast<std::byte*>(p);
            break;
        }
        case Request::load: return load(m, file);
        case Request::forget:
            slots.clear();  // their libraries stay: threads of OpenMP may still be in them
            blocks.clear();
            break;
        case Request::allocate: blocks[m.values[0]] = std::make_unique<Block>(static_cast<std::size_t>(m.values[1])); break;
        case Request::release: blocks.erase(m.values[0]); break;
        case Request::write: std::memcpy(at(m), staging, static_cast<std::size_t>(m.values[2])); break;
        case Request::read: std::memcpy(staging, at(m), static_cast<std::size_t>(m.values[2])); break;
        case Request::prepare: return prepare(m, file);
        case Request::refuses: return refuses(m, file);
        case Request::run: return run(m);
    }
    return {};
}

/// The next message and the descriptor that came with it. False at the end.
bool receive(Message& m, int& descriptor) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    iovec part{&m, sizeof m};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    ssize_t got = 0;
    do got = recvmsg(kSocket, &header, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    descriptor = -1;
    if (const cmsghdr* c = CMSG_FIRSTHDR(&header); c && c->cmsg_type == SCM_RIGHTS)
        std::memcpy(&descriptor, CMSG_DATA(c), sizeof descriptor);
    return got == static_cast<ssize_t>(sizeof m);
}

/// Ends this program with the one that started it, even if a kernel does not return.
void watchOtherEnd() {
    std::thread([] {
        pollfd socket{kSocket, POLLRDHUP, 0};
        while (poll(&socket, 1, -1) < 0 || (socket.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) {}
        _exit(0);
    }).detach();
}

int hostKernels(const char* memory) {
    // Prints of a kernel must not mix with results on standard output.
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const rlimit core{0, 0};
    setrlimit(RLIMIT_CORE, &core);
    const rlim_t bytes = std::strtoull(memory, nullptr, 10);
    const rlimit data{bytes, bytes};
    if (bytes > 0) setrlimit(RLIMIT_DATA, &data);
    catchFaults();
    watchOtherEnd();
    Message m;
    for (int number = -1; receive(m, number);) {
        const Descriptor file(number);
        Reply reply;
        try {
            reply = serve(m, file);
        } catch (const std::exception& e) {
            reply.answer = Answer::failed;
            std::snprintf(reply.text, sizeof reply.text, "%s", e.what());
        } catch (...) {
            reply.answer = Answer::failed;
            std::snprintf(reply.text, sizeof reply.text, "it threw something that is not a std::exception");
        }
        answer(reply);
    }
    return 0;
}

}  // namespace
}  // namespace parallax::user

int main(int argc, char** argv) {
    struct stat info {};
    if (argc != 2 || fstat(parallax::user::kSocket, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        std::fputs("parallax-kernel-host runs kernels for Parallax, which starts it. See 'parallax-cli kernel --help'.\n", stderr);
        return 2;
    }
    return parallax::user::hostKernels(argv[1]);
}
