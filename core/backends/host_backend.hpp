// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// A backend in host memory whose only device is the processor, number 0.
class HostBackend : public Backend {
public:
    std::vector<const Implementation*> implementations() const override {
        std::vector<const Implementation*> all;
        for (const auto& i : implementations_) all.push_back(i.get());
        return all;
    }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override {
        if (context.device != 0)
            throw Error(ErrorCode::unavailable, "Backend '" + id() + "' has no device " + std::to_string(context.device),
                        "the processor is its only device, number 0");
        return makeHostSession();
    }

protected:
    /// The default is the one with the highest preference(), or else the first that supports a problem.
    std::vector<std::unique_ptr<Implementation>> implementations_;
};

}  // namespace parallax
