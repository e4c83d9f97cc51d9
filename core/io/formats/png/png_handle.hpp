// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <png.h>
#include <csetjmp>

#include <cstdio>

namespace parallax {

/// Structures of libpng and its messages, shared by reader and writer.
struct PngHandle {
    png_structp png = nullptr;
    png_infop info = nullptr;
    char message[256] = "", warning[256] = "";  ///< the error, and the first warning

    static void onError(png_structp p, png_const_charp text) {
        auto* self = static_cast<PngHandle*>(png_get_error_ptr(p));
        std::snprintf(self->message, sizeof self->message, "%s", text);
        longjmp(png_jmpbuf(p), 1);
    }
    static void onWarning(png_structp p, png_const_charp text) {
        auto* self = static_cast<PngHandle*>(png_get_error_ptr(p));
        if (!self->warning[0]) std::snprintf(self->warning, sizeof self->warning, "%s", text);
    }
    /// Calls functions of libpng. Returns false if one reports an error: by a callback that must not return, and C frames may lack
    /// unwinding tables. Hence setjmp, and `calls` must not have objects that need destructors.
    template <class F>
    bool attempt(const F& calls) {
        if (setjmp(png_jmpbuf(png))) return false;
        calls();
        return true;
    }
};

}  // namespace parallax
