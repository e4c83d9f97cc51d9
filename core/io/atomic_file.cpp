// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/atomic_folder.hpp"
#include "core/io/refuse.hpp"
#include "core/io/temporary_names.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why, const std::string& advice = {}) {
    throw Error(ErrorCode::output, "Cannot write '" + path + "'", why, advice);
}

[[noreturn]] void failWithErrno(const std::string& path, int number) { fail(path, std::strerror(number), adviceOnWriting(number)); }

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

constexpr int kAttempts = 100;

/// Names to remove when the process ends in the middle of writing.
class TemporaryNames {
public:
    static TemporaryNames& instance() {
        static auto* const names = new TemporaryNames;  // never destroyed, since other threads may write until the end
        return *names;
    }
    void add(const std::string& name) {
        const std::lock_guard lock(mutex_);
        names_.insert(name);
    }
    void remove(const std::string& name) {
        const std::lock_guard lock(mutex_);
        names_.erase(name);
    }
    void removeAll() {
        const std::lock_guard lock(mutex_);
        std::error_code ignored;
        for (const std::string& name : names_)
            if (::unlink(name.c_str()) != 0 && errno == EISDIR) fs::remove_all(name, ignored);
    }

private:
    std::mutex mutex_;
    std::set<std::string> names_;
};

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Writes both, one behind the other. Returns errno, or 0.
int writeBytes(int descriptor, std::uint64_t offset, std::string_view first, std::string_view second) {
    constexpr std::uint64_t kPiece = std::uint64_t{16} << 20;
    const std::uint64_t complete = offset / kPiece * kPiece;
    while (!first.empty() || !second.empty()) {
        const iovec both[] = {{const_cast<char*>(first.data()), first.size()}, {const_cast<char*>(second.data()), second.size()}};
        const ssize_t n = ::pwritev(descriptor, both, 2, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        const auto written = static_cast<std::size_t>(n), ofFirst = std::min(written, first.size());
        first.remove_prefix(ofFirst);
        second.remove_prefix(written - ofFirst);
        offset += written;
    }
    // The disk takes complete pieces while the next bytes are encoded, so that a sync has less to wait for. Errors are reported there.
    if (const std::uint64_t now = offset / kPiece * kPiece; now > complete)
        (void)::sync_file_range(descriptor, static_cast<off_t>(complete), static_cast<off_t>(now - complete), SYNC_FILE_RANGE_WRITE);
    return 0;
}

/// Reports errors of delayed writes, too.
void syncBytes(const std::string& path, int descriptor) {
    if (::fsync(descriptor) != 0 && errno != EINVAL) failWithErrno(path, errno);
}

}  // namespace

void removeUnfinishedFiles() { TemporaryNames::instance().removeAll(); }
void addTemporaryName(const std::string& name) { TemporaryNames::instance().add(name); }
void removeTemporaryName(const std::string& name) { TemporaryNames::instance().remove(name); }

std::string temporaryNameBeside(const std::string& target) {
    static std::atomic<unsigned> serial{0};
    const fs::path path = target;
    return (folderOf(path) / ("." + path.filename().string().substr(0, 200))).string() + "." + std::to_string(::getpid()) + "-" +
           std::to_string(serial++) + ".tmp";
}

void checkWritable(const std::string& path, bool overwrite) {
    if (path.empty()) fail(path, "the name is empty");
    if (path.ends_with('/')) return checkFolderWritable(path, overwrite);
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

AtomicFile::AtomicFile(std::string path, bool overwrite, Readers readers, bool named) : path_(std::move(path)), overwrite_(overwrite) {
    checkWritable(path_, overwrite);
    const fs::path target = behindLinks(path_);
    target_ = target.string();
    // In the same folder, since a rename is atomic within one file system only. open applies the umask; mkstemp would make the file
    // private.
    const mode_t mode = readers == Readers::owner ? 0600 : 0666;
    if (!named) descriptor_ = ::open(folderOf(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    // Some file systems have no files without a name.
    for (int attempt = 0; attempt < kAttempts && descriptor_ < 0; ++attempt) {
        temporary_ = temporaryName();
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor_ < 0 && errno != EEXIST) failWithErrno(path_, errno);
    }
    if (descriptor_ < 0) failWithErrno(path_, EEXIST);
    if (!temporary_.empty()) TemporaryNames::instance().add(temporary_);
    // A replaced file keeps its mode, unless it has another owner, but gives no one the rights of its owner.
    struct stat info {};
    if (readers == Readers::standard && ::stat(target_.c_str(), &info) == 0) (void)!::fchmod(descriptor_, info.st_mode & 0777);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (temporary_.empty()) return;
    if (!committed_) ::unlink(temporary_.c_str());
    TemporaryNames::instance().remove(temporary_);
}

std::string AtomicFile::temporaryName() const { return temporaryNameBeside(target_); }

void AtomicFile::writeAt(std::uint64_t offset, std::string_view first, std::string_view second) {
    if (const int error = writeBytes(descriptor_, offset, first, second); error != 0) {
        if (firstError_ == 0) firstError_ = error;
        failWithErrno(path_, error);
    }
    end_ = std::max(end_, offset + first.size() + second.size());
}

void AtomicFile::sync() {
    if (firstError_ != 0) failWithErrno(path_, firstError_);
    syncBytes(path_, descriptor_);
}

FilePart::FilePart(std::string path, const std::string& temporary)
    : path_(std::move(path)), descriptor_(::open(temporary.c_str(), O_WRONLY | O_CLOEXEC)) {}

FilePart::~FilePart() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void FilePart::writeAt(std::uint64_t offset, const void* data, std::size_t bytes) {
    if (const int error = writeBytes(descriptor_, offset, {static_cast<const char*>(data), bytes}, {}); error != 0)
        failWithErrno(path_, error);
}

void FilePart::sync() { syncBytes(path_, descriptor_); }

/// Links the file without a name. Returns errno, or 0.
int AtomicFile::linkTo(const std::string& name) const {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

void AtomicFile::commit() {
    sync();
    if (temporary_.empty()) {
        int error = overwrite_ ? EEXIST : linkTo(target_);
        if (error == EEXIST && !overwrite_) fail(path_, kExists, kExistsAdvice);
        // A link replaces no file, so that the name is a temporary one for a moment.
        for (int attempt = 0; overwrite_ && attempt < kAttempts && error == EEXIST; ++attempt) error = linkTo(temporary_ = temporaryName());
        if (error != 0) {
            temporary_.clear();
            failWithErrno(path_, error);
        }
        if (!temporary_.empty()) TemporaryNames::instance().add(temporary_);
    }
    if (::close(std::exchange(descriptor_, -1)) != 0) failWithErrno(path_, errno);
    if (!temporary_.empty()) {
        // Unlike rename, link fails if the file was created meanwhile. Some file systems have no links.
        const bool linked = !overwrite_ && ::link(temporary_.c_str(), target_.c_str()) == 0;
        if (!overwrite_ && !linked && errno == EEXIST) fail(path_, kExists, kExistsAdvice);
        if (!linked && ::rename(temporary_.c_str(), target_.c_str()) != 0) failWithErrno(path_, errno);
        committed_ = !linked;  // else the destructor removes the temporary name
    }
    // So that the name survives a crash of the system.
    if (const int folder = ::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        (void)::fsync(folder);
        ::close(folder);
    }
}

}  // namespace parallax
