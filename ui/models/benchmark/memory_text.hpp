// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/engine/run/run_memory.hpp"

namespace parallax::ui {

/// Memory of a run in words, estimated and taken, with a line for its device; without what is unknown.
QString memoryText(const RunMemory& memory);
/// "13.0 MiB", with a device "13.0 MiB + 24.0 MiB": what it took; empty if that is unknown.
QString shortMemoryText(const RunMemory& memory);

}  // namespace parallax::ui
