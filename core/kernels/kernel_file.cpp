// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kernel_file.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
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
    if (ending == ".cu") source.language = KernelLanguage::cuda;
    else if (ending != ".cpp" && ending != ".cc" && ending != ".cxx") refuse(path, "its name does not end in .cpp, .cc, .cxx or .cu");
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
    for (std::sregex_iterator line(source.text.begin(), source.text.end(), options), end; line != end; ++line) {
        std::istringstream words((*line)[1]);
        source.options.insert(source.options.end(), std::istream_iterator<std::string>(words), {});
    }
    if (source.language == KernelLanguage::cuda) source.comments = readLaunchComments(path, source.text);
    return source;
}

std::string toText(const FunctionResources& f) {
    const auto bytes = [](std::int64_t count, const char* memory) {
        return (count == 0 ? "no " : counted(count, "byte") + " of ") + memory + " memory";
    };
    std::string text =
        f.name + "(): " + counted(f.registers, "register") + ", " + bytes(f.shared, "shared") + ", " + bytes(f.local, "local");
    if (f.most > 0)
        text += ", occupancy " + std::to_string(100 * f.blocks * f.threads / f.most) + " % (" + counted(f.blocks, "block") + " of " +
                counted(f.threads, "thread") + ")";
    return text;
}

std::string writeSource(const PrivateFolder& folder, const KernelSource& source, const Operation& operation, const std::string& name) {
    fs::create_directory(folder.file("parallax"));
    writeText(folder.file("parallax/parallax_kernel.h"), kKernelHeader);
    writeText(folder.file("parallax/" + operation.id() + ".h"), headerOf(operation));
    // The text that was read is what is compiled and recorded. Messages name the file of the user, whose folder is searched as usual.
    std::error_code error;
    const fs::path path = fs::absolute(source.path, error);
    std::string quoted;
    for (const char c : path.string()) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    writeText(folder.file(name), "#line 1 \"" + quoted + "\"\n" + source.text);
    return path.parent_path().string();
}

CompiledKernel compileKernel(const KernelSource& source, const Operation& operation, bool sanitize, const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string compiler = compilerInUse();
    const PrivateFolder folder;
    const std::string home = writeSource(folder, source, operation, "kernel.cpp"), library = folder.file("kernel.so");
    std::vector<std::string> arguments{compiler, "-std=c++20", "-O3", "-march=native", "-fopenmp", "-Wall"};
    arguments.insert(arguments.end(), source.options.begin(), source.options.end());
    CompiledKernel compiled;
    if (sanitize) {
        compiled.sanitizer = std::make_shared<const Sanitizer>(sanitizerOf(compiler, stop));
        arguments.insert(arguments.end(), compiled.sanitizer->options.begin(), compiled.sanitizer->options.end());
    }
    compiled.command = joined(arguments, " ");
    for (const std::string& a :
         {std::string("-fPIC"), std::string("-shared"), std::string("-fvisibility=hidden"), "-I" + folder.path().string(),
          std::string("-iquote"), home, std::string("-o"), library, folder.file("kernel.cpp")})
        arguments.push_back(a);
    Finished finished = runToEnd(arguments, stop, {folder.variable()});
    compiled.messages = std::move(finished.output);
    if (finished.exitCode() != 0)
        throw Error(ErrorCode::input, "Cannot compile the kernel '" + source.path + "'", "\n" + compiled.messages);
    compiled.library = openedFile(library);
    compiled.compiler = versionOf(compiler, stop);
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return compiled;
}

}  // namespace parallax::user
