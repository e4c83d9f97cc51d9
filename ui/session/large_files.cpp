// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/large_files.hpp"

#include "core/io/large_file.hpp"

namespace parallax::ui {

LargeFiles& LargeFiles::instance() {
    static LargeFiles files;
    return files;
}

std::uint64_t LargeFiles::limitOf(const QString& input) const { return trusted_.contains(input) ? kAnyUnpacked : kUnpackedBytes; }

bool LargeFiles::ask(const QString& input, std::uint64_t unpacked, const std::function<void()>& open) {
    if (unpacked == 0 || !asker_) return false;
    return asker_(input, unpacked, [this, input, open] {
        trusted_.insert(input);
        open();
    });
}

ImagePtr openNotingSize(const QString& input, const LoadOptions& options, std::uint64_t& unpacked) {
    try {
        return std::make_shared<const Image>(openInput(input.toStdString(), options));
    } catch (const LargeFile& e) {
        unpacked = e.unpacked();
        throw;
    }
}

}  // namespace parallax::ui
