#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time from the start of the program to its first frame on an X server; the limit is 0.5 s, warm, for the median.

Usage: start_time.py PARALLAX [RUNS]     exit code 1 beyond the limit, 77 without Xvfb or libX11.

A frame is there as soon as the screen, black before, shows more than a few colours: what a person sees, asked of the X server every
few milliseconds. The first run fills the caches and does not count.
"""
import ctypes
import ctypes.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 0.5
WIDTH, HEIGHT = 1920, 1080
ALL_PLANES, Z_PIXMAP = ctypes.c_ulong(-1), 2
FEW_COLOURS = 8


class XImage(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.POINTER(ctypes.c_char))]


class Screen:
    """Returns the number of colours in every tenth row of the screen."""

    def __init__(self, name: str):
        self.x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.x11.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
                                       ctypes.c_ulong, ctypes.c_int]
        self.x11.XGetImage.restype = ctypes.POINTER(XImage)
        self.x11.XDestroyImage.argtypes = [ctypes.POINTER(XImage)]
        for _ in range(200):
            self.display = self.x11.XOpenDisplay(name.encode())
            if self.display:
                break
            time.sleep(0.02)
        else:
            sys.exit("start_time: the X server did not come up")
        self.root = self.x11.XDefaultRootWindow(self.display)

    def colours(self) -> int:
        found = set()
        for y in range(40, HEIGHT, 108):
            image = self.x11.XGetImage(self.display, self.root, 0, y, WIDTH, 1, ALL_PLANES, Z_PIXMAP)
            found.update(memoryview(ctypes.string_at(image.contents.data, WIDTH * 4)).cast("I"))
            self.x11.XDestroyImage(image)
        return len(found)


def first_frame(program: str, screen: Screen, environment: dict[str, str]) -> float:
    while screen.colours() > FEW_COLOURS:  # of the run before
        time.sleep(0.01)
    start = time.monotonic()
    process = subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while screen.colours() <= FEW_COLOURS:
        if process.poll() is not None:
            sys.exit(f"start_time: {program} ended with {process.returncode}")
        if time.monotonic() - start > 60:
            sys.exit("start_time: no frame within a minute")
        time.sleep(0.002)
    seconds = time.monotonic() - start
    process.terminate()
    process.wait()
    return seconds


def main() -> int:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    runs = int(sys.argv[2]) if len(sys.argv) == 3 else 9
    if not shutil.which("Xvfb") or not ctypes.util.find_library("X11"):
        print("start time: no Xvfb or libX11 here")
        return 77
    with tempfile.TemporaryDirectory() as home:
        read, write = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"], pass_fds=[write],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        try:
            display = ":" + os.read(read, 16).decode().strip()
            screen = Screen(display)
            environment = os.environ | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "HOME": home, "XDG_CONFIG_HOME": home,
                                        "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home, "XDG_RUNTIME_DIR": home}
            os.chmod(home, 0o700)
            first_frame(sys.argv[1], screen, environment)
            seconds = sorted(first_frame(sys.argv[1], screen, environment) for _ in range(runs))
        finally:
            server.terminate()
            server.wait()
    median = statistics.median(seconds)
    print(f"start to first frame, {WIDTH} x {HEIGHT}, warm, {runs} runs: median {1000 * median:.0f} ms, "
          f"least {1000 * seconds[0]:.0f}, most {1000 * seconds[-1]:.0f}; limit {1000 * LIMIT:.0f} ms: "
          f"{'within' if median <= LIMIT else 'MISSED'}")
    return 0 if median <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
