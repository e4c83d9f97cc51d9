// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime of AddressSanitizer, which this process has if kernels are instrumented (core/kernels/sanitizer.hpp): reading or writing
// memory that is closed ends the process with a report, which names the line of the kernel.
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>

namespace parallax::user {

class AddressSanitizer {
public:
    /// Looks for the runtime. Without it, or without this call, the functions below do nothing.
    void find() {
        close_ = reinterpret_cast<Region>(dlsym(RTLD_DEFAULT, "__asan_poison_memory_region"));
        open_ = reinterpret_cast<Region>(dlsym(RTLD_DEFAULT, "__asan_unpoison_memory_region"));
    }
    bool found() const { return close_ && open_; }
    /// To call when a kernel was loaded: UndefinedBehaviorSanitizer of GCC is a library of its own, which then learns where reports go.
    void shareReports() const {
        const auto path = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "__sanitizer_get_report_path"));
        if (!found() || !path) return;
        const auto share = [](dl_phdr_info* info, std::size_t, void* name) {
            void* const library = std::strstr(info->dlpi_name, "libubsan") ? dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD) : nullptr;
            const auto set = library ? reinterpret_cast<void (*)(const char*)>(dlsym(library, "__sanitizer_set_report_path")) : nullptr;
            if (set) set(static_cast<const char*>(name));
            return 0;
        };
        dl_iterate_phdr(share, const_cast<char*>(path()));
    }
    void close(const std::byte* begin, const std::byte* end) const {
        if (found() && begin < end) close_(begin, static_cast<std::size_t>(end - begin));
    }
    void open(const std::byte* begin, const std::byte* end) const {
        if (found() && begin < end) open_(begin, static_cast<std::size_t>(end - begin));
    }

private:
    using Region = void (*)(const volatile void*, std::size_t);
    Region close_ = nullptr, open_ = nullptr;
};

inline AddressSanitizer addressSanitizer;

}  // namespace parallax::user
