// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/sanitizer.hpp"

#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax::user {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    constexpr std::size_t kLongestReport = 256 << 10;
    std::string text(kLongestReport, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

/// The path of a library of a compiler; empty if it has none.
std::string libraryOf(const std::string& compiler, const std::string& name, const std::stop_token& stop) {
    std::string path = runToEnd({compiler, "-print-file-name=" + name}, stop).output;
    path = path.substr(0, path.find('\n'));
    std::error_code error;
    if (path.find('/') == std::string::npos || !fs::exists(path, error)) return {};
    // Some systems have a script of the linker there, which names the library.
    const std::string content = contentOf(path);
    if (content.rfind("\177ELF", 0) == 0) return path;
    static const std::regex named(R"re(/[^\s()]{1,1000}\.so[.0-9]{0,20})re");
    std::smatch match;
    return std::regex_search(content, match, named) ? match[0].str() : std::string();
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream all(text);
    std::vector<std::string> lines;
    constexpr std::size_t kLongest = 2000;  // std::regex takes a stack of their length
    for (std::string line; std::getline(all, line);) lines.push_back(line.substr(0, kLongest));
    return lines;
}

std::string ofAddressSanitizer(const std::vector<std::string>& lines) {
    static const std::regex kind(R"re(ERROR: AddressSanitizer: ([\w -]*?)(?: on .*|: .*| \(.*)?$)re"),
        sized(R"re(^(READ|WRITE) of size ([0-9]{1,18}))re"), signalled(R"re(caused by a (READ|WRITE) memory access)re"),
        place(R"re(^ +#[0-9]+ .* in .* (/[^ ].*:[0-9]+))re");
    std::string what, access, memory, at;
    std::smatch match;
    for (const std::string& line : lines) {
        if (what.empty()) {
            if (std::regex_search(line, match, kind)) what = match[1];
            continue;
        }
        if (access.empty() && (std::regex_search(line, match, sized) || std::regex_search(line, match, signalled))) {
            access = match[1] == "READ" ? "it read " : "it wrote ";
            memory = match.size() > 2 ? counted(std::stoll(match[2]), "byte") : "memory";
        } else if (std::regex_search(line, match, place)) {
            at = " at " + match[1].str();
            break;
        }
    }
    if (what.empty()) return {};
    if (what.find("rss limit") != std::string::npos) return "it takes too much memory (AddressSanitizer)";
    const std::string found = access.empty()               ? "an error"
                              : what == "use-after-poison" ? access + memory + " beside an image or its workspace"
                                                           : access + memory + " outside of what it has";
    return found + at + " (AddressSanitizer: " + what + ")";
}

std::string ofUndefinedBehaviour(const std::vector<std::string>& lines) {
    static const std::regex error(R"re(^(.+:[0-9]+:[0-9]+): runtime error: (.*))re");
    std::smatch match;
    for (const std::string& line : lines)
        if (std::regex_search(line, match, error)) return match[2].str() + " at " + match[1].str() + " (UndefinedBehaviorSanitizer)";
    return {};
}

/// Lines of a report begin with "=========". The first line that is no heading says what was found, the next one where.
std::string ofComputeSanitizer(const std::vector<std::string>& lines) {
    static const std::regex what(R"re(^=========\s(\S.*))re"), place(R"re(^=========\s+(?:at|in)\s(.*))re"),
        heading(
            R"re(^(?:COMPUTE-SANITIZER|ERROR SUMMARY|LEAK SUMMARY|RACECHECK SUMMARY|Target application|Program hit|Internal|Error:).*)re");
    std::smatch match;
    std::string found;
    for (const std::string& line : lines) {
        if (!found.empty()) return found + (std::regex_search(line, match, place) ? " at " + match[1].str() : "") + " (compute-sanitizer)";
        if (!std::regex_search(line, match, what)) continue;
        const std::string text = match[1];
        if (!std::regex_match(text, heading)) found = text;
    }
    return found.empty() ? found : found + " (compute-sanitizer)";
}

}  // namespace

Sanitizer sanitizerOf(const std::string& compiler, const std::stop_token& stop) {
    const bool clang = runToEnd({compiler, "--version"}, stop).output.find("clang") != std::string::npos;
    Sanitizer found{.options = {"-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"},
                    .library = {},
                    .program = {}};
    utsname machine{};
    uname(&machine);
    for (const std::string& name :
         clang ? std::vector<std::string>{"libclang_rt.asan.so", "libclang_rt.asan-" + std::string(machine.machine) + ".so"}
               : std::vector<std::string>{"libasan.so"})
        if (found.library.empty()) found.library = libraryOf(compiler, name, stop);
    if (found.library.empty())
        throw Error(ErrorCode::unavailable, "Kernels cannot be compiled with a sanitizer", "'" + compiler + "' has no AddressSanitizer",
                    clang ? "Install its runtime (Debian, Ubuntu: apt install libclang-rt-dev), or use g++ (PARALLAX_KERNEL_CXX=g++)"
                          : "Install it (Fedora: dnf install libasan libubsan), or name another compiler in PARALLAX_KERNEL_CXX");
    if (clang) found.options.emplace_back("-shared-libasan");
    return found;
}

Sanitizer computeSanitizer() {
    constexpr const char* kName = "compute-sanitizer";
    if (std::string found = findProgram(kName); !found.empty()) return {.options = {}, .library = {}, .program = std::move(found)};
    std::vector<std::string> folders{environment("CUDA_HOME"), environment("CUDA_PATH")};
    if (folders[0].empty() && folders[1].empty()) folders = {"/usr/local/cuda", "/opt/cuda"};
    for (const std::string& folder : folders)
        if (std::string found = findProgram(folder + "/bin/" + kName); !folder.empty() && !found.empty())
            return {.options = {}, .library = {}, .program = std::move(found)};
    throw Error(ErrorCode::unavailable, "Kernels in CUDA cannot run with a sanitizer", "compute-sanitizer was not found",
                "Install it with the CUDA toolkit, and put its folder into PATH or name the toolkit's in CUDA_HOME");
}

SanitizerReports::SanitizerReports(std::shared_ptr<const Sanitizer> sanitizer) : sanitizer_(std::move(sanitizer)) {}

std::vector<std::string> SanitizerReports::command(std::vector<std::string> arguments) const {
    if (sanitizer_->program.empty()) return arguments;
    std::vector<std::string> all{sanitizer_->program, "--tool", "memcheck",   "--report-api-errors", "no",
                                 "--print-limit",     "10",     "--log-file", folder_.file("report")};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

std::vector<std::string> SanitizerReports::environment(std::uint64_t memory) const {
    if (sanitizer_->library.empty()) return {};
    const std::string file = folder_.file("report"), quote = file.find('\'') == std::string::npos ? "'" : "\"";
    const std::string both = "log_path=" + quote + file + quote + ":detect_leaks=0:handle_abort=1:halt_on_error=1";
    return {"LD_PRELOAD=" + sanitizer_->library,
            "ASAN_OPTIONS=" + both + ":allocator_may_return_null=1:hard_rss_limit_mb=" + std::to_string(memory >> 20),
            "UBSAN_OPTIONS=" + both};
}

std::string SanitizerReports::finding() const {
    // A process writes report.ID, and its shell, if it has one, another.
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_.path(), error))
        if (std::string found = findingOf(contentOf(entry.path())); !found.empty()) return found;
    return {};
}

std::string findingOf(const std::string& report) {
    const std::vector<std::string> lines = linesOf(report);
    for (const auto find : {ofUndefinedBehaviour, ofAddressSanitizer, ofComputeSanitizer})
        if (std::string found = find(lines); !found.empty()) return found;
    return {};
}

}  // namespace parallax::user
