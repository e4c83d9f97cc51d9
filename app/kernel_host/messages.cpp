// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kernel_host/messages.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <utility>

namespace parallax::user {
namespace {

constexpr std::size_t kHead = 6;  // words before those of the struct

template <class Function>
Function entry(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}

std::size_t Descriptor::size() const {
    struct stat info {};
    if (fstat(number_, &info) != 0 || info.st_size <= 0) throw std::runtime_error("a message has no data");
    return static_cast<std::size_t>(info.st_size);
}

void Descriptor::read(void* to, std::size_t bytes) const {
    auto* at = static_cast<std::byte*>(to);
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t got = pread(number_, at + done, bytes - done, static_cast<off_t>(done));
        if (got <= 0) throw std::runtime_error("a message is incomplete");
        done += static_cast<std::size_t>(got);
    }
}

UnpackedParameters::UnpackedParameters(const Descriptor& file)
    : UnpackedParameters(file, [](const std::byte* data, std::size_t) { return reinterpret_cast<std::uintptr_t>(data); }) {}

UnpackedParameters::UnpackedParameters(const Descriptor& file, const Place& place) {
    const std::size_t size = file.size();
    if (size < kHead * sizeof(std::uint64_t)) throw std::runtime_error("the parameters are incomplete");
    aligned_ = static_cast<std::byte*>(std::aligned_alloc(kAlignment, roundedUp(size, kAlignment)));
    if (!aligned_) throw std::runtime_error("there is not enough memory");
    try {
        file.read(aligned_, size);
        auto* word = reinterpret_cast<std::uint64_t*>(aligned_);
        words_ = word[0];
        const std::uint64_t pointers = word[1];
        data_ = word[2];
        std::memcpy(spacing, &word[3], sizeof spacing);
        head_ = roundedUp((kHead + words_ + pointers) * sizeof(std::uint64_t), kAlignment);
        if (head_ + data_ > size) throw std::runtime_error("the parameters are incomplete");
        const std::uintptr_t base = data_ > 0 ? place(aligned_ + head_, data_) : 0;
        for (std::uint64_t i = 0; i < pointers; ++i) {
            const std::uint64_t at = word[kHead + words_ + i];
            offsets_.emplace_back(at, word[kHead + at]);
            word[kHead + at] += base;
        }
    } catch (...) {
        std::free(aligned_);
        throw;
    }
}

UnpackedParameters::~UnpackedParameters() { std::free(aligned_); }

Parameters UnpackedParameters::get() const { return aligned_ + kHead * sizeof(std::uint64_t); }

std::pair<const std::byte*, std::size_t> UnpackedParameters::target(std::size_t word) const {
    for (const auto& [at, offset] : offsets_)
        if (at == word) return {aligned_ + head_ + offset, data_ - offset};
    throw std::runtime_error("a message is wrong");
}

/// A descriptor of the same file that stays open, always the same one of a file. dlopen() knows libraries by their names: were the number
/// free again, the next library would get the name and so the code of this one. A sanitizer finds lines in it, too.
static int keptOpen(const Descriptor& file) {
    static std::map<std::pair<dev_t, ino_t>, int> kept;
    struct stat info {};
    if (fstat(file.number(), &info) != 0) throw std::runtime_error("a message has no data");
    const auto [at, isNew] = kept.emplace(std::pair(info.st_dev, info.st_ino), -1);
    if (isNew) at->second = fcntl(file.number(), F_DUPFD_CLOEXEC, 0);
    return at->second;
}

void LibraryEntries::load(const Descriptor& file) {
    // Not /proc/self: a program that looks up lines for a sanitizer opens it, too.
    const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(keptOpen(file));
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = dlerror();
        throw std::runtime_error(why ? why : "it cannot be loaded");
    }
    kernel = entry<KernelFunction>(library, "parallax_kernel");
    if (!kernel) throw std::runtime_error("it has no function parallax_kernel()");
    refuses = entry<RefusesFunction>(library, "parallax_refuses");
    workspaceBytes = entry<WorkspaceFunction>(library, "parallax_workspace");
    prepare = entry<PrepareFunction>(library, "parallax_prepare");
}

Described::Described(const Message& m, const UnpackedParameters& parameters) {
    context.threads = m.values[1];
    context.alpha = m.values[2];
    std::memcpy(context.spacing, parameters.spacing, sizeof context.spacing);
    const std::int64_t* i = m.values + 3;
    const std::int64_t* o = m.values + 7;
    in = {nullptr, i[0], i[1], i[2], i[3], i[0], i[0] * i[1], i[0] * i[1] * i[2]};
    out = {nullptr, o[0], o[1], o[2], o[3], o[0], o[0] * o[1], o[0] * o[1] * o[2]};
}

std::int64_t countPoison(const float* samples, std::int64_t count, std::int64_t& first) {
    std::int64_t poisoned = 0;
    for (std::int64_t i = count - 1; i >= 0; --i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, samples + i, sizeof bits);
        if (bits != kPoison) continue;
        ++poisoned;
        first = i;
    }
    return poisoned;
}

std::int64_t monotonicNow() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

}  // namespace parallax::user
