// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of NVRTC that parallax-kernel-host calls: translates a kernel as translate.py does those of gpu/, compiles it with the
// host's compiler, and returns the shared library in place of code for a device. Built as libnvrtc.so.13, in a folder of its own.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

struct _nvrtcProgram {
    std::string source, name, log, code;
};

namespace {

using Program = _nvrtcProgram*;
constexpr int kCompilation = 6, kOther = 11;
namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return all + "'";
}

/// Functions by which the driver calls the kernels of a file.
std::string binders(const std::string& source) {
    static const std::regex kernel(
        R"re(__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(\s*parallax_input\s+\w+\s*,\s*parallax_output\s+\w+\s*,\s*(parallax_\w+))re");
    std::string text = "\n#include <functional>\n";
    for (std::sregex_iterator k(source.begin(), source.end(), kernel), end; k != end; ++k)
        text +=
            "extern \"C\" void emulatedBind_" + k->str(1) + "(void** a, std::function<void()>* thread) {\n" +
            "    *thread = [in = *static_cast<parallax_input*>(a[0]), out = *static_cast<parallax_output*>(a[1]), p = *static_cast<const " +
            k->str(2) + "*>(a[2]), c = *static_cast<parallax_context*>(a[3])] { " + k->str(1) + "(in, out, p, c); };\n}\n";
    return text;
}

int run(const std::string& command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int compile(_nvrtcProgram& program, int count, const char* const* options) {
    const fs::path folder = fs::path(program.name).parent_path() / "emulated";
    fs::create_directory(folder);
    const std::string source = (folder / "kernel.cu").string(), translated = (folder / "kernel.cpp").string(),
                      library = (folder / "kernel.so").string(), log = (folder / "log").string();
    std::ofstream(source) << program.source;
    std::string command = std::string(PARALLAX_PYTHON) + " -B " + quoted(PARALLAX_TRANSLATE) + " " + quoted(source) + " " +
                          quoted(translated) + " 2>" + quoted(log);
    int result = run(command);
    if (result == 0) {
        // The first line names the file that was translated; the source names its own.
        std::string text = contentOf(translated);
        text = text.substr(text.find('\n') + 1);
        std::ofstream(translated) << text << binders(program.source);
        command = std::string(PARALLAX_CXX) + " -std=c++20 -O1 -fPIC -shared -w -D__CUDACC__ -include cuda_runtime.h -isystem " +
                  quoted(PARALLAX_EMULATED_INCLUDE) + " " + PARALLAX_KERNEL_FLAGS;
        for (int i = 0; i < count; ++i)
            if (std::strncmp(options[i], "-D", 2) == 0 ||
                (std::strncmp(options[i], "-I", 2) == 0 && !std::strstr(options[i], "/cuda/include")))
                command += " " + quoted(options[i]);
        command += " -o " + quoted(library) + " " + quoted(translated) + " " + quoted(PARALLAX_EMULATED_LIBRARY) + " -Wl,-rpath," +
                   quoted(fs::path(PARALLAX_EMULATED_LIBRARY).parent_path().string()) + " 2>" + quoted(log);
        result = run(command);
    }
    program.log = contentOf(log);
    if (result != 0) return kCompilation;
    const std::string code = contentOf(library);
    const std::size_t bytes = code.size();
    program.code = "EMULATED" + std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes) + code;
    return 0;
}

}  // namespace

extern "C" {
int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return 0;
}
const char* nvrtcGetErrorString(int result) { return result == kCompilation ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 1;
    return 0;
}
int nvrtcGetSupportedArchs(int* archs) {
    archs[0] = 90;
    return 0;
}
int nvrtcCreateProgram(Program* program, const char* source, const char* name, int, const char* const*, const char* const*) {
    *program = new _nvrtcProgram{source, name, {}, {}};
    return 0;
}
int nvrtcCompileProgram(Program program, int count, const char* const* options) {
    try {
        return compile(*program, count, options);
    } catch (const std::exception& e) {
        program->log = e.what();
        return kOther;
    }
}
int nvrtcGetProgramLogSize(Program program, std::size_t* bytes) {
    *bytes = program->log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(Program program, char* log) {
    std::memcpy(log, program->log.c_str(), program->log.size() + 1);
    return 0;
}
int nvrtcGetCUBINSize(Program program, std::size_t* bytes) {
    *bytes = program->code.size();
    return 0;
}
int nvrtcGetCUBIN(Program program, char* code) {
    std::memcpy(code, program->code.data(), program->code.size());
    return 0;
}
}
