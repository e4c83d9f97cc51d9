// SPDX-License-Identifier: GPL-3.0-or-later
// parallax-kernel-host: runs kernels that users wrote, in a process of its own, so that a crash ends this program alone. It is started by
// the backends `user` and `user-cuda` (core/kernels) and ends with it. It compiles kernels in CUDA, too. Standard library only.
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
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "app/kernel_host/address_sanitizer.hpp"
#include "app/kernel_host/cuda/driver.hpp"
#include "app/kernel_host/cuda/host.hpp"
#include "app/kernel_host/cuda/nvrtc.hpp"
#include "app/kernel_host/messages.hpp"
#include "core/kernels/random_stack.hpp"

namespace parallax::user {
namespace {

constexpr std::size_t kPage = 4096, kHugePage = std::size_t{2} << 20;
constexpr std::size_t kGuard = std::size_t{64} << 20;  // of address space, to either side of a block

/// Samples between pages without access.
class Block {
public:
    /// At the end, reading beyond the samples is a fault, but for less than 64 bytes. At the beginning of a page, samples lie as in buffers
    /// of every other backend, so that times compare: loads wait for stores with the same last 12 bits of their address.
    enum class Position { end, begin };

    Block(std::size_t bytes, Position position) : bytes_(bytes) {
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
        if (bytes >= 2 * kHugePage) madvise(begin, body, MADV_HUGEPAGE);  // as for buffers of every other backend
        body_ = data_ = begin;
        moveTo(position);
        poisonAround();
    }
    ~Block() {
        addressSanitizer.open(body_ - kClosed, end() + kClosed);
        munmap(base_, mapped_);
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    std::byte* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    float* samples() const { return reinterpret_cast<float*>(data_); }
    /// Moves the samples there.
    void moveTo(Position position) {
        const std::size_t room = roundedUp(bytes_, kPage) - bytes_;
        std::byte* const to = position == Position::end ? body_ + room / kAlignment * kAlignment : body_;
        if (to == data_) return;
        addressSanitizer.open(body_, end());  // memmove() is watched, too
        std::memmove(to, data_, bytes_);
        data_ = to;
        poisonAround();
    }
    /// Whether nothing was written around the samples, in their first and last page.
    bool isIntact() const {
        if (addressSanitizer.found()) return true;  // it has found what was written there, and lets no one read it
        return isPoison(body_, data_) && isPoison(data_ + bytes_, end());
    }
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
    static constexpr std::size_t kClosed = std::size_t{1} << 20;  // of the guards; what is farther away is a fault all the same
    std::byte* end() const { return body_ + roundedUp(bytes_, kPage); }
    /// Reading what lies around the samples shows.
    void poisonAround() const {
        addressSanitizer.open(body_, end());
        fill(body_, data_);
        fill(data_ + bytes_, end());
        addressSanitizer.close(body_ - kClosed, data_);
        addressSanitizer.close(data_ + bytes_, end() + kClosed);
    }
    static bool isPoison(const std::byte* begin, const std::byte* end) {
        for (; begin + sizeof kPoison <= end; begin += sizeof kPoison)
            if (std::memcmp(begin, &kPoison, sizeof kPoison) != 0) return false;
        return true;
    }
    static void fill(std::byte* begin, std::byte* end) {
        for (; begin + sizeof kPoison <= end; begin += sizeof kPoison) std::memcpy(begin, &kPoison, sizeof kPoison);
    }
    std::byte *base_ = nullptr, *body_ = nullptr, *data_ = nullptr;
    std::size_t bytes_, mapped_ = 0;
};

/// A kernel and what it was prepared for.
struct Slot {
    LibraryEntries entries;
    std::unique_ptr<UnpackedParameters> parameters;
    std::unique_ptr<Block> workspace;
    Described problem;
};

std::map<std::int64_t, std::unique_ptr<Block>> blocks;
std::map<std::int64_t, Slot> slots;
std::byte* staging = nullptr;
const Block* input = nullptr;  // of the run

void answer(const Reply& reply) { (void)!send(kSocket, &reply, sizeof reply, MSG_NOSIGNAL); }

/// Says where the illegal address is, and ends.
void onFault(int signal, siginfo_t* info, void* state) {
    Reply reply;
    const bool memoryRanOut = errno == ENOMEM;  // as malloc() of this thread says
    reply.answer = Answer::fault;
    reply.values[0] = signal;
    bool writes = false;
    std::intptr_t stack = 0;
#if defined(__x86_64__)
    writes = (static_cast<const ucontext_t*>(state)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
    stack = static_cast<const ucontext_t*>(state)->uc_mcontext.gregs[REG_RSP];
#else
    (void)state;
#endif
    reply.values[4] = writes;
    if (signal == SIGSEGV || signal == SIGBUS) {
        const auto* address = static_cast<const std::byte*>(info->si_addr);
        // The kernel gives no address where it is no valid one at all.
        if (info->si_code != SI_KERNEL && reinterpret_cast<std::uintptr_t>(address) < (std::uintptr_t{1} << 16))
            reply.values[1] = static_cast<std::int64_t>(memoryRanOut ? Place::nullOfMalloc : Place::null);
        constexpr std::intptr_t kFrame = 64 << 10;
        if (stack != 0 && info->si_code != SI_KERNEL && std::abs(reinterpret_cast<std::intptr_t>(address) - stack) < kFrame)
            reply.values[1] = static_cast<std::int64_t>(Place::stack);
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

Reply load(const Message& m, const Descriptor& file) {
    Slot& slot = slots[m.values[0]];
    slot.entries.load(file);
    addressSanitizer.shareReports();
    Reply reply;
    reply.values[0] = slot.entries.refuses != nullptr;
    return reply;
}

/// Sets shapes, parameters and context.
Slot& described(const Message& m, const Descriptor& file) {
    Slot& slot = slotOf(m);
    slot.parameters = std::make_unique<UnpackedParameters>(file);
    slot.problem = Described(m, *slot.parameters);
    return slot;
}

Reply refuses(const Message& m, const Descriptor& file) {
    const Slot& slot = described(m, file);
    Reply reply;
    if (slot.entries.refuses)
        if (const char* why = slot.entries.refuses(&slot.problem.in, slot.parameters->get()))
            std::snprintf(reply.text, sizeof reply.text, "%s", why);
    return reply;
}

Reply prepare(const Message& m, const Descriptor& file) {
    Slot& slot = described(m, file);
    Described& problem = slot.problem;
    slot.workspace.reset();
    if (slot.entries.workspaceBytes) {
        const std::int64_t bytes = slot.entries.workspaceBytes(&problem.in, slot.parameters->get(), &problem.context);
        if (bytes < 0) throw std::runtime_error("parallax_workspace() returned " + std::to_string(bytes));
        if (bytes > 0) slot.workspace = std::make_unique<Block>(static_cast<std::size_t>(bytes), Block::Position::begin);
    }
    problem.context.workspace = slot.workspace ? slot.workspace->data() : nullptr;
    if (slot.entries.prepare) slot.entries.prepare(&problem.in, slot.parameters->get(), &problem.context);
    return {};
}

Reply run(const Message& m) {
    Slot& slot = slotOf(m);
    if (!slot.parameters) throw std::runtime_error("the kernel is not prepared");
    Block &from = blockOf(m.values[1]), &to = blockOf(m.values[2]);
    const bool checked = m.values[3] != 0;
    for (Block* block : {&from, &to}) block->moveTo(checked ? Block::Position::end : Block::Position::begin);
    Described& problem = slot.problem;
    problem.in.data = from.samples();
    problem.out.data = to.samples();
    input = &from;
    const struct AfterRun {  // kernels may throw
        const Block* isProtected;
        ~AfterRun() {
            if (isProtected) isProtected->protect(false);
            input = nullptr;
        }
    } afterRun{checked ? &from : nullptr};
    if (checked) {
        from.protect(true);
        to.poison();
    }
    Reply reply;
    static RandomStack stack(1);
    for (std::int64_t runs = m.values[4] != 0 ? 2 : 1; runs > 0; --runs)
        stack.call([&] {
            reply.values[0] = monotonicNow();
            slot.entries.kernel(&problem.in, &problem.out, slot.parameters->get(), &problem.context);
            reply.values[1] = monotonicNow();
        });
    if (checked) {
        if (slot.workspace && !slot.workspace->isIntact())
            throw std::runtime_error("it wrote beyond the " + std::to_string(slot.workspace->bytes()) + " bytes of its workspace");
        if (!to.isIntact()) throw std::runtime_error("it wrote a few samples before the first or beyond the last one of an image");
        reply.values[2] = countPoison(to.samples(), static_cast<std::int64_t>(to.bytes() / sizeof(float)), reply.values[3]);
    }
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
    errno = 0;  // for onFault()
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
        case Request::allocate:
            blocks[m.values[0]] = std::make_unique<Block>(static_cast<std::size_t>(m.values[1]), Block::Position::end);
            break;
        case Request::release: blocks.erase(m.values[0]); break;
        case Request::write: std::memcpy(at(m), staging, static_cast<std::size_t>(m.values[2])); break;
        case Request::read: std::memcpy(staging, at(m), static_cast<std::size_t>(m.values[2])); break;
        case Request::prepare: return prepare(m, file);
        case Request::refuses: return refuses(m, file);
        case Request::run: return run(m);
        case Request::plan:
        case Request::functions: throw std::runtime_error("a message is wrong");
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

/// Ends this program with the one that started it, even if a kernel does not return. `grace`: seconds in which main() may return first, as
/// tools that watch a device need.
void watchOtherEnd(unsigned grace) {
    std::thread([grace] {
        pollfd socket{kSocket, POLLRDHUP, 0};
        while (poll(&socket, 1, -1) < 0 || (socket.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) {}
        sleep(grace);
        _exit(0);
    }).detach();
}

int hostKernels(const char* memory, int device, bool sanitized) {
    // Prints of a kernel must not mix with results on standard output.
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const rlimit core{0, 0};
    setrlimit(RLIMIT_CORE, &core);
    const rlim_t bytes = std::strtoull(memory, nullptr, 10);
    const rlimit data{bytes, bytes};
    if (sanitized) addressSanitizer.find();
        // A sanitizer, also one in this program itself, maps more than there is.
#if defined(__SANITIZE_ADDRESS__)
    constexpr bool kInstrumented = true;
#else
    constexpr bool kInstrumented = false;
#endif
    if (bytes > 0 && !sanitized && !kInstrumented) setrlimit(RLIMIT_DATA, &data);
    if (!addressSanitizer.found()) catchFaults();
    signal(SIGINT, SIG_IGN);  // of the terminal: the program that started this one decides
    watchOtherEnd(device >= 0 ? 1 : 0);
    const std::unique_ptr<CudaHost> cuda = device >= 0 ? std::make_unique<CudaHost>(device) : nullptr;
    Message m;
    for (int number = -1; receive(m, number);) {
        const Descriptor file(number);
        Reply reply;
        try {
            reply = cuda ? cuda->serve(m, file) : serve(m, file);
        } catch (const DeviceEnded& e) {
            reply.answer = Answer::ended;
            std::snprintf(reply.text, sizeof reply.text, "%s", e.what());
            answer(reply);
            _exit(1);  // the context does not answer any more
        } catch (const std::exception& e) {
            reply.answer = Answer::failed;
            std::snprintf(reply.text, sizeof reply.text, "%s", e.what());
        } catch (...) {
            reply.answer = Answer::failed;
            std::snprintf(reply.text, sizeof reply.text, "it threw something that is not a std::exception");
        }
        answer(reply);
        if (cuda && m.request == Request::staging) cuda->openAhead();
    }
    return 0;
}

}  // namespace
}  // namespace parallax::user

int main(int argc, char** argv) {
    using namespace parallax::user;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments[0] == "--devices") return printDevices();
    if (arguments.size() > 3 && arguments[0] == "--nvrtc")
        return compileByNvrtc({arguments[1], arguments[2], arguments[3], {arguments.begin() + 4, arguments.end()}});
    struct stat info {};
    const bool sanitized = arguments.size() == 3 && arguments[2] == kSanitized;
    if ((arguments.size() != 2 && !sanitized) || fstat(kSocket, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        std::fputs("parallax-kernel-host runs kernels for Parallax, which starts it. See 'parallax-cli kernel --help'.\n", stderr);
        return 2;
    }
    return hostKernels(argv[1], std::atoi(argv[2]), sanitized);
}
