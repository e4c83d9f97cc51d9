#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates CUDA C++ to C++ for a host compiler, for tests on the emulated device.

    translate.py INPUT OUTPUT [HEADER...]

What a macro cannot say is rewritten, and nothing else; line numbers stay. HEADER are further files whose kernels are templates that may
be launched in INPUT without naming their arguments.

    kernel<A><<<grid, block>>>(x)     ->  ::emulatedDevice::configure(grid, block).kernel("kernel<A>", kernel<A>)(x)
    __shared__ T name[n];             ->  a reference into the block's shared memory
    extern __shared__ T name[];       ->  a pointer to its dynamic part
    __launch_bounds__(n)              ->  a check at the beginning of the kernel
    #pragma unroll                    ->  nothing
    asm volatile("prefetch. ...")     ->  nothing; any other assembler is an error
    __noinline__                      ->  the attribute that it stands for
"""
import os
import re
import sys


class Failure(Exception):
    """A construct that cannot be translated, with its offset."""

    def __init__(self, offset, what):
        super().__init__(what)
        self.offset = offset


def masked(text):
    """Returns the text, of the same length, with comments, strings and characters blanked, so that brackets can be counted."""

    def blank(match):
        found = match.group(0)
        if found.startswith("/"):
            return re.sub(r"[^\n]", " ", found)
        return found[0] + re.sub(r"[^\n]", "_", found[1:-1]) + found[-1]

    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Za-z])'(?:\\.|[^'\\\n])+'"
    return re.sub(pattern, blank, text, flags=re.S)


OPENING, CLOSING = "([{", ")]}"


def close_of(mask, at):
    """Returns the offset of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(mask)):
        if mask[i] in OPENING:
            depth += 1
        elif mask[i] in CLOSING:
            depth -= 1
            if depth == 0:
                return i
    raise Failure(at, "a bracket is not closed")


def top_level(mask, begin, end, wanted):
    """Returns offsets of `wanted` in mask[begin:end] outside all brackets, including angle brackets."""
    depth, found = 0, []
    for i in range(begin, end):
        c = mask[i]
        if c in OPENING or c == "<":
            if c == wanted and depth == 0:
                found.append(i)
            depth += 1
        elif c in CLOSING or c == ">":
            depth -= 1
        elif c == wanted and depth == 0:
            found.append(i)
    return found


def with_lines(replacement, original):
    """Returns the replacement with as many lines as the original."""
    return replacement + "\n" * (original.count("\n") - replacement.count("\n"))


def one_line(text):
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def kernels_without_names(text):
    """Returns the names of kernels that are templates."""
    mask = masked(text)
    names = set()
    for match in re.finditer(r"\b__global__\b", mask):
        before = mask[: match.start()].rstrip()
        before = re.sub(r"\b(static|inline)\s*$", "", before).rstrip()
        if before.endswith(">") and re.search(r"\btemplate\s*<[^;{}]*$", before):
            names.add(kernel_head(mask, match.end())[0])
    return names


def kernel_head(mask, at):
    """Returns name, offset of the parameters' bracket and __launch_bounds__ of the kernel whose __global__ ends at `at`."""
    bounds = None
    while True:
        match = re.compile(r"[\s\w:*&<>,]*?(\w+)\s*(\()").match(mask, at)
        if not match:
            raise Failure(at, "a kernel without a name")
        if match.group(1) not in ("__launch_bounds__", "__align__", "__cluster_dims__"):
            return match.group(1), match.start(2), bounds
        close = close_of(mask, match.start(2))
        if match.group(1) == "__launch_bounds__":
            commas = top_level(mask, match.start(2) + 1, close, ",")
            bounds = (match.start(2) + 1, commas[0] if commas else close)
        at = close + 1


class Edits:
    def __init__(self, text):
        self.text = text
        self.mask = masked(text)
        self.edits = []

    def replace(self, begin, end, replacement):
        self.edits.append((begin, end, with_lines(replacement, self.text[begin:end])))

    def result(self):
        out, at = [], 0
        for begin, end, replacement in sorted(self.edits):
            if begin < at:
                raise Failure(begin, "two translations overlap")
            out += [self.text[at:begin], replacement]
            at = end
        return "".join(out) + self.text[at:]


def launches(e, templates):
    for match in re.finditer(r"<<<", e.mask):
        end = e.mask.find(">>>", match.end())
        # Angle brackets inside the configuration belong to template arguments; the closing ones are followed by the call's arguments.
        while end >= 0 and not e.mask[end + 3 :].lstrip().startswith("("):
            end = e.mask.find(">>>", end + 1)
        if end < 0:
            raise Failure(match.start(), "a launch without >>>(")
        begin = match.start()
        while e.mask[begin - 1].isspace():
            begin -= 1
        named = e.mask[begin - 1] == ">"
        if named:
            depth = 0
            while True:
                begin -= 1
                c = e.mask[begin]
                if c == ">" or c in CLOSING:
                    depth += 1
                elif c == "<" or c in OPENING:
                    depth -= 1
                    if depth == 0:
                        break
        while e.mask[begin - 1].isspace():
            begin -= 1
        while re.match(r"[\w:]", e.mask[begin - 1]):
            begin -= 1
        kernel = one_line(e.text[begin : match.start()])
        if not re.match(r"[\w:]+", kernel):
            raise Failure(match.start(), "a launch of something that is not a name")
        configuration = one_line(e.text[match.end() : end])
        if not named and kernel.split("::")[-1] in templates:
            how = f'deduced("{kernel}", [](auto... a) {{ {kernel}(a...); }})'
        else:
            how = f'kernel("{kernel}", {kernel})'
        e.replace(begin, end + 3, f"::emulatedDevice::configure({configuration}).{how}")


def declarations(e):
    for match in re.finditer(r"\b(extern\s+)?__shared__\b", e.mask):
        end = e.mask.find(";", match.end())
        if end < 0:
            raise Failure(match.start(), "a declaration in shared memory without an end")
        body, mask = e.text[match.end() : end], e.mask[match.end() : end]
        before = re.search(r"\b(static\s+|(?:__align__|alignas)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)+$", e.mask[: match.start()])
        begin = before.start() if before else match.start()
        alignment = "1"
        for part in [body, e.text[begin : match.start()]]:
            aligned = re.search(r"(?:__align__|alignas)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", part)
            if aligned:
                alignment = aligned.group(1)
        clean = re.compile(r"(?:__align__|alignas)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
        blank = clean.search(mask)
        if blank:
            body = body[: blank.start()] + " " * (blank.end() - blank.start()) + body[blank.end() :]
            mask = mask[: blank.start()] + " " * (blank.end() - blank.start()) + mask[blank.end() :]
        if top_level(mask, 0, len(mask), "=") or "{" in mask:
            raise Failure(match.start(), "shared memory cannot be initialised")
        commas = top_level(mask, 0, len(mask), ",") + [len(mask)]
        brackets = [i for i in top_level(mask, 0, commas[0], "[")]
        first_end = brackets[0] if brackets else commas[0]
        name = re.search(r"(\w+)\s*$", mask[:first_end])
        if not name:
            raise Failure(match.start(), "a declaration in shared memory without a name")
        kind = one_line(body[: name.start()])
        declarators, at = [], name.start()
        for comma in commas:
            declarator = one_line(body[at:comma])
            split = re.match(r"(\w+)\s*(.*)$", declarator)
            if not split:
                raise Failure(match.start(), "only arrays and plain variables can be in shared memory here")
            declarators.append((split.group(1), split.group(2)))
            at = comma + 1
        out = []
        for variable, dimensions in declarators:
            if match.group(1):
                if not re.match(r"\[\s*\]$", dimensions):
                    raise Failure(match.start(), "dynamic shared memory is an array without a length")
                bytes_aligned = f"({alignment}) > alignof({kind}) ? ({alignment}) : alignof({kind})"
                out.append(
                    f"{kind}* const {variable} = static_cast<{kind}*>"
                    f"(::emulatedDevice::dynamicSharedMemory({bytes_aligned}, PARALLAX_EMULATED_PLACE))"
                )
            else:
                out.append(
                    f"static const char emulatedKeyOf_{variable} = 0; "
                    f"auto& {variable} = ::emulatedDevice::sharedAs<{kind}{dimensions}, ({alignment})>"
                    f"(&emulatedKeyOf_{variable}, PARALLAX_EMULATED_PLACE)"
                )
        e.replace(begin, end, "; ".join(out))


def bounds(e):
    for match in re.finditer(r"\b__global__\b", e.mask):
        _, parameters, bound = kernel_head(e.mask, match.end())
        after = close_of(e.mask, parameters) + 1
        brace = re.compile(r"\s*\{").match(e.mask, after)
        if bound and brace:
            threads = one_line(e.text[bound[0] : bound[1]])
            e.replace(brace.end() - 1, brace.end(), f"{{ ::emulatedDevice::checkLaunchBounds({threads}, PARALLAX_EMULATED_PLACE);")


def others(e):
    for match in re.finditer(r"^[ \t]*#[ \t]*pragma[ \t]+unroll[^\n]*", e.mask, flags=re.M):
        e.replace(match.start(), match.end(), "")
    for match in re.finditer(r"\b__noinline__\b", e.mask):
        e.replace(match.start(), match.end(), "__attribute__((noinline))")
    for match in re.finditer(r"\b(?:asm|__asm__)\s*(?:volatile|__volatile__)?\s*(\()", e.mask):
        close = close_of(e.mask, match.start(1))
        instruction = re.match(r"\s*\"\s*([\w.]+)", e.text[match.start(1) + 1 : close])
        if not instruction or not instruction.group(1).startswith("prefetch."):
            raise Failure(match.start(), "assembler of a GPU cannot run on the processor")
        e.replace(match.start(), close + 1, "static_cast<void>(0)")


def translate(text, path, templates):
    e = Edits(text)
    launches(e, templates)
    declarations(e)
    bounds(e)
    others(e)
    return f'#line 1 "{path}"\n' + e.result()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, target, headers = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(source, encoding="utf-8") as file:
        text = file.read()
    templates = kernels_without_names(text)
    for header in headers:
        with open(header, encoding="utf-8") as file:
            templates |= kernels_without_names(file.read())
    try:
        translated = translate(text, os.path.abspath(source), templates)
    except Failure as failure:
        line = text.count("\n", 0, failure.offset) + 1
        sys.exit(f"{source}:{line}: error: {failure}")
    if source.endswith(".cu"):
        # nvcc includes this header automatically.
        translated = "#include <cuda_runtime.h>\n" + translated
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    if os.path.exists(target):
        with open(target, encoding="utf-8") as file:
            if file.read() == translated:
                return  # the time of the file stays, so that nothing is compiled again
    with open(target, "w", encoding="utf-8") as file:
        file.write(translated)


if __name__ == "__main__":
    main()
