// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for the CUDA toolkit's header of this name: vectors of 1 to 4 numbers with the toolkit's alignments, dim3.
#pragma once

#define PARALLAX_EMULATED_VECTOR(name, type, align2, align4)                    \
    struct name##1 {                                                            \
        type x;                                                                 \
    };                                                                          \
    struct alignas(align2) name##2 {                                            \
        type x, y;                                                              \
    };                                                                          \
    struct name##3 {                                                            \
        type x, y, z;                                                           \
    };                                                                          \
    struct alignas(align4) name##4 {                                            \
        type x, y, z, w;                                                        \
    };                                                                          \
    inline name##1 make_##name##1(type x) { return {x}; }                       \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

PARALLAX_EMULATED_VECTOR(char, signed char, 2, 4)
PARALLAX_EMULATED_VECTOR(uchar, unsigned char, 2, 4)
PARALLAX_EMULATED_VECTOR(short, short, 4, 8)
PARALLAX_EMULATED_VECTOR(ushort, unsigned short, 4, 8)
PARALLAX_EMULATED_VECTOR(int, int, 8, 16)
PARALLAX_EMULATED_VECTOR(uint, unsigned, 8, 16)
PARALLAX_EMULATED_VECTOR(longlong, long long, 16, 16)
PARALLAX_EMULATED_VECTOR(ulonglong, unsigned long long, 16, 16)
PARALLAX_EMULATED_VECTOR(float, float, 8, 16)
PARALLAX_EMULATED_VECTOR(double, double, 16, 16)
#undef PARALLAX_EMULATED_VECTOR

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1) : x(width), y(height), z(depth) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
