// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI files to test with, written byte by byte after the format's description and not by niftilib.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace parallax::test {

struct MadeNifti {
    int version = 1;
    bool big = false, pair = false;
    int datatype = 4;  ///< 2 uint8, 4 int16, 8 int32, 16 float, 64 double, 256 int8, 512 uint16, 768 uint32, 1024 int64, 1280 uint64
    std::vector<std::int64_t> dims{4, 3, 2};
    std::array<double, 8> pixdim{1, 2, 3, 4, 1, 0, 0, 0};
    double slope = 0, inter = 0, calMin = 0, calMax = 0;
    int qform = 0, sform = 1, units = 2;  ///< 1 metre, 2 millimetre, 3 micron
    std::array<double, 3> quatern{}, qoffset{};
    std::array<std::array<double, 4>, 3> srow{{{2, 0, 0, -10}, {0, 3, 0, -20}, {0, 0, 4, -30}}};
    double voxOffset = -1;  ///< -1: what it must be
    std::string descrip;
    std::string extension;  ///< bytes between header and samples, a multiple of 16
    std::function<double(std::size_t)> sample = [](std::size_t i) { return static_cast<double>(i); };

    static int bytesOf(int datatype) {
        switch (datatype) {
            case 2:
            case 256: return 1;
            case 4:
            case 512: return 2;
            case 8:
            case 16:
            case 768: return 4;
            default: return 8;
        }
    }

    std::vector<std::uint8_t> header() const {
        Bytes b{big, std::vector<std::uint8_t>(version == 1 ? 348 : 540)};
        const double offset = voxOffset >= 0 ? voxOffset : pair ? 0 : static_cast<double>((version == 1 ? 352 : 544) + extension.size());
        const char* const magic1 = pair ? "ni1" : "n+1";
        if (version == 1) {
            b.i32(0, 348);
            b.i16(40, static_cast<int>(dims.size()));
            for (std::size_t i = 0; i < 7; ++i) b.i16(42 + 2 * i, i < dims.size() ? static_cast<int>(dims[i]) : 1);
            b.i16(70, datatype);
            b.i16(72, 8 * bytesOf(datatype));
            for (std::size_t i = 0; i < 8; ++i) b.f32(76 + 4 * i, pixdim[i]);
            b.f32(108, offset);
            b.f32(112, slope);
            b.f32(116, inter);
            b.bytes[123] = static_cast<std::uint8_t>(units);
            b.f32(124, calMax);
            b.f32(128, calMin);
            b.text(148, descrip, 79);
            b.i16(252, qform);
            b.i16(254, sform);
            for (std::size_t i = 0; i < 3; ++i) {
                b.f32(256 + 4 * i, quatern[i]);
                b.f32(268 + 4 * i, qoffset[i]);
                for (std::size_t k = 0; k < 4; ++k) b.f32(280 + 16 * i + 4 * k, srow[i][k]);
            }
            b.text(344, magic1, 3);
        } else {
            b.i32(0, 540);
            b.text(4, pair ? "ni2" : "n+2", 3);
            b.bytes[8] = '\r';
            b.bytes[9] = '\n';
            b.bytes[10] = 26;
            b.bytes[11] = '\n';
            b.i16(12, datatype);
            b.i16(14, 8 * bytesOf(datatype));
            b.i64(16, static_cast<std::int64_t>(dims.size()));
            for (std::size_t i = 0; i < 7; ++i) b.i64(24 + 8 * i, i < dims.size() ? dims[i] : 1);
            for (std::size_t i = 0; i < 8; ++i) b.f64(104 + 8 * i, pixdim[i]);
            b.i64(168, static_cast<std::int64_t>(offset));
            b.f64(176, slope);
            b.f64(184, inter);
            b.f64(192, calMax);
            b.f64(200, calMin);
            b.text(240, descrip, 79);
            b.i32(344, qform);
            b.i32(348, sform);
            for (std::size_t i = 0; i < 3; ++i) {
                b.f64(352 + 8 * i, quatern[i]);
                b.f64(376 + 8 * i, qoffset[i]);
                for (std::size_t k = 0; k < 4; ++k) b.f64(400 + 32 * i + 8 * k, srow[i][k]);
            }
            b.i32(500, units);
        }
        return b.bytes;
    }

    std::vector<std::uint8_t> samples() const {
        std::size_t n = 1;
        for (const std::int64_t d : dims) n *= static_cast<std::size_t>(d);
        const auto width = static_cast<std::size_t>(bytesOf(datatype));
        Bytes b{big, std::vector<std::uint8_t>(n * width)};
        for (std::size_t i = 0; i < n; ++i) {
            const double v = sample(i);
            const std::size_t at = i * width;
            switch (datatype) {
                case 16: b.f32(at, v); break;
                case 64: b.f64(at, v); break;
                case 2: b.put(at, static_cast<std::uint8_t>(v)); break;
                case 256: b.put(at, static_cast<std::int8_t>(v)); break;
                case 4: b.put(at, static_cast<std::int16_t>(v)); break;
                case 512: b.put(at, static_cast<std::uint16_t>(v)); break;
                case 8: b.put(at, static_cast<std::int32_t>(v)); break;
                case 768: b.put(at, static_cast<std::uint32_t>(v)); break;
                case 1280: b.put(at, static_cast<std::uint64_t>(v)); break;
                default: b.put(at, static_cast<std::int64_t>(v)); break;
            }
        }
        return b.bytes;
    }

    /// Header, four bytes that tell of extensions, extension, samples. A pair's samples are apart.
    std::vector<std::uint8_t> bytes() const {
        std::vector<std::uint8_t> out = header();
        out.insert(out.end(), {static_cast<std::uint8_t>(!extension.empty()), 0, 0, 0});
        out.insert(out.end(), extension.begin(), extension.end());
        if (pair) return out;
        const std::vector<std::uint8_t> s = samples();
        out.insert(out.end(), s.begin(), s.end());
        return out;
    }
    void write(const std::string& path) const { put(path, bytes()); }
    static void put(const std::string& path, const std::vector<std::uint8_t>& b) {
        std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(b.data()), static_cast<std::streamsize>(b.size()));
    }

private:
    struct Bytes {
        bool big;
        std::vector<std::uint8_t> bytes;

        template <class T>
        void put(std::size_t at, T value) {
            auto raw = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
            if (big) std::reverse(raw.begin(), raw.end());
            std::memcpy(bytes.data() + at, raw.data(), raw.size());
        }
        void i16(std::size_t at, int v) { put(at, static_cast<std::int16_t>(v)); }
        void i32(std::size_t at, int v) { put(at, static_cast<std::int32_t>(v)); }
        void i64(std::size_t at, std::int64_t v) { put(at, v); }
        void f32(std::size_t at, double v) { put(at, static_cast<float>(v)); }
        void f64(std::size_t at, double v) { put(at, v); }
        void text(std::size_t at, const std::string& t, std::size_t most) {
            std::memcpy(bytes.data() + at, t.data(), std::min(t.size(), most));
        }
    };
};

}  // namespace parallax::test
