// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/memory_text.hpp"

#include <QCoreApplication>

#include "ui/models/document/formatting.hpp"

namespace parallax::ui {
namespace {

QString bytes(std::uint64_t n) { return formatBytes(static_cast<double>(n)); }

}  // namespace

QString memoryText(const RunMemory& memory) {
    QString text = QCoreApplication::translate("memory", "Memory besides the input: %1 estimated").arg(bytes(memory.estimatedHost));
    const auto addMost = [&text](std::uint64_t most) {
        if (most > 0) text += QCoreApplication::translate("memory", ", %1 at most").arg(bytes(most));
    };
    addMost(memory.host);
    if (memory.scratch > 0)
        text += QCoreApplication::translate("memory", ", and %1 in scratch files, since memory is short").arg(bytes(memory.scratch));
    if (memory.estimatedDevice > 0)
        text += QLatin1Char('\n') +
                QCoreApplication::translate("memory", "Memory of the device: %1 estimated").arg(bytes(memory.estimatedDevice));
    addMost(memory.device);
    return text;
}

QString shortMemoryText(const RunMemory& memory) {
    QString text = memory.host > 0 ? bytes(memory.host) : QString();
    if (memory.device > 0) text += (text.isEmpty() ? QString() : QStringLiteral(" + ")) + bytes(memory.device);
    return text;
}

}  // namespace parallax::ui
