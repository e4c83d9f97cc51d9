// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kernel_host/cuda/driver.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace parallax::user {
namespace {

constexpr const char* kCheckDriver = "Check the NVIDIA driver with nvidia-smi";

Driver load() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw NoDevice("no NVIDIA driver is installed: libcuda.so.1 was not found",
                       "Install the NVIDIA driver, or run where there is a GPU");
    Driver d;
#define PARALLAX_LOAD(name, parameters)                                 \
    d.name = reinterpret_cast<decltype(d.name)>(dlsym(library, #name)); \
    if (!d.name) throw NoDevice("the NVIDIA driver is too old: it has no " #name, "Install a newer driver");
    PARALLAX_DRIVER_FUNCTIONS(PARALLAX_LOAD)
#undef PARALLAX_LOAD
    d.cuFuncGetParamInfo = reinterpret_cast<decltype(d.cuFuncGetParamInfo)>(dlsym(library, "cuFuncGetParamInfo"));
    return d;
}

int attribute(int which, int device) {
    int value = 0;
    check(driver().cuDeviceGetAttribute(&value, which, device), "The device cannot be described");
    return value;
}

}  // namespace

const Driver& driver() {
    static const Driver started = [] {
        const Driver d = load();
        const int result = d.cuInit(0);
        constexpr int kNoDevices = 100;
        int count = 0;
        if (result == kNoDevices || (result == kSuccess && d.cuDeviceGetCount(&count) == kSuccess && count == 0))
            throw NoDevice("the NVIDIA driver finds no device", "Check CUDA_VISIBLE_DEVICES, and the driver with nvidia-smi");
        if (result != kSuccess) {
            const char* text = nullptr;
            (void)d.cuGetErrorString(result, &text);
            throw NoDevice("the NVIDIA driver does not start: " + std::string(text ? text : "unknown error"), kCheckDriver);
        }
        return d;
    }();
    return started;
}

std::string textOf(int result) {
    const char* text = nullptr;
    (void)driver().cuGetErrorString(result, &text);
    return text ? text : "error " + std::to_string(result) + " of the driver";
}

void check(int result, const char* what) {
    if (result == kSuccess) return;
    if (result == kOutOfMemory) throw std::runtime_error("there is not enough memory on the device");
    throw std::runtime_error(std::string(what) + ": " + textOf(result));
}

int printDevices() {
    try {
        const Driver& d = driver();
        int count = 0, version = 0;
        check(d.cuDeviceGetCount(&count), "Devices cannot be counted");
        check(d.cuDriverGetVersion(&version), "The driver has no version");
        for (int i = 0; i < count; ++i) {
            int device = 0;
            char name[256] = {};
            std::size_t memory = 0;
            check(d.cuDeviceGet(&device, i), "The device cannot be opened");
            check(d.cuDeviceGetName(name, sizeof name, device), "The device cannot be described");
            check(d.cuDeviceTotalMem_v2(&memory, device), "The device cannot be described");
            std::printf("%s\t%d\t%d\t%d\t%zu\t%d.%d\n", name, attribute(kCapabilityMajor, device), attribute(kCapabilityMinor, device),
                        attribute(kMultiprocessors, device), memory, version / 1000, version % 1000 / 10);
        }
        return 0;
    } catch (const NoDevice& e) {
        std::fprintf(stderr, "%s\n%s\n", e.what(), e.advice.c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n%s\n", e.what(), kCheckDriver);
    }
    constexpr int kNone = 3;
    return kNone;
}

}  // namespace parallax::user
