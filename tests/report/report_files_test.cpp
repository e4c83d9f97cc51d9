// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/report.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"
#include "core/report/formats/formats.hpp"
#include "tests/report/sample_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

class ReportFiles : public ::testing::Test {
protected:
    ErrorCode refused(const std::string& name) {
        try {
            writeReport(sampleRecord(), name, false);
        } catch (const Error& e) {
            return e.code();
        }
        ADD_FAILURE() << name << " was written";
        return ErrorCode::failed;
    }
    const test::TemporaryFolder temporary_;
    const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(ReportFiles, FormatFollowsTheExtension) {
    const std::string expected[] = {"{", "record,", "<!DOCTYPE html>", "# Parallax"};
    const char* const names[] = {"r.json", "r.csv", "r.HTML", "r.md"};
    for (int i = 0; i < 4; ++i) {
        const auto path = folder_ / names[i];
        writeReport(sampleRecord(), path.string(), false);
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        EXPECT_TRUE(text.starts_with(expected[i])) << names[i];
    }
}

TEST_F(ReportFiles, KeepTheOldFileWhenWritingFails) {
    const std::string path = (folder_ / "r.html").string();
    std::ofstream(path) << "precious";
    // Limits the file size, like a full disk in the middle of writing.
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{2000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (const char* name : {"r.html", "new.json", "new.csv", "new.pdf"}) {
        if (std::string(name) == "new.pdf" && !canMakePdf()) continue;
        try {
            writeReport(sampleRecord(), (folder_ / name).string(), true);
            ADD_FAILURE() << name;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::output) << name;
        }
    }
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "precious");
    // No other file remains.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator{}), 1);
    EXPECT_EQ(refused("/dev/full"), ErrorCode::usage);
}

TEST_F(ReportFiles, AreReplacedOnlyOnRequest) {
    const std::string path = (folder_ / "r.json").string();
    std::ofstream(path) << "precious";
    EXPECT_EQ(refused(path), ErrorCode::output);
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "precious");
    writeReport(sampleRecord(), path, true);
    EXPECT_GT(std::filesystem::file_size(path), 1000U);
}

TEST_F(ReportFiles, RejectUnknownFormats) {
    EXPECT_EQ(refused((folder_ / "r.xlsx").string()), ErrorCode::usage);
    EXPECT_EQ(refused((folder_ / "r").string()), ErrorCode::usage);
    if (!canMakePdf()) {
        EXPECT_EQ(refused((folder_ / "r.pdf").string()), ErrorCode::usage);
    }
    EXPECT_EQ(refused((folder_ / "missing" / "r.json").string()), ErrorCode::output);
}

}  // namespace
}  // namespace parallax
