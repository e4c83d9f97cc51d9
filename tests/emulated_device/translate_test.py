#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What translate.py makes of CUDA C++, and what it refuses."""
import unittest

import translate


def translated(text):
    result = translate.translate(text, "a.cu", translate.kernels_without_names(text))
    first, rest = result.split("\n", 1)
    assert first == '#line 1 "a.cu"'
    assert rest.count("\n") == text.count("\n"), "lines moved"
    return rest


class Translation(unittest.TestCase):
    def test_launches(self):
        self.assertEqual(
            translated("f<<<g, b>>>(x, y);"), '::emulatedDevice::configure(g, b).kernel("f", f)(x, y);'
        )
        self.assertEqual(
            translated("n::f<A, 3>\n    <<<dim3(a, b), 32, 0, s>>>(x);"),
            '::emulatedDevice::configure(dim3(a, b), 32, 0, s).kernel("n::f<A, 3>", n::f<A, 3>)\n(x);',
        )
        self.assertIn(
            "configure(of<B<int>>(n), 32)", translated("f<<<of<B<int>>(n), 32>>>(x);"), "brackets in the configuration"
        )
        self.assertIn('"f<B<C>>", f<B<C>>)(x)', translated("f<B<C>><<<1, 2>>>(x);"))

    def test_launches_that_deduce(self):
        text = "template <class T>\n__global__ void f(T* p) {}\nvoid g(int* p) { f<<<1, 2>>>(p); f<int><<<1, 2>>>(p); }\n"
        self.assertIn('configure(1, 2).deduced("f", [](auto... a) { f(a...); })(p);', translated(text))
        self.assertIn('.kernel("f<int>", f<int>)(p);', translated(text))

    def test_what_only_looks_like_one(self):
        for text in ['// f<<<1, 2>>>(p)\n', 'const char* s = "f<<<1, 2>>>(p)";', "/* __shared__ int x; */", "const char c = '\"';"]:
            self.assertEqual(translated(text), text)

    def test_shared_memory(self):
        out = translated("__shared__ __align__(16) float a[N][K + 1], b;")
        self.assertIn("auto& a = ::emulatedDevice::sharedAs<float[N][K + 1], (16)>(&emulatedKeyOf_a, PARALLAX_EMULATED_PLACE)", out)
        self.assertIn("auto& b = ::emulatedDevice::sharedAs<float, (16)>", out)
        self.assertIn("sharedAs<typename T::V[8], (1)>", translated("__shared__ typename T::V v[8];"))
        out = translated("alignas(alignof(T)) __shared__ unsigned char m[n * sizeof(T)];")
        self.assertIn("sharedAs<unsigned char[n * sizeof(T)], (alignof(T))>", out)
        out = translated("extern __shared__ __align__(16) float s[];")
        self.assertIn("float* const s = static_cast<float*>(::emulatedDevice::dynamicSharedMemory((16) > alignof(float)", out)

    def test_bounds(self):
        out = translated("template <int N>\n__global__ void __launch_bounds__(of<N, 2>(3), 4)\n    f(int (*g)(int), int n) {\n}\n")
        self.assertIn("{ ::emulatedDevice::checkLaunchBounds(of<N, 2>(3), PARALLAX_EMULATED_PLACE);", out)
        self.assertNotIn("check", translated("__global__ void __launch_bounds__(3) f();"))

    def test_others(self):
        self.assertEqual(translated("#pragma unroll 4\nf();\n"), "\nf();\n")
        self.assertEqual(translated('asm volatile("prefetch.global.L2 [%0];" ::"l"(p));'), "static_cast<void>(0);")
        self.assertEqual(translated("__noinline__ void f();"), "__attribute__((noinline)) void f();")

    def test_refusals(self):
        for text in [
            'asm("mul.lo.u32 %0, %1, %2;" : "=r"(x));',
            "__shared__ int x = 3;",
            "extern __shared__ int x[4];",
            "f<<<1, 2>>>;",
        ]:
            with self.assertRaises(translate.Failure, msg=text):
                translated(text)


if __name__ == "__main__":
    unittest.main()
