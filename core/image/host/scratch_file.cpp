// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/host/scratch_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr const char* kOtherFolder = "Free some disk space, or choose another folder with --scratch or PARALLAX_SCRATCH";
constexpr const char* kRaiseLimit = "Raise the limit, or use a smaller image";

bool isInMemory(const std::string& folder) {
    struct statfs system {};
    if (::statfs(folder.c_str(), &system) != 0) return false;
    const auto type = static_cast<unsigned long>(system.f_type);
    return type == TMPFS_MAGIC || type == RAMFS_MAGIC;
}

/// Returns the descriptor of a new file without a name, or -1 with errno.
int openUnnamed(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    // Some file systems have no files without a name.
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
    std::string name = folder + "/.parallax-scratch-XXXXXX";
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) ::unlink(name.c_str());
    return named;
}

[[noreturn]] void fail(const std::string& folder, std::size_t bytes, const std::string& why, const char* advice = kOtherFolder) {
    throw Error(ErrorCode::memory, "Not enough memory",
                "a scratch file of " + std::to_string(bytes >> 20) + " MiB in '" + folder + "' is not possible: " + why, advice);
}

/// Limit of this process on the size of a file (ulimit -f), beyond which it would get a signal.
std::uint64_t largestFile() {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
                                                                                   : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

std::string defaultScratchFolder() {
    if (const char* const chosen = std::getenv("PARALLAX_SCRATCH"); chosen && *chosen) return chosen;
    if (const char* const temporary = std::getenv("TMPDIR"); temporary && *temporary && lookAtScratchFolder(temporary)) return temporary;
    return "/var/tmp";
}

ScratchSpace lookAtScratchFolder(const std::string& folder) {
    if (folder == kNoScratch) return {{}, 0, "scratch files are switched off"};
    const auto refused = [&](const std::string& why) { return ScratchSpace{folder, 0, "the scratch folder '" + folder + "' " + why}; };
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0)
        return refused(errno == ENOENT ? "does not exist" : std::string("cannot be used: ") + std::strerror(errno));
    if (!S_ISDIR(info.st_mode)) return refused("is not a folder");
    if (::access(folder.c_str(), W_OK | X_OK) != 0) return refused(std::string("cannot be written: ") + std::strerror(errno));
    if (isInMemory(folder)) return refused("is in memory itself (tmpfs)");
    struct statvfs disk {};
    if (::statvfs(folder.c_str(), &disk) != 0) return refused(std::string("cannot be used: ") + std::strerror(errno));
    const std::uint64_t block = disk.f_frsize, kept = std::min(disk.f_blocks * block / 50, std::uint64_t{1} << 30);
    const std::uint64_t available = disk.f_bavail * block;
    return {folder, available > kept ? available - kept : 0};
}

void* mapScratchFile(const std::string& folder, std::size_t bytes) {
    if (bytes > largestFile())
        fail(folder, bytes, "files of this process are limited to " + std::to_string(largestFile() >> 20) + " MiB (ulimit -f)",
             kRaiseLimit);
    const int file = openUnnamed(folder);
    if (file < 0) fail(folder, bytes, std::strerror(errno));
    int error = 0;
    do error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    while (error == EINTR);
    void* const p = error == 0 ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (error == 0 && p == MAP_FAILED) error = errno;
    ::close(file);  // the mapping keeps the file
    if (error == ENOMEM) fail(folder, bytes, "the address space is used up (ulimit -v)", kRaiseLimit);
    if (error != 0) fail(folder, bytes, std::strerror(error));
    return p;
}

void unmapScratchFile(void* p, std::size_t bytes) noexcept { ::munmap(p, bytes); }

}  // namespace parallax
