// SPDX-License-Identifier: GPL-3.0-or-later
// DICOM files to test with, written element by element: also such as no proper program would write.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace parallax::test {

struct MadeDicom {
    enum class Encoding { implicitLittle, explicitLittle, explicitBig };

    int width = 4, height = 3;
    Encoding encoding = Encoding::explicitLittle;
    std::string transferSyntax = "1.2.840.10008.1.2.1";
    int bitsAllocated = 16, bitsStored = 16, highBit = -1;  ///< -1: the highest of those stored
    bool isSigned = false;
    /// Stored bits of a sample, as they are in the file.
    std::function<std::uint32_t(int x, int y)> sample = [](int x, int y) { return static_cast<std::uint32_t>(100 * y + x); };
    std::array<double, 3> position{0, 0, 0};
    std::array<double, 6> orientation{1, 0, 0, 0, 1, 0};
    std::array<double, 2> spacing{0.5, 0.7};  ///< of rows, of columns: as it is stored
    int instance = 1, series = 1;
    std::string seriesUid = "1.2.3.4.1";
    /// Text elements to add, to replace, or (empty, with VR "--") to leave out. Keys are group << 16 | element.
    std::map<std::uint32_t, std::pair<std::string, std::string>> texts;
    /// In place of the samples: the items of an encapsulated image.
    std::vector<std::uint8_t> encapsulated;
    bool preamble = true, meta = true;

    std::vector<std::uint8_t> bytes() const {
        Writer w{encoding == Encoding::explicitBig, encoding == Encoding::implicitLittle, {}};
        std::map<std::uint32_t, Element> elements;
        const auto text = [&](std::uint32_t tag, const char* vr, const std::string& value) { elements[tag] = {vr, value}; };
        const auto number = [&](std::uint32_t tag, int value) {
            std::string two;
            const auto u = static_cast<std::uint16_t>(value);
            const char low = static_cast<char>(u & 255), high = static_cast<char>(u >> 8);
            two += w.big ? high : low;
            two += w.big ? low : high;
            elements[tag] = {"US", two};
        };
        const std::string uid = seriesUid + "." + std::to_string(instance);
        text(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2");
        text(0x00080018, "UI", uid);
        text(0x00080060, "CS", "CT");
        text(0x0020000e, "UI", seriesUid);
        text(0x00200011, "IS", std::to_string(series));
        text(0x00200013, "IS", std::to_string(instance));
        text(0x00200032, "DS", joined(position));
        text(0x00200037, "DS", joined(orientation));
        number(0x00280002, 1);
        text(0x00280004, "CS", "MONOCHROME2");
        number(0x00280010, height);
        number(0x00280011, width);
        text(0x00280030, "DS", joined(spacing));
        number(0x00280100, bitsAllocated);
        number(0x00280101, bitsStored);
        number(0x00280102, highBit < 0 ? bitsStored - 1 : highBit);
        number(0x00280103, isSigned);
        text(0x00281052, "DS", "-1024");
        text(0x00281053, "DS", "1");
        for (const auto& [tag, value] : texts) {
            if (value.first == "--") elements.erase(tag);
            else elements[tag] = {value.first, value.second};
        }

        std::vector<std::uint8_t> out;
        if (preamble) {
            out.assign(128, 0);
            append(out, "DICM");
        }
        if (meta) {
            Writer m{false, false, {}};
            m.element(0x00020010, {"UI", transferSyntax});
            Writer length{false, false, {}};
            const auto n = static_cast<std::uint32_t>(m.out.size());
            length.element(0x00020000, {"UL", std::string{static_cast<char>(n), static_cast<char>(n >> 8), 0, 0}});
            out.insert(out.end(), length.out.begin(), length.out.end());
            out.insert(out.end(), m.out.begin(), m.out.end());
        }
        for (const auto& [tag, element] : elements) w.element(tag, element);
        if (encapsulated.empty()) {
            w.begin(0x7fe00010, bitsAllocated > 8 ? "OW" : "OB", static_cast<std::uint32_t>((sampleBytes() + 1) / 2 * 2));
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    const std::uint32_t v = sample(x, y);
                    for (int i = 0; i < bitsAllocated / 8; ++i)
                        w.out.push_back(static_cast<std::uint8_t>(v >> (8 * (w.big ? bitsAllocated / 8 - 1 - i : i))));
                }
            if (sampleBytes() % 2) w.out.push_back(0);
        } else {
            w.begin(0x7fe00010, "OB", 0xffffffff);
            w.out.insert(w.out.end(), encapsulated.begin(), encapsulated.end());
        }
        out.insert(out.end(), w.out.begin(), w.out.end());
        return out;
    }

    void write(const std::string& path) const {
        const std::vector<std::uint8_t> b = bytes();
        std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(b.data()), static_cast<std::streamsize>(b.size()));
    }

    /// An offset table without entries, one item, the end.
    static std::vector<std::uint8_t> items(const std::vector<std::uint8_t>& stream) {
        std::vector<std::uint8_t> out{0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0, 0xfe, 0xff, 0x00, 0xe0};
        const auto n = static_cast<std::uint32_t>((stream.size() + 1) / 2 * 2);
        for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(n >> (8 * i)));
        out.insert(out.end(), stream.begin(), stream.end());
        if (stream.size() % 2) out.push_back(0);
        const std::uint8_t end[] = {0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0};
        out.insert(out.end(), std::begin(end), std::end(end));
        return out;
    }

private:
    struct Element {
        std::string vr, value;
    };
    struct Writer {
        bool big, implicitVr;
        std::vector<std::uint8_t> out;

        void u16(std::uint32_t v) {
            const std::uint8_t low = static_cast<std::uint8_t>(v), high = static_cast<std::uint8_t>(v >> 8);
            out.push_back(big ? high : low);
            out.push_back(big ? low : high);
        }
        void u32(std::uint32_t v) {
            if (big) {
                u16(v >> 16);
                u16(v & 0xffff);
            } else {
                u16(v & 0xffff);
                u16(v >> 16);
            }
        }
        void begin(std::uint32_t tag, const std::string& vr, std::uint32_t length) {
            u16(tag >> 16);
            u16(tag & 0xffff);
            if (implicitVr) return u32(length);
            append(out, vr);
            static const std::string longs = "OB OD OF OL OV OW SQ SV UC UN UR UT UV";
            if (longs.find(vr) != std::string::npos) {
                u16(0);
                u32(length);
            } else {
                u16(length);
            }
        }
        void element(std::uint32_t tag, Element e) {
            if (e.value.size() % 2) e.value += e.vr == "UI" ? '\0' : ' ';
            begin(tag, e.vr, static_cast<std::uint32_t>(e.value.size()));
            append(out, e.value);
        }
    };

    std::size_t sampleBytes() const { return static_cast<std::size_t>(width * height * bitsAllocated / 8); }
    static void append(std::vector<std::uint8_t>& out, const std::string& text) { out.insert(out.end(), text.begin(), text.end()); }
    template <std::size_t N>
    static std::string joined(const std::array<double, N>& v) {
        std::string text;
        for (const double x : v) {
            char number[32];
            std::snprintf(number, sizeof(number), "%.10g", x);
            text += (text.empty() ? "" : "\\") + std::string(number);
        }
        return text;
    }
};

}  // namespace parallax::test
