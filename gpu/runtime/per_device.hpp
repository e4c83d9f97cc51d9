// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <mutex>

namespace parallax::gpu {

/// One object per device, behind a pointer of type T. Variables of this type are never destroyed, since CUDA shuts down before static
/// objects are destroyed.
template <class T>
class PerDevice {
public:
    /// Returns the object of a device; if there is none yet, that which `make` returns.
    template <class Make>
    T of(int device, Make&& make) {
        const std::scoped_lock lock(mutex_);
        T& object = objects_[device];
        if (!object) object = make();
        return object;
    }

private:
    std::mutex mutex_;
    std::map<int, T> objects_;
};

}  // namespace parallax::gpu
