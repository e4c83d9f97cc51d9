// SPDX-License-Identifier: GPL-3.0-or-later
// Files that would unpack to far more than their size (core/io/large_file.hpp) are opened only if the user agrees.
#pragma once

#include <QSet>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/image/image.hpp"
#include "core/io/loader.hpp"

namespace parallax::ui {

/// In the GUI thread.
class LargeFiles {
public:
    /// Asks whether to open a file that unpacks to `unpacked` bytes or more, and calls `open` if so, at any later time. Returns false if it
    /// cannot ask.
    using Asker = std::function<bool(const QString& input, std::uint64_t unpacked, const std::function<void()>& open)>;

    static LargeFiles& instance();
    void setAsker(Asker asker) { asker_ = std::move(asker); }

    /// The bytes that an input may unpack to; for LoadOptions::unpacked.
    std::uint64_t limitOf(const QString& input) const;
    /// Calls `open` if the user agrees, and lifts the limit of the input before. Returns false if `unpacked` is 0 or no one can be asked.
    bool ask(const QString& input, std::uint64_t unpacked, const std::function<void()>& open);

private:
    Asker asker_;
    QSet<QString> trusted_;
};

/// openInput() for a shared image. If it throws LargeFile, `unpacked` is set before.
ImagePtr openNotingSize(const QString& input, const LoadOptions& options, std::uint64_t& unpacked);

}  // namespace parallax::ui
