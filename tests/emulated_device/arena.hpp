// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of one device on a machine with several, in pages of its own, so that kernels of other devices can be kept out.
#pragma once

#include <cstddef>
#include <map>

namespace emulatedDevice {

class Arena {
public:
    explicit Arena(std::size_t bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Returns nullptr if there is no room. A multiple of 256 bytes, aligned to that.
    void* allocate(std::size_t bytes);
    void release(void* p);
    bool contains(const void* p) const { return static_cast<const char*>(p) >= base_ && static_cast<const char*>(p) < base_ + bytes_; }
    void allowAccess(bool allowed);

private:
    char* base_ = nullptr;
    std::size_t bytes_;
    bool allowed_ = true;
    std::map<std::size_t, std::size_t> free_, used_;  ///< offset, bytes
};

}  // namespace emulatedDevice
