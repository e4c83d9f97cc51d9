// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions of OpenEXR as errors for users.
#pragma once

#include <exception>
#include <string>

#include "core/io/refuse.hpp"

namespace parallax {

/// Removes the name of the file from a message of OpenEXR: 'Cannot read image file "NAME". Why.' becomes 'Why'.
std::string reasonOf(const std::string& said, const std::string& path);

/// Throws std::bad_alloc if memory ran out, which is not damage. For exceptions of worker threads OpenEXR only passes on the text.
void rethrowIfOutOfMemory(const std::exception& e);

/// Throws Error(input) for a file that OpenEXR refuses with the message `said`.
[[noreturn]] void refuseFailed(const std::string& path, const std::string& said);

/// Throws what `work` throws, exceptions of OpenEXR as Error(input) or std::bad_alloc.
template <class F>
auto withReason(const std::string& path, F&& work) {
    try {
        return work();
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        rethrowIfOutOfMemory(e);
        refuseFailed(path, e.what());
    }
}

}  // namespace parallax
