// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/refuse.hpp"
#include "core/io/temporary_names.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why, const std::string& advice) {
    throw Error(ErrorCode::output, "Cannot write '" + path + "'", why, advice);
}

[[noreturn]] void failWithErrno(const std::string& path, int number) { fail(path, std::strerror(number), adviceOnWriting(number)); }

[[noreturn]] void failSinceItExists(const std::string& path) {
    fail(path, "the folder already exists and is not empty", "Choose another name, or replace it with --force");
}

constexpr std::string_view kNameBegin = "image_", kNameEnd = ".dcm";

std::string nameOf(std::int64_t number, std::int64_t count) {
    const std::size_t digits = std::max<std::size_t>(4, std::to_string(count).size());
    std::string text = std::to_string(number);
    text.insert(0, digits - text.size(), '0');
    return std::string(kNameBegin) + text + std::string(kNameEnd);
}

/// Whether nameOf() gives such names.
bool isName(std::string_view name) {
    if (!name.starts_with(kNameBegin) || !name.ends_with(kNameEnd) || name.size() < kNameBegin.size() + kNameEnd.size()) return false;
    name.remove_prefix(kNameBegin.size());
    name.remove_suffix(kNameEnd.size());
    return name.size() >= 4 && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Without slashes at the end, and with symbolic links resolved.
std::string targetOf(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    const fs::path resolved = fs::weakly_canonical(path, error);
    return error ? path : resolved.string();
}

}  // namespace

void checkFolderWritable(const std::string& path, bool overwrite) {
    const std::string target = targetOf(path);
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (fs::exists(status) && !fs::is_directory(status)) fail(path, "it is not a folder", "Choose another name");
    if (fs::exists(status)) {
        for (fs::directory_iterator it(target, error); !error && it != fs::directory_iterator(); it.increment(error)) {
            if (!overwrite) failSinceItExists(path);
            if (!it->is_regular_file(error) || !isName(it->path().filename().string()))
                fail(path, "the folder holds other files than " + nameOf(1, 1) + " and so on, which are not removed",
                     "Choose another folder");
        }
        if (error) failWithErrno(path, error.value());
    }
    const fs::path above = fs::path(target).has_parent_path() ? fs::path(target).parent_path() : fs::path(".");
    if (!fs::exists(above, error)) fail(path, "the folder '" + above.string() + "' does not exist", "Create it");
    if (::access(above.c_str(), W_OK | X_OK) != 0) failWithErrno(path, errno);
}

AtomicFolder::AtomicFolder(std::string path, bool overwrite) : path_(std::move(path)), target_(targetOf(path_)), overwrite_(overwrite) {
    checkFolderWritable(path_, overwrite_);
    const std::string name = temporaryNameBeside(target_);
    if (::mkdir(name.c_str(), 0777) != 0) failWithErrno(path_, errno);
    temporary_ = name;
    addTemporaryName(temporary_);
}

AtomicFolder::~AtomicFolder() {
    if (temporary_.empty()) return;
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
    removeTemporaryName(temporary_);
}

void AtomicFolder::write(std::int64_t number, std::int64_t count, std::initializer_list<std::span<const std::uint8_t>> parts) const {
    const int file = ::open((temporary_ + "/" + nameOf(number, count)).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) failWithErrno(path_, errno);
    int problem = 0;
    for (std::span<const std::uint8_t> part : parts)
        while (problem == 0 && !part.empty()) {
            const ssize_t n = ::write(file, part.data(), part.size());
            if (n >= 0) part = part.subspan(static_cast<std::size_t>(n));
            else if (errno != EINTR) problem = errno;
        }
    if (::close(file) != 0 && problem == 0) problem = errno;
    if (problem != 0) failWithErrno(path_, problem);
}

void AtomicFolder::commit() {
    const int folder = ::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) failWithErrno(path_, errno);
    // One call for all files. It reports errors of delayed writes, too.
    const int problem = ::syncfs(folder) == 0 ? 0 : errno;
    ::close(folder);
    if (problem != 0) failWithErrno(path_, problem);
    checkFolderWritable(path_, overwrite_);
    // Replaces an empty folder, too.
    bool renamed = ::rename(temporary_.c_str(), target_.c_str()) == 0;
    if (!renamed && (errno == ENOTEMPTY || errno == EEXIST) && overwrite_) {
        // The old folder gets the hidden name, and is removed with it. Not all file systems exchange names.
        if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) return;
        const std::string old = temporaryNameBeside(target_);
        if (::rename(target_.c_str(), old.c_str()) != 0) failWithErrno(path_, errno);
        renamed = ::rename(temporary_.c_str(), target_.c_str()) == 0;
        const int failure = errno;
        std::error_code ignored;
        if (renamed) fs::remove_all(old, ignored);
        else (void)::rename(old.c_str(), target_.c_str());
        errno = failure;
    }
    if (!renamed && (errno == ENOTEMPTY || errno == EEXIST)) failSinceItExists(path_);
    if (!renamed) failWithErrno(path_, errno);
    removeTemporaryName(std::exchange(temporary_, {}));
}

}  // namespace parallax
