// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kernel_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string_view>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/child_process.hpp"
#include "core/kernels/kernel_text.hpp"
#include "core/kernels/packed_parameters.hpp"

namespace parallax::user {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestMessages = 32 << 10;

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& advice = {}) {
    throw Error(ErrorCode::input, "Cannot use the kernel '" + path + "'", why, advice);
}

/// The name of a variant: letters, digits and '-'.
std::string variantName(const fs::path& path) {
    std::string name = path.stem().string();
    for (char& c : name) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
    }
    return name;
}

std::string contentOf(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) refuse(path, fs::exists(path, error) ? "it is not an ordinary file" : "there is no such file");
    if (fs::file_size(path, error) > kLongestSource) refuse(path, "it has more than " + mebibytes(kLongestSource));
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) refuse(path, "it cannot be read");
    return text;
}

/// A folder that is removed with all that is in it.
class PrivateFolder {
public:
    PrivateFolder() {
        std::string name = (fs::temp_directory_path() / "parallax-kernel-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw Error(ErrorCode::output, "Cannot make a folder in '" + fs::temp_directory_path().string() + "'", std::strerror(errno));
        path_ = name;
    }
    ~PrivateFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

void writeText(const std::string& path, std::string_view text) {
    std::ofstream file(path);
    file << text;
    if (!file.flush()) throw Error(ErrorCode::output, "Cannot write '" + path + "'", std::strerror(errno), "Free some space");
}

struct Finished {
    int status = 0;
    std::string output;
};

/// Runs a program to its end. Returns what it wrote to standard output and standard error, up to a limit.
Finished runToEnd(const std::vector<std::string>& arguments, const std::stop_token& stop) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorCode::failed, "Cannot start '" + arguments.front() + "'", std::strerror(errno));
    const OwnedDescriptor reading(ends[0]);
    Finished finished;
    OwnedDescriptor writing(ends[1]);
    ChildProcess child(arguments, {{writing.number(), STDOUT_FILENO}, {writing.number(), STDERR_FILENO}});
    writing = OwnedDescriptor();
    for (char buffer[4096];;) {
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        pollfd ready{reading.number(), POLLIN, 0};
        if (poll(&ready, 1, 50) <= 0) continue;
        const ssize_t got = ::read(reading.number(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        const std::size_t room = kLongestMessages - std::min(kLongestMessages, finished.output.size());
        finished.output.append(buffer, std::min(static_cast<std::size_t>(got), room));
    }
    finished.status = child.wait();
    return finished;
}

std::string compilerInUse() {
    if (const char* chosen = std::getenv("PARALLAX_KERNEL_CXX"); chosen && *chosen) {
        const std::string found = findProgram(chosen);
        if (found.empty())
            throw Error(ErrorCode::unavailable, "The compiler '" + std::string(chosen) + "' was not found", "PARALLAX_KERNEL_CXX names it",
                        "Correct the variable, or unset it");
        return found;
    }
    for (const char* name : {"c++", "g++", "clang++"})
        if (std::string found = findProgram(name); !found.empty()) return found;
    throw Error(ErrorCode::unavailable, "Kernels cannot be compiled", "there is no C++ compiler",
                "Install g++ (Debian, Ubuntu: apt install g++), or name a compiler in PARALLAX_KERNEL_CXX");
}

/// "g++ (Debian 12.2.0-14) 12.2.0".
std::string versionOf(const std::string& compiler, const std::stop_token& stop) {
    const Finished answer = runToEnd({compiler, "--version"}, stop);
    return answer.output.substr(0, answer.output.find('\n'));
}

}  // namespace

KernelSource readKernel(const std::vector<std::unique_ptr<Operation>>& operations, const std::string& path) {
    KernelSource source{.path = path, .name = variantName(path), .operation = {}, .text = contentOf(path), .options = {}};
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".cu") refuse(path, "kernels in CUDA are not supported yet", "Write it in C++ (.cpp)");
    if (ending != ".cpp" && ending != ".cc" && ending != ".cxx") refuse(path, "its name does not end in .cpp, .cc or .cxx");
    const std::string known = "'parallax-cli kernel new' writes a kernel to begin with";
    std::smatch match;
    static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*[<"]parallax/([a-z0-9-]{1,64})\.h[>"])re");
    if (!std::regex_search(source.text, match, include))
        refuse(path, "it does not say which operation it implements: it includes no parallax/OPERATION.h", known);
    source.operation = match[1];
    if (std::none_of(operations.begin(), operations.end(), [&](const auto& o) { return o->id() == source.operation; }))
        refuse(path, "there is no operation '" + source.operation + "'",
               "Known are " + joined(operations, ", ", [](const auto& o) { return o->id(); }));
    static const std::regex options(R"re((?:^|\n)[ \t]*//[ \t]*options:([^\n]{0,1000}))re");
    if (std::regex_search(source.text, match, options)) {
        std::istringstream words(match[1]);
        source.options.assign(std::istream_iterator<std::string>(words), {});
    }
    return source;
}

CompiledKernel::CompiledKernel(CompiledKernel&& other) noexcept
    : library(std::exchange(other.library, -1)),
      compiler(std::move(other.compiler)),
      command(std::move(other.command)),
      messages(std::move(other.messages)),
      seconds(other.seconds) {}

CompiledKernel::~CompiledKernel() {
    if (library >= 0) ::close(library);
}

CompiledKernel compileKernel(const KernelSource& source, const Operation& operation, const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string compiler = compilerInUse();
    const PrivateFolder folder;
    fs::create_directory(folder.file("parallax"));
    writeText(folder.file("parallax/parallax_kernel.h"), kKernelHeader);
    writeText(folder.file("parallax/" + operation.id() + ".h"), headerOf(operation));
    // The text that was read is what is compiled and recorded. Messages name the file of the user, whose folder is searched as usual.
    const std::string copy = folder.file("kernel.cpp"), library = folder.file("kernel.so");
    std::error_code error;
    const std::string path = fs::absolute(source.path, error).string();
    std::string quoted;
    for (const char c : path) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    writeText(copy, "#line 1 \"" + quoted + "\"\n" + source.text);
    std::vector<std::string> arguments{compiler, "-std=c++20", "-O3", "-march=native", "-fopenmp", "-Wall"};
    arguments.insert(arguments.end(), source.options.begin(), source.options.end());
    CompiledKernel compiled;
    compiled.command = joined(arguments, " ");
    for (const std::string& a :
         {std::string("-fPIC"), std::string("-shared"), std::string("-fvisibility=hidden"), "-I" + folder.path().string(),
          "-I" + fs::path(path).parent_path().string(), std::string("-o"), library, copy})
        arguments.push_back(a);
    Finished finished = runToEnd(arguments, stop);
    compiled.messages = std::move(finished.output);
    if (!WIFEXITED(finished.status) || WEXITSTATUS(finished.status) != 0)
        throw Error(ErrorCode::input, "Cannot compile the kernel '" + source.path + "'", "\n" + compiled.messages);
    compiled.library = ::open(library.c_str(), O_RDONLY | O_CLOEXEC);
    if (compiled.library < 0) throw Error(ErrorCode::failed, "Cannot load the kernel '" + source.path + "'", std::strerror(errno));
    compiled.compiler = versionOf(compiler, stop);
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return compiled;
}

}  // namespace parallax::user
