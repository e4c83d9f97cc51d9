// SPDX-License-Identifier: GPL-3.0-or-later
// Copies between the devices of several sessions, by their copy engines.
#pragma once

#include <memory>
#include <span>

#include "core/parallel/sample_transport.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {

/// The sessions, one for each part, outlive the transport. Throws Error.
std::shared_ptr<SampleTransport> makePeerTransport(std::span<CudaSession* const> sessions);

}  // namespace parallax::gpu
