#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes render.txt: pictures of a small volume, from the formulas in core/operations/render/README.md. Needs numpy and scipy.

First line: "width height depth | spacing x y z | samples", samples slice by slice. Then for each picture a line "step | width height
channels | samples", samples row by row and channel after channel.
"""
import numpy
from scipy import ndimage
from scipy.spatial.transform import Rotation

SIZE, SPACING = (9, 7, 6), numpy.array([0.8, 1.0, 1.5])  # x, y, z
VIEWS = {"xy": ([1, 0, 0], [0, -1, 0]), "xz": ([1, 0, 0], [0, 0, 1]), "yz": ([0, 1, 0], [0, 0, 1])}  # right, up
COLOUR = numpy.array([0.92, 0.84, 0.72])
CURVE = [(0.2, 0.0, "#204080"), (0.6, 0.2, "#c06040"), (1.0, 0.7, "#ffffff")]
CASES = [
    dict(),
    dict(view="xz"),
    dict(view="yz", step=0.5),
    dict(mode="minimum", view="xz", azimuth=35, elevation=20, roll=10, width=11, height=9),
    dict(mode="maximum", azimuth=-70, elevation=50, zoom=0.7, **{"pan-x": 0.1, "pan-y": -0.2}, width=12),
    dict(mode="mean", view="yz", azimuth=200, elevation=-15, step=0.6, height=10),
    dict(mode="mean", view="xz", fov=50, azimuth=20, width=10, height=10, **{"clip-x0": 0.2, "clip-y1": 0.6, "clip-z0": 0.1, "clip-z1": 0.8}),
    dict(mode="surface", threshold=0.55, view="xz", azimuth=30, elevation=25, width=12, height=11),
    dict(mode="surface", threshold=0.55, view="xy", fov=30, width=12, height=11, step=0.3, **{"clip-z0": 0.45}),
    dict(mode="transfer", view="xz", azimuth=-40, elevation=10, step=0.5, width=10, shading="false"),
    dict(mode="transfer", view="yz", azimuth=15, elevation=30, step=0.8, width=9, shading="true"),
]


def linear(hexadecimal):
    code = numpy.array([int(hexadecimal[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return numpy.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


class Picture:
    def __init__(self, volume, case):
        self.volume, self.case = volume, case
        self.size, self.mode, self.step = numpy.array(SIZE), case.get("mode", "maximum"), case.get("step", 1)
        right, up = (numpy.array(v, float) for v in VIEWS[case.get("view", "xy")])
        back = numpy.cross(right, up)
        extent = self.size * SPACING
        wide, high = abs(right) @ extent, abs(up) @ extent
        width, height = case.get("width", 0), case.get("height", 0)
        if not width and not height:
            width, height = (max(SIZE), 0) if wide >= high else (0, max(SIZE))
        self.width = width or max(1, int(height * wide / high + 0.5))
        self.height = height or max(1, int(width * high / wide + 0.5))
        fitted = max(wide / self.width, high / self.height)
        # The camera goes up, then to the right, in axes that stay; then it rolls.
        turn = Rotation.from_rotvec(numpy.radians(case.get("azimuth", 0)) * up) * Rotation.from_rotvec(
            -numpy.radians(case.get("elevation", 0)) * right)
        right, up, back = turn.apply([right, up, back])
        right, up = Rotation.from_rotvec(numpy.radians(case.get("roll", 0)) * back).apply([right, up])
        i, j = numpy.meshgrid(numpy.arange(self.width), numpy.arange(self.height))
        pixel = fitted / case.get("zoom", 1)
        across = (i - (self.width - 1) / 2 - case.get("pan-x", 0) * self.width) * pixel
        down = (j - (self.height - 1) / 2 - case.get("pan-y", 0) * self.height) * pixel
        centre = (self.size - 1) / 2 * SPACING
        self.origin = centre + across[..., None] * right - down[..., None] * up
        self.direction = numpy.broadcast_to(-back, self.origin.shape)
        self.from_eye = "fov" in case
        if self.from_eye:
            eye = centre + back * fitted * max(self.width, self.height) / 2 / numpy.tan(numpy.radians(case["fov"]) / 2)
            self.direction = self.origin - eye
            self.direction = self.direction / numpy.linalg.norm(self.direction, axis=-1, keepdims=True)
            self.origin = numpy.broadcast_to(eye, self.origin.shape)

    def at(self, millimetres):
        x, y, z = numpy.asarray(millimetres) / SPACING
        return float(ndimage.map_coordinates(self.volume, [[z], [y], [x]], order=1, mode="nearest")[0])

    def light(self, p, direction):
        gradient = numpy.array([(self.at(p + e) - self.at(p - e)) / (2 * s) for e, s in zip(numpy.diag(SPACING), SPACING)])
        low, high = self.volume.min(), self.volume.max()
        soft = max(high - low, max(abs(low), abs(high)) / 16) / 512 / SPACING.min()
        return 0.15 + 0.85 * abs(gradient @ direction) / numpy.sqrt(gradient @ gradient + soft**2)

    def ray(self, j, i):
        """Positions of the samples in mm, and the axis of the face where the ray enters."""
        origin, direction = self.origin[j, i], self.direction[j, i]
        clips = [(self.case.get(f"clip-{a}0", 0), self.case.get(f"clip-{a}1", 1)) for a in "xyz"]
        entry, leave, face = (0.0 if self.from_eye else -numpy.inf), numpy.inf, None
        for a in range(3):
            ends = [(clips[a][side] * self.size[a] - 0.5) * SPACING[a] for side in (0, 1)]
            if abs(direction[a]) < 1e-12:
                if not ends[0] <= origin[a] < ends[1]:
                    return [], None
                continue
            near, far = sorted((end - origin[a]) / direction[a] for end in ends)
            if near > entry:
                entry, face = near, a
            leave = min(leave, far)
        if leave <= entry:
            return [], None
        step = self.step * SPACING.min()
        count = max(1, int(numpy.floor((leave - entry) / step + 0.5)))
        first = entry + min(step, leave - entry) / 2
        return [origin + (first + k * step) * direction for k in range(count)], face

    def pixel(self, j, i):
        places, face = self.ray(j, i)
        direction = self.direction[j, i]
        values = numpy.array([self.at(p) for p in places])
        if self.mode in ("maximum", "minimum", "mean"):
            return [getattr(values, self.mode[:4] if self.mode == "mean" else self.mode[:3])() if len(values) else self.volume.min()]
        if self.mode == "surface":
            threshold = self.case["threshold"]
            inside = numpy.flatnonzero(values >= threshold)
            if len(inside) == 0:
                return 0 * COLOUR
            k = inside[0]
            if k == 0:
                return (0.15 + 0.85 * (1 if face is None else abs(direction[face]))) * COLOUR
            share = (threshold - values[k - 1]) / (values[k] - values[k - 1])
            return self.light(places[k - 1] + share * (places[k] - places[k - 1]), direction) * COLOUR
        nodes = numpy.array([node[0] for node in CURVE])
        table = numpy.linspace(nodes[0], nodes[-1], 1025)
        opacities = 1 - (1 - numpy.interp(table, nodes, [node[1] for node in CURVE])) ** self.step
        colours = numpy.array([linear(node[2]) for node in CURVE])
        result, passing = numpy.zeros(3), 1.0
        for p, value in zip(places, values):
            opacity = numpy.interp(value, table, opacities)
            colour = numpy.array([numpy.interp(value, table, numpy.interp(table, nodes, colours[:, c])) for c in range(3)])
            light = self.light(p, direction) if self.case["shading"] == "true" else 1
            result += passing * opacity * light * colour
            passing *= 1 - opacity
        return result

    def samples(self):
        return numpy.array([[self.pixel(j, i) for i in range(self.width)] for j in range(self.height)])


def main():
    # A ball and a ramp: a surface with gradients, and values that differ everywhere.
    z, y, x = numpy.meshgrid(*(numpy.arange(n) for n in reversed(SIZE)), indexing="ij")
    distance = numpy.sqrt(((x - 4.2) * 0.8) ** 2 + ((y - 2.7) * 1.0) ** 2 + ((z - 2.4) * 1.5) ** 2)
    volume = (1 / (1 + numpy.exp(2 * (distance - 2.6))) * 0.8 + 0.02 * x + 0.015 * y).astype(numpy.float32).astype(float)
    with open("render.txt", "w", encoding="ascii") as out:
        print(*SIZE, "|", *SPACING, "|", *(f"{v:.9g}" for v in volume.ravel()), file=out)
        for case in CASES:
            values = dict(case)
            if values.get("mode") == "transfer":
                values["curve"] = "'" + " ".join(f"{v}:{a}:{c}" for v, a, c in CURVE) + "'"
            text = ",".join(f"{key}={value}" for key, value in values.items())
            samples = Picture(volume, case).samples()
            print("render" + (":" if text else "") + text, "|", samples.shape[1], samples.shape[0], samples.shape[2], "|",
                  *(f"{v:.9g}" for v in numpy.moveaxis(samples, 2, 0).ravel()), file=out)


if __name__ == "__main__":
    main()
