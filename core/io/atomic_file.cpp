// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why, const std::string& advice = {}) {
    throw Error(ErrorCode::output, "Cannot write '" + path + "'", why, advice);
}

[[noreturn]] void failWithErrno(const std::string& path, int number) {
    const bool full = number == ENOSPC || number == EDQUOT;
    fail(path, std::strerror(number), full ? "Free some space or choose another folder" : "Choose another folder");
}

constexpr char kExists[] = "it already exists", kExistsAdvice[] = "Choose another name, or replace it with --force";

/// Follows symbolic links to a file that need not exist, so that replacing it keeps the links.
fs::path behindLinks(fs::path path) {
    std::error_code error;
    for (int i = 0; i < 40 && fs::is_symlink(path, error); ++i) {
        const fs::path to = fs::read_symlink(path, error);
        if (error) break;
        path = to.is_absolute() ? to : path.parent_path() / to;
    }
    return path;
}

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

void checkWritable(const std::string& path, bool overwrite) {
    if (path.empty()) fail(path, "the name is empty");
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) fail(path, "it is a folder", "Give a file name");
        if (!S_ISREG(info.st_mode)) fail(path, "it is a device or a pipe, not an ordinary file", "Choose another name");
        if (!overwrite) fail(path, kExists, kExistsAdvice);
    } else if (errno != ENOENT && errno != ENOTDIR) {
        failWithErrno(path, errno);
    }
    const fs::path folder = folderOf(behindLinks(path));
    if (::stat(folder.c_str(), &info) != 0) fail(path, "the folder '" + folder.string() + "' does not exist", "Create it");
    if (!S_ISDIR(info.st_mode)) fail(path, "'" + folder.string() + "' is not a folder", "Choose another folder");
    if (::access(folder.c_str(), W_OK | X_OK) != 0) failWithErrno(path, errno);
}

AtomicFile::AtomicFile(std::string path, bool overwrite, Readers readers) : path_(std::move(path)), overwrite_(overwrite) {
    checkWritable(path_, overwrite);
    const fs::path target = behindLinks(path_);
    target_ = target.string();
    // In the same folder, since a rename is atomic within one file system only. The name is shortened, since that of the target may have
    // the maximum length.
    const std::string start = (folderOf(target) / ("." + target.filename().string().substr(0, 200))).string();
    static std::atomic<unsigned> serial{0};
    for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
        temporary_ = start + "." + std::to_string(::getpid()) + "-" + std::to_string(serial++) + ".tmp";
        // open applies the umask; mkstemp would make the file private.
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readers == Readers::owner ? 0600 : 0666);
        if (descriptor_ < 0 && errno != EEXIST) failWithErrno(path_, errno);
    }
    if (descriptor_ < 0) failWithErrno(path_, EEXIST);
    // A replaced file keeps its mode, unless it has another owner.
    struct stat info {};
    if (readers == Readers::standard && ::stat(target_.c_str(), &info) == 0) (void)!::fchmod(descriptor_, info.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::writeAt(std::uint64_t offset, const void* data, std::size_t bytes) {
    const char* p = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t n = ::pwrite(descriptor_, p, bytes, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            if (firstError_ == 0) firstError_ = errno;
            failWithErrno(path_, errno);
        }
        p += n;
        offset += static_cast<std::uint64_t>(n);
        end_ = std::max(end_, offset);
        bytes -= static_cast<std::size_t>(n);
    }
}

void AtomicFile::commit() {
    if (firstError_ != 0) failWithErrno(path_, firstError_);
    // Reports errors of delayed writes.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) failWithErrno(path_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) failWithErrno(path_, errno);
    if (overwrite_) {
        if (::rename(temporary_.c_str(), target_.c_str()) != 0) failWithErrno(path_, errno);
        committed_ = true;
        return;
    }
    // Unlike rename, link fails if the file was created meanwhile.
    if (::link(temporary_.c_str(), target_.c_str()) != 0) {
        if (errno == EEXIST) fail(path_, kExists, kExistsAdvice);
        if (::rename(temporary_.c_str(), target_.c_str()) != 0) failWithErrno(path_, errno);  // file systems without links
        committed_ = true;
    }  // else the destructor removes the temporary name
}

}  // namespace parallax
