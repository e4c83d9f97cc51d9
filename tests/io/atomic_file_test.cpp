// SPDX-License-Identifier: GPL-3.0-or-later
// A file appears whole or not at all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::size_t filesIn(const TemporaryFolder& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}));
}

/// The message of the Error(output) that making the file throws.
std::string refusal(const std::string& path, bool overwrite) {
    try {
        AtomicFile file(path, overwrite);
        file.commit();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::output) << e.what();
        return e.what();
    }
    ADD_FAILURE() << path << " was written";
    return {};
}

TEST(AtomicFileTest, AppearsOnlyWhenCommitted) {
    const TemporaryFolder folder;
    {
        AtomicFile file(folder / "a", false);
        file.write("hello");
        EXPECT_FALSE(fs::exists(folder / "a"));
        file.commit();
        EXPECT_EQ(contentOf(folder / "a"), "hello");
    }
    EXPECT_EQ(filesIn(folder), 1U);
    {
        AtomicFile file(folder / "b", false);
        file.write("hello");
    }
    EXPECT_EQ(filesIn(folder), 1U) << "given up, and something is left";
}

TEST(AtomicFileTest, LeavesNothingIfTheProcessIsKilled) {
    const TemporaryFolder folder;
    if (const int probe = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600); probe < 0) GTEST_SKIP() << "no files without a name";
    else ::close(probe);
    put(folder / "a", "old");
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFile file(folder / "a", true);
        file.write("new");
        std::raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(filesIn(folder), 1U);
    EXPECT_EQ(contentOf(folder / "a"), "old");
}

TEST(AtomicFileTest, ReplacesOnlyOnRequest) {
    const TemporaryFolder folder;
    put(folder / "a", "old");
    EXPECT_NE(refusal(folder / "a", false).find("exists"), std::string::npos);
    EXPECT_EQ(contentOf(folder / "a"), "old");
    AtomicFile file(folder / "a", true);
    file.write("new");
    EXPECT_EQ(contentOf(folder / "a"), "old");
    file.commit();
    EXPECT_EQ(contentOf(folder / "a"), "new");
}

TEST(AtomicFileTest, KeepsAFileThatAppearsMeanwhile) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "a", false);
    file.write("mine");
    put(folder / "a", "theirs");
    EXPECT_THROW(file.commit(), Error);
    EXPECT_EQ(contentOf(folder / "a"), "theirs");
}

TEST(AtomicFileTest, KeepsTheModeOfAReplacedFileAndObeysTheUmask) {
    const TemporaryFolder folder;
    const auto modeOf = [](const std::string& path) {
        struct stat info {};
        EXPECT_EQ(::stat(path.c_str(), &info), 0);
        return info.st_mode & 07777;
    };
    const mode_t old = ::umask(027);
    AtomicFile(folder / "new", false).commit();
    ::umask(old);
    EXPECT_EQ(modeOf(folder / "new"), 0640U);
    put(folder / "kept", "x");
    ::chmod((folder / "kept").c_str(), 0604);
    AtomicFile(folder / "kept", true).commit();
    EXPECT_EQ(modeOf(folder / "kept"), 0604U);
    ::chmod((folder / "kept").c_str(), 06755);
    AtomicFile(folder / "kept", true).commit();
    EXPECT_EQ(modeOf(folder / "kept"), 0755U) << "new content gets no rights of the owner";
}

TEST(AtomicFileTest, WritesThroughSymbolicLinks) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "real");
    put(folder / "real/a", "old");
    fs::create_symlink("real/a", folder / "link");
    fs::create_symlink("real/b", folder / "dangling");
    for (const char* name : {"link", "dangling"}) {
        AtomicFile file(folder / name, true);
        file.write("new");
        file.commit();
        EXPECT_TRUE(fs::is_symlink(folder / name));
        EXPECT_EQ(contentOf(folder / name), "new");
    }
}

TEST(AtomicFileTest, TakesNamesAsLongAsTheFileSystemAllows) {
    const TemporaryFolder folder;
    const std::string name(255, 'n');
    AtomicFile(folder / name, false).commit();
    EXPECT_TRUE(fs::exists(folder / name));
    EXPECT_FALSE(refusal(folder / std::string(256, 'n'), false).empty());
}

TEST(AtomicFileTest, NamesTheReasonForInvalidTargets) {
    const TemporaryFolder folder;
    put(folder / "file", "x");
    EXPECT_NE(refusal("/dev/full", true).find("device"), std::string::npos);
    EXPECT_NE(refusal(folder.path().string(), true).find("folder"), std::string::npos);
    EXPECT_NE(refusal(folder / "none/a", false).find("does not exist"), std::string::npos);
    EXPECT_NE(refusal(folder / "file/a", false).find("not a folder"), std::string::npos);
    EXPECT_FALSE(refusal("", false).empty());
}

TEST(AtomicFileTest, RefusesUnwritableFolders) {
    const TemporaryFolder folder;
    ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
    if (::access(folder.path().c_str(), W_OK) == 0) {
        // For root nothing is unwritable by its mode; the kernel's own files are.
        EXPECT_FALSE(refusal("/proc/parallax_test", false).empty());
    } else {
        EXPECT_NE(refusal(folder / "a", false).find("ermission"), std::string::npos);
    }
    ::chmod(folder.path().c_str(), 0755);
}

/// A limit on the size of files stands for the full disk, since a small disk can seldom be mounted.
class FileSizeLimit {
public:
    explicit FileSizeLimit(std::size_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit limit{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &old_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit old_{};
};

enum class Outcome { saved, outputError, otherError };
Outcome saveWithLimit(const Image& image, const std::string& path, std::size_t bytes) {
    SaveOptions options;
    options.overwrite = true;
    const FileSizeLimit limit(bytes);
    try {
        (void)saveImage(image, path, options);
        return Outcome::saved;
    } catch (const Error& e) {
        return e.code() == ErrorCode::output ? Outcome::outputError : Outcome::otherError;
    }
}

class FailingDisk : public testing::TestWithParam<std::string> {};
TEST_P(FailingDisk, ReportsEveryFailedWrite) {
    const TemporaryFolder folder;
    const std::string path = folder / ("a." + GetParam());
    const Image image = makeSynthetic({SyntheticKind::noise, {64, 48, 1, 3}, 3});
    (void)saveImage(image, path);
    const std::string old = contentOf(path);
    ASSERT_EQ(saveWithLimit(image, path, old.size()), Outcome::saved);
    // Every kind of write fails once: header, blocks, and the table that is written last.
    for (std::size_t limit = 0; limit < old.size(); limit += std::max<std::size_t>(1, old.size() / 23)) {
        EXPECT_EQ(saveWithLimit(image, path, limit), Outcome::outputError) << "limit " << limit << " of " << old.size();
        EXPECT_TRUE(contentOf(path) == old) << "the old file was touched, limit " << limit;
    }
    EXPECT_EQ(saveWithLimit(image, path, old.size() - 1), Outcome::outputError);
    EXPECT_EQ(filesIn(folder), 1U);
}
INSTANTIATE_TEST_SUITE_P(Formats, FailingDisk, testing::Values("exr", "png", "tif", "jpg", "hdr", "pfm"),
                         [](const auto& format) { return format.param; });

}  // namespace
}  // namespace parallax::test
