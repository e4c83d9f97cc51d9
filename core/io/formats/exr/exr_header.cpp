// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_header.hpp"

#include <array>
#include <map>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// Bytes of attributes by their type.
const std::map<std::string, std::uint64_t> kFixedSizes{{"box2i", 16},
                                                       {"box2f", 16},
                                                       {"chromaticities", 32},
                                                       {"compression", 1},
                                                       {"deepImageState", 1},
                                                       {"double", 8},
                                                       {"envmap", 1},
                                                       {"float", 4},
                                                       {"int", 4},
                                                       {"keycode", 28},
                                                       {"lineOrder", 1},
                                                       {"m33d", 72},
                                                       {"m33f", 36},
                                                       {"m44d", 128},
                                                       {"m44f", 64},
                                                       {"rational", 8},
                                                       {"tiledesc", 9},
                                                       {"timecode", 8},
                                                       {"v2d", 16},
                                                       {"v2f", 8},
                                                       {"v2i", 8},
                                                       {"v3d", 24},
                                                       {"v3f", 12},
                                                       {"v3i", 12}};

constexpr std::uint32_t kMagic = 20000630, kMultiPart = 0x1000;

class HeaderWalk {
public:
    explicit HeaderWalk(const std::string& path) : path_(path), source_(path) {}

    std::uint64_t run() {
        if (source_.size() < 8 || number() != kMagic) return 0;
        const bool multiPart = (number() & kMultiPart) != 0;
        for (;;) {
            if (++parts_ > kMaxExrParts) refuseFile(path_, "it has more than " + std::to_string(kMaxExrParts) + " parts");
            for (std::string name = text(); !name.empty(); name = text()) attribute(name);
            if (!multiPart) return at_;
            // An empty header ends the list.
            if (byte() == 0) return at_;
            --at_;
        }
    }

private:
    [[noreturn]] void endsEarly() const { refuseFile(path_, "it is truncated within its header"); }

    std::uint8_t byte() {
        std::uint8_t value = 0;
        if (source_.read(at_, &value, 1) != 1) endsEarly();
        ++at_;
        return value;
    }
    std::uint32_t number() {
        std::array<std::uint8_t, 4> b{};
        if (source_.read(at_, b.data(), 4) != 4) endsEarly();
        at_ += 4;
        return std::uint32_t{b[0]} | std::uint32_t{b[1]} << 8 | std::uint32_t{b[2]} << 16 | std::uint32_t{b[3]} << 24;
    }
    std::string text() {
        constexpr std::size_t kLongest = 255;
        std::string value;
        while (const std::uint8_t c = byte()) {
            value += static_cast<char>(c);
            if (value.size() > kLongest) refuseFile(path_, "a name in its header has more than " + std::to_string(kLongest) + " bytes");
        }
        return value;
    }
    void attribute(const std::string& name) {
        const std::string type = text();
        const std::uint64_t size = number(), left = source_.size() - at_;
        if (size > left)
            refuseFile(path_,
                       "an attribute of its header declares " + std::to_string(size) + " bytes and " + std::to_string(left) + " are left");
        bytes_ += size;
        if (++attributes_ > kMaxEntries * parts_)
            refuseFile(path_, "its header has more than " + std::to_string(kMaxEntries) + " attributes");
        if (bytes_ > kMaxTextBytes) refuseFile(path_, "its header has more than " + std::to_string(kMaxTextBytes >> 20) + " MiB");
        const std::uint64_t end = at_ + size;
        // OpenEXR reads these by their type, whatever the size, and would go on at another place.
        std::uint64_t needed = size;
        if (const auto fixed = kFixedSizes.find(type); fixed != kFixedSizes.end()) needed = fixed->second;
        if (type == "preview") {
            const std::uint64_t width = size >= 8 ? number() : 0, height = size >= 8 ? number() : 0;
            needed = width > size || height > size ? 0 : 8 + 4 * width * height;
        }
        if (type == "chlist") needed = size == 0 ? 1 : channels(end) - (end - size);
        if (needed != size) refuseFile(path_, "the attribute '" + toUtf8(name) + "' of its header has a wrong size");
        at_ = end;
    }
    /// Returns the offset behind the list of channels, which an empty name ends; behind `end` if there is none.
    std::uint64_t channels(std::uint64_t end) {
        std::size_t count = 0;
        while (at_ < end) {
            if (text().empty()) return at_;
            at_ += 16;
            if (++count > kMaxChannels) refuseFile(path_, "it has more than " + std::to_string(kMaxChannels) + " channels");
        }
        return end + 1;
    }

    const std::string& path_;
    ByteSource source_;
    std::uint64_t at_ = 0, bytes_ = 0;
    std::size_t parts_ = 0, attributes_ = 0;
};

}  // namespace

std::uint64_t checkExrHeaders(const std::string& path) { return HeaderWalk(path).run(); }

}  // namespace parallax
