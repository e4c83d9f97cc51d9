// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "parallax/image/error.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why, const std::string& advice = {}) {
    throw Error(ErrorCode::output, "'" + path + "' cannot be written", why, advice);
}

[[noreturn]] void failWithErrno(const std::string& path, int number) {
    fail(path, std::strerror(number), number == ENOSPC ? "Free some space or choose another folder" : "Choose another folder");
}

}  // namespace

void checkWritable(const std::string& path, bool overwrite) {
    if (path.empty()) fail(path, "the name is empty");
    struct stat info{};
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) fail(path, "it is a folder", "Give a file name");
        if (!S_ISREG(info.st_mode)) fail(path, "it is not an ordinary file", "Choose another name");
        if (!overwrite) fail(path, "it exists already", "Choose another name, or allow replacing it (--force)");
    }
    const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
    if (::stat(folder.c_str(), &info) != 0) fail(path, "the folder '" + folder.string() + "' does not exist", "Create it first");
    if (!S_ISDIR(info.st_mode)) fail(path, "'" + folder.string() + "' is not a folder");
    if (::access(folder.c_str(), W_OK | X_OK) != 0) failWithErrno(path, errno);
}

AtomicFile::AtomicFile(std::string path, bool overwrite) : path_(std::move(path)), overwrite_(overwrite) {
    checkWritable(path_, overwrite);
    const fs::path target(path_);
    // Hidden, in the same folder: a rename is atomic within one file system only.
    std::string pattern = (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
    std::vector<char> name(pattern.begin(), pattern.end());
    name.push_back('\0');
    descriptor_ = ::mkstemp(name.data());
    if (descriptor_ < 0) failWithErrno(path_, errno);
    temporary_ = name.data();
    // mkstemp makes private files; an ordinary new file obeys the umask, and a replaced one keeps its mode.
    struct stat info{};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = ::stat(path_.c_str(), &info) == 0 ? (info.st_mode & 07777) : (0666 & ~mask);
    (void)::fchmod(descriptor_, mode);
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
        if (n < 0) failWithErrno(path_, errno);
        p += n;
        offset += static_cast<std::uint64_t>(n);
        end_ = std::max(end_, offset);
        bytes -= static_cast<std::size_t>(n);
    }
}

void AtomicFile::commit() {
    // The errors of delayed writes come here.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) failWithErrno(path_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) failWithErrno(path_, errno);
    if (overwrite_) {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) failWithErrno(path_, errno);
        committed_ = true;
        return;
    }
    // link fails when somebody made the file meanwhile, where rename would replace it.
    if (::link(temporary_.c_str(), path_.c_str()) != 0) {
        if (errno == EEXIST) fail(path_, "it exists already", "Choose another name, or allow replacing it (--force)");
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) failWithErrno(path_, errno);  // file systems without links
        committed_ = true;
    }  // else the destructor removes the temporary name
}

}  // namespace parallax
