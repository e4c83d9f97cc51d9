// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/cuda_compiler.hpp"

#include <cxxabi.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/kernel_process.hpp"

namespace parallax::user {
namespace {

constexpr int kNotThere = 3;  // exit code of parallax-kernel-host --nvrtc: there is no NVRTC
constexpr const char* kInstall = "Install the CUDA toolkit, or name its folder in CUDA_HOME";

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : std::string();
}

/// The path of nvcc; empty if there is none.
std::string findNvcc() {
    if (const std::string chosen = environment("PARALLAX_KERNEL_NVCC"); !chosen.empty()) {
        if (const std::string found = findProgram(chosen); !found.empty()) return found;
        throw Error(ErrorCode::unavailable, "The compiler '" + chosen + "' was not found", "PARALLAX_KERNEL_NVCC names it",
                    "Correct the variable, or unset it");
    }
    if (std::string found = findProgram("nvcc"); !found.empty()) return found;
    std::vector<std::string> folders{environment("CUDA_HOME"), environment("CUDA_PATH")};
    if (folders[0].empty() && folders[1].empty()) folders = {"/usr/local/cuda", "/opt/cuda"};
    for (const std::string& folder : folders)
        if (std::string found = findProgram(folder + "/bin/nvcc"); !folder.empty() && !found.empty()) return found;
    return {};
}

/// "Cuda compilation tools, release 13.0, V13.0.88" of the lines that it prints.
std::string versionOf(const std::string& nvcc, const std::stop_token& stop) {
    std::istringstream lines(runToEnd({nvcc, "--version"}, stop).output);
    for (std::string line; std::getline(lines, line);)
        if (const auto at = line.find(", V"); at != std::string::npos) return "nvcc " + line.substr(at + 3);
    return "nvcc";
}

std::string readable(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    const std::string text = name ? name.get() : mangled;
    return text.substr(0, text.find('('));
}

class Compilation {
public:
    Compilation(const KernelSource& source, const Operation& operation, const std::string& architecture, const std::stop_token& stop)
        : source_(source), architecture_(architecture), stop_(stop), home_(writeSource(folder_, source, operation, kCopy)) {}

    CompiledKernel run() {
        const auto begin = std::chrono::steady_clock::now();
        const bool byNvrtc = source_.comments.launch() && environment("PARALLAX_KERNEL_NVCC").empty();
        if (!byNvrtc || !compileByNvrtc()) compileByNvcc();
        compiled_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::move(compiled_);
    }

private:
    static constexpr const char* kCopy = "kernel.cu";

    std::vector<std::string> options(std::vector<std::string> first) const {
        first.insert(first.end(), source_.options.begin(), source_.options.end());
        return first;
    }

    /// False without NVRTC; noNvrtc_ says why.
    bool compileByNvrtc() {
        compiled_.binary = Binary::module;
        const std::string module = folder_.file("kernel.cubin"), info = folder_.file("compiler.txt");
        std::vector<std::string> flags{"--std=c++20", "--generate-line-info", "-DPARALLAX_LAUNCH"};
        if (!architecture_.empty()) flags.push_back("--gpu-architecture=" + architecture_);
        flags = options(std::move(flags));
        compiled_.command = "nvrtc " + joined(flags, " ");
        std::vector<std::string> arguments{kernelHostProgram(), "--nvrtc", folder_.file(kCopy), module, info};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        arguments.insert(arguments.end(), {"-I" + folder_.path().string(), "-I" + home_});
        Finished finished = runToEnd(arguments, stop_, {folder_.variable()});
        if (finished.exitCode() == kNotThere) {
            noNvrtc_ = finished.output.substr(0, finished.output.find('\n'));
            return false;
        }
        finish(std::move(finished), module);
        std::ifstream file(info);
        std::getline(file, compiled_.compiler);
        return true;
    }

    void compileByNvcc() {
        const std::string nvcc = findNvcc();
        if (nvcc.empty() && source_.comments.launch())
            throw Error(ErrorCode::unavailable, "Kernels in CUDA cannot be compiled", noNvrtc_ + ", and there is no nvcc", kInstall);
        if (nvcc.empty())
            throw Error(ErrorCode::unavailable, "Cannot compile the kernel '" + source_.path + "'",
                        "it has no launch comment, so its function on the host needs nvcc, which was not found",
                        std::string(kInstall) + "; or write '// launch: block(...) grid(...)' before a __global__ function");
        const bool module = source_.comments.launch();
        compiled_.binary = module ? Binary::module : Binary::library;
        const std::string output = folder_.file(module ? "kernel.cubin" : "kernel.so");
        std::vector<std::string> arguments{nvcc, "-std=c++20", "-O3", "-lineinfo", "-Xptxas", "-v"};
        if (!architecture_.empty()) arguments.push_back("-arch=" + architecture_);
        if (module) arguments.insert(arguments.end(), {"-cubin", "-DPARALLAX_LAUNCH"});
        else arguments.insert(arguments.end(), {"-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden,-fopenmp"});
        arguments = options(std::move(arguments));
        compiled_.command = joined(arguments, " ");
        arguments.insert(arguments.end(), {"-I" + folder_.path().string(), "-I" + home_, "-o", output, folder_.file(kCopy)});
        finish(runToEnd(arguments, stop_, {folder_.variable()}), output);
        compiled_.compiler = versionOf(nvcc, stop_) + (architecture_.empty() ? "" : " for " + architecture_);
    }

    void finish(Finished finished, const std::string& output) {
        compiled_.messages = withPlacesOfCompilers(finished.output);
        compiled_.functions = takeResources(compiled_.messages);
        if (finished.exitCode() != 0)
            throw Error(ErrorCode::input, "Cannot compile the kernel '" + source_.path + "'", "\n" + compiled_.messages);
        compiled_.library = openedFile(output);
    }

    const KernelSource& source_;
    const std::string& architecture_;
    const std::stop_token& stop_;
    const PrivateFolder folder_;
    const std::string home_;
    std::string noNvrtc_;
    CompiledKernel compiled_;
};

}  // namespace

std::string withPlacesOfCompilers(const std::string& messages) {
    static const std::regex place(R"re(^(.{1,4096})\(([0-9]{1,9})\)(: (?:catastrophic )?(?:error|warning|remark)))re");
    std::istringstream lines(messages);
    std::string all;
    for (std::string line; std::getline(lines, line);) {
        constexpr std::size_t kLongest = 8192;  // of a line that is searched: std::regex takes a stack of its length
        all += (line.size() < kLongest ? std::regex_replace(line, place, "$1:$2$3") : line) + "\n";
    }
    return all;
}

std::vector<FunctionResources> takeResources(std::string& messages) {
    static const std::regex begin(R"re(ptxas info +: Compiling entry function '([^']{1,2000})' for .*)re");
    static const std::regex stack(R"re( *([0-9]{1,9}) bytes stack frame.*)re");
    static const std::regex used(R"re(ptxas info +: Used ([0-9]{1,9}) registers.*)re");
    static const std::regex smem(R"re(.*[^0-9]([0-9]{1,9}) bytes smem.*)re");
    std::vector<FunctionResources> all;
    std::istringstream lines(messages);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (line.size() > 4000) kept += line + "\n";
        else if (std::regex_match(line, match, begin)) all.push_back({.name = readable(match[1])});
        else if (!all.empty() && std::regex_match(line, match, stack)) all.back().local = std::stoll(match[1]);
        else if (!all.empty() && std::regex_match(line, match, used)) {
            all.back().registers = std::stoll(match[1]);
            if (std::smatch shared; std::regex_match(line, shared, smem)) all.back().shared = std::stoll(shared[1]);
        } else if (line.rfind("ptxas info", 0) != 0) kept += line + "\n";
    }
    messages = kept;
    return all;
}

CompiledKernel compileCudaKernel(const KernelSource& source, const Operation& operation, const std::string& architecture,
                                 const std::stop_token& stop) {
    return Compilation(source, operation, architecture, stop).run();
}

}  // namespace parallax::user
