// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {

inline constexpr const char* kCloseImages = "Close other images or use a smaller one";

/// Calls f() and turns whatever implementations may throw into Error, so that callers see one type. `memoryAdvice`: what to do if
/// memory runs out.
template <class F>
auto translated(const std::string& who, F&& f, const char* memoryAdvice = kCloseImages) {
    try {
        return std::forward<F>(f)();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, "Not enough memory", who + " could not get what it needs", memoryAdvice);
    } catch (const std::system_error& e) {
        if (e.code() != std::errc::resource_unavailable_try_again) throw Error(ErrorCode::failed, who + " failed", e.what());
        throw Error(ErrorCode::memory, who + " cannot start a thread", "memory or the allowed number of threads is used up",
                    "Close other programs, or raise the limit (ulimit)");
    } catch (const std::exception& e) {
        throw Error(ErrorCode::failed, who + " failed", e.what());
    }
}

}  // namespace parallax
