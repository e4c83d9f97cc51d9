// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kernel_host/cuda/nvrtc.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern "C" {
struct _nvrtcProgram;
}

namespace parallax::user {
namespace {

constexpr int kErrors = 1, kNotThere = 3;

class NotThere : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Folders of the toolkit: those that variables name, or else the usual ones.
std::vector<std::string> toolkits() {
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* folder = std::getenv(variable); folder && *folder) folders.emplace_back(folder);
    if (folders.empty()) folders = {"/usr/local/cuda", "/opt/cuda"};
    return folders;
}

void* openLibrary() {
    std::vector<std::string> names;
    if (const char* chosen = std::getenv("PARALLAX_KERNEL_NVRTC"); chosen && *chosen) {
        names = {chosen};
    } else {
        const char* const known[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
        names.assign(std::begin(known), std::end(known));
        for (const std::string& folder : toolkits())
            for (const char* name : known) names.push_back(folder + "/lib64/" + name);
    }
    for (const std::string& name : names)
        if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    throw NotThere(
        names.size() == 1
            ? "NVRTC was not found as '" + names[0] + "', which PARALLAX_KERNEL_NVRTC names"
            : "libnvrtc.so was found neither on the library path nor in the folder of the toolkit (CUDA_HOME, or /usr/local/cuda)");
}

std::string builtinsOf(int major, int minor) { return "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor); }

/// Loads the library that NVRTC opens by its name alone, and so does not find beside itself on every machine.
void loadBuiltins(int (*version)(int*, int*)) {
    int major = 0, minor = 0;
    if (version(&major, &minor) != 0) return;
    std::vector<std::string> folders;
    if (Dl_info info{}; dladdr(reinterpret_cast<void*>(version), &info) != 0 && info.dli_fname) {
        std::error_code error;
        folders.push_back(std::filesystem::path(info.dli_fname).parent_path().string());
        folders.push_back(std::filesystem::canonical(info.dli_fname, error).parent_path().string());
    }
    for (const std::string& toolkit : toolkits()) folders.push_back(toolkit + "/lib64");
    for (const std::string& folder : folders)
        if (!folder.empty() && dlopen((folder + "/" + builtinsOf(major, minor)).c_str(), RTLD_NOW | RTLD_LOCAL)) return;
}

/// The functions of NVRTC that are used, by the documentation of version 12 and 13.
class Nvrtc {
public:
    using Program = _nvrtcProgram*;
    int (*version)(int*, int*) = find<int (*)(int*, int*)>("nvrtcVersion");
    const char* (*errorString)(int) = find<const char* (*)(int)>("nvrtcGetErrorString");
    int (*archCount)(int*) = find<int (*)(int*)>("nvrtcGetNumSupportedArchs");
    int (*archs)(int*) = find<int (*)(int*)>("nvrtcGetSupportedArchs");
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) =
        find<int (*)(Program*, const char*, const char*, int, const char* const*, const char* const*)>("nvrtcCreateProgram");
    int (*compile)(Program, int, const char* const*) = find<int (*)(Program, int, const char* const*)>("nvrtcCompileProgram");
    int (*logSize)(Program, std::size_t*) = find<int (*)(Program, std::size_t*)>("nvrtcGetProgramLogSize");
    int (*log)(Program, char*) = find<int (*)(Program, char*)>("nvrtcGetProgramLog");
    int (*cubinSize)(Program, std::size_t*) = find<int (*)(Program, std::size_t*)>("nvrtcGetCUBINSize");
    int (*cubin)(Program, char*) = find<int (*)(Program, char*)>("nvrtcGetCUBIN");

    void check(int result, const char* what) const {
        if (result != 0) throw std::runtime_error(std::string(what) + ": " + errorString(result));
    }

private:
    template <class Function>
    Function find(const char* name) {
        if (!library_) library_ = openLibrary();
        void* function = dlsym(library_, name);
        if (!function) throw NotThere(std::string("NVRTC is too old: it has no ") + name);
        return reinterpret_cast<Function>(function);
    }
    static inline void* library_ = nullptr;
};

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw std::runtime_error("'" + path + "' cannot be read");
    return text;
}

void write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw std::runtime_error("'" + path + "' cannot be written");
}

/// The folders of headers that are there.
std::vector<std::string> includes() {
    std::vector<std::string> options;
    for (const std::string& folder : toolkits())
        for (const char* part : {"/include", "/include/cccl"}) {
            struct stat info {};
            if (stat((folder + part).c_str(), &info) == 0) options.push_back("-I" + folder + part);
        }
    return options;
}

/// The architecture that the options name; without one the oldest that NVRTC knows is added to them.
std::string architecture(const Nvrtc& nvrtc, std::vector<std::string>& options) {
    for (auto o = options.rbegin(); o != options.rend(); ++o)
        for (const std::string& key : {std::string("--gpu-architecture="), std::string("-arch=")})
            if (o->rfind(key, 0) == 0) return o->substr(key.size());
    int count = 0;
    nvrtc.check(nvrtc.archCount(&count), "NVRTC names no architecture");
    std::vector<int> known(static_cast<std::size_t>(count));
    nvrtc.check(nvrtc.archs(known.data()), "NVRTC names no architecture");
    if (known.empty()) throw std::runtime_error("NVRTC names no architecture");
    options.push_back("--gpu-architecture=sm_" + std::to_string(known.front()));
    return "sm_" + std::to_string(known.front());
}

int compile(const NvrtcRequest& request) {
    const Nvrtc nvrtc;
    loadBuiltins(nvrtc.version);
    int major = 0, minor = 0;
    nvrtc.check(nvrtc.version(&major, &minor), "NVRTC has no version");
    std::vector<std::string> options = request.options;
    const std::string target = architecture(nvrtc, options);
    for (std::string& folder : includes()) options.push_back(std::move(folder));
    std::vector<const char*> list;
    for (const std::string& o : options) list.push_back(o.c_str());
    const std::string text = contentOf(request.source);
    Nvrtc::Program program = nullptr;
    nvrtc.check(nvrtc.create(&program, text.c_str(), request.source.c_str(), 0, nullptr, nullptr), "NVRTC does not start");
    const int result = nvrtc.compile(program, static_cast<int>(list.size()), list.data());
    std::size_t size = 0;
    nvrtc.check(nvrtc.logSize(program, &size), "NVRTC gives no messages");
    std::string log(size, '\0');
    nvrtc.check(nvrtc.log(program, log.data()), "NVRTC gives no messages");
    constexpr int kCompilation = 6, kBuiltins = 7;  // NVRTC_ERROR_COMPILATION, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
    if (result == kBuiltins) throw NotThere("NVRTC was found without " + builtinsOf(major, minor));
    std::fputs(log.c_str(), stderr);
    if (result != 0 && result != kCompilation) std::fprintf(stderr, "NVRTC: %s\n", nvrtc.errorString(result));
    if (result != 0) return kErrors;
    nvrtc.check(nvrtc.cubinSize(program, &size), "NVRTC gives no code");
    std::string module(size, '\0');
    if (size > 0) nvrtc.check(nvrtc.cubin(program, module.data()), "NVRTC gives no code");
    if (module.empty()) throw std::runtime_error("NVRTC gives no code for " + target + "; name a real architecture, as sm_90");
    write(request.module, module);
    write(request.info, "NVRTC " + std::to_string(major) + "." + std::to_string(minor) + " for " + target + "\n");
    return 0;
}

}  // namespace

int compileByNvrtc(const NvrtcRequest& request) {
    try {
        return compile(request);
    } catch (const NotThere& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return kNotThere;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return kErrors;
    }
}

}  // namespace parallax::user
