#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the bundled sample: an atrium at late afternoon, as atrium.exr (linear, half float) and atrium.png (sRGB).

Sun through lattice windows, a hanging lamp, mirror, gold and glass spheres on polished marble, brick, wood, thin bars
against the sky, and a corridor that no light reaches: a scene of more than twenty stops, with edges that a filter must keep.

Needs Python 3 and NumPy, takes about two minutes on one core and gives the same bytes each time with the same NumPy.
    python3 render_scene.py [--samples N] [--scale S] [--out FOLDER]

How: light bounced between surfaces is gathered once into a light map for each surface (three bounces). The picture is
then ray traced with stratified samples for pixels, sun disc and lamp; mirrors and glass are followed by splitting rays.
Units: metres, y up, z into the picture; radiance in linear Rec. 709.
"""
import argparse
import struct
import time
import zlib
from pathlib import Path

import numpy as np

F = np.float32
WIDTH, HEIGHT = 768, 512
EPSILON = F(1e-3)
CHUNK = 1 << 15

TO_SUN = np.array([0.81, 0.36, 0.41])
TO_SUN = (TO_SUN / np.linalg.norm(TO_SUN)).astype(F)
SUN_IRRADIANCE = np.array([40.0, 30.0, 18.5], F)
SUN_COS = np.cos(np.radians(0.3))  # a little larger than the real one: softer shadows
SUN_RADIANCE = SUN_IRRADIANCE / F(2 * np.pi * (1 - SUN_COS))
LAMP = np.array([-1.95, 3.2, 6.9], F)
LAMP_RADIUS = 0.24
LAMP_RADIANCE = np.array([98.0, 62.0, 29.0], F)


# ---------------------------------------------------------------------------------------------------- small vector tools
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def normalised(a):
    return a / np.sqrt(dot(a, a))


def mix(a, b, t):
    return a + (b - a) * t


def smooth(lo, hi, x):
    t = np.clip((x - lo) / (hi - lo), 0, 1)
    return t * t * (3 - 2 * t)


def colour(r, g, b):
    return np.array([r, g, b], F)[:, None]


def hashed(ix, iy, seed=0):
    """Integers to uniform numbers in [0, 1)."""
    h = (ix.astype(np.int64).astype(np.uint32) * np.uint32(0x8DA6B343)) ^ (iy.astype(np.int64).astype(np.uint32) * np.uint32(0xD8163841))
    h = (h ^ np.uint32((seed * 0x9E3779B9) & 0xFFFFFFFF)) * np.uint32(0x85EBCA6B)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return (h ^ (h >> np.uint32(16))).astype(F) * F(2.0**-32)


def noise(x, y, seed=0):
    ix, iy = np.floor(x), np.floor(y)
    fx, fy = x - ix, y - iy
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    a, b = hashed(ix, iy, seed), hashed(ix + 1, iy, seed)
    c, d = hashed(ix, iy + 1, seed), hashed(ix + 1, iy + 1, seed)
    return mix(mix(a, b, fx), mix(c, d, fx), fy)


def fractal(x, y, octaves=4, seed=0):
    total, weight = np.zeros_like(x), 0.5
    for i in range(octaves):
        total += F(weight) * noise(x, y, seed + i)
        x, y, weight = x * F(2.03) + F(17.1), y * F(2.03) + F(9.2), weight * 0.5
    return total


# ------------------------------------------------------------------------------------------------------------- materials
# A material is a function (points, u, v) -> albedo (3, n), bump (2, n) or None, gloss (n) or a number.
def marble_floor(p, u, v):
    size = F(0.625)
    cu, cv = np.floor(u / size), np.floor(v / size)
    dark = ((cu + cv) % 2) > 0.5
    tile = hashed(cu, cv, 3)
    # Each tile is cut from another place of the stone.
    su, sv = u + tile * 37, v + hashed(cu, cv, 4) * 53
    warp = fractal(su * F(1.7), sv * F(1.7), 4, 11)
    vein = 1 - np.abs(np.sin((su + F(0.7) * sv + F(2.4) * warp) * F(4.2)))
    vein = vein**F(7)
    grain = fractal(su * 9, sv * 9, 3, 21)
    light = colour(0.62, 0.57, 0.49) * (F(0.86) + F(0.2) * grain) * (1 - F(0.42) * vein)
    black = colour(0.045, 0.062, 0.06) * (F(0.7) + grain) + colour(0.22, 0.25, 0.22) * vein
    albedo = np.where(dark, black, light)
    du, dv = np.abs(u / size - cu - F(0.5)), np.abs(v / size - cv - F(0.5))
    joint = smooth(F(0.488), F(0.494), np.maximum(du, dv))
    albedo = mix(albedo, colour(0.09, 0.08, 0.07), joint)
    gloss = (1 - joint) * (F(0.85) - F(0.25) * grain)
    return albedo.astype(F), None, gloss


def ground(p, u, v):
    g = fractal(u * 3, v * 3, 4, 5)
    slab = np.maximum(np.abs(u / F(0.9) % 1 - F(0.5)), np.abs(v / F(0.9) % 1 - F(0.5)))
    return colour(0.44, 0.39, 0.31) * (F(0.7) + F(0.5) * g) * (1 - F(0.5) * smooth(F(0.475), F(0.49), slab)), None, 0


def brick(p, u, v):
    height, length = F(0.085), F(0.26)
    row = np.floor(v / height)
    along = u / length + F(0.5) * (row % 2)
    column = np.floor(along)
    tone, tint = hashed(column, row, 7), hashed(column, row, 8)
    fu, fv = (along - column) * length, (v / height - row) * height
    edge_u, edge_v = np.minimum(fu, length - fu), np.minimum(fv, height - fv)
    wobble = F(0.003) * (noise(u * 60, v * 60, 9) - F(0.5))
    inside = smooth(F(0.004), F(0.009), np.minimum(edge_u, edge_v) + wobble)
    grain = fractal(u * 45, v * 45, 3, 31)
    clay = mix(colour(0.36, 0.125, 0.07), colour(0.52, 0.25, 0.14), tone) * (F(0.72) + F(0.5) * grain)
    clay = mix(clay, colour(0.17, 0.10, 0.085) * (F(0.6) + grain), (tint > 0.86) * F(0.75))
    mortar = colour(0.46, 0.42, 0.36) * (F(0.7) + F(0.4) * grain)
    albedo = mix(mortar, clay, inside)
    # Rounded edges and a rough face, as slopes along u and v.
    near_u, near_v = (edge_u < 0.013), (edge_v < 0.013)
    slope_u = np.where(near_u, np.where(fu < length / 2, F(-0.55), F(0.55)), 0)
    slope_v = np.where(near_v, np.where(fv < height / 2, F(-0.55), F(0.55)), 0)
    slope_u = slope_u + F(0.7) * (noise(u * 90, v * 90, 41) - F(0.5)) + F(0.30) * (tone - F(0.5))
    slope_v = slope_v + F(0.7) * (noise(u * 90, v * 90, 42) - F(0.5)) + F(0.30) * (tint - F(0.5))
    return albedo.astype(F), np.stack([slope_u, slope_v]).astype(F), 0


def plaster(base):
    def shade(p, u, v):
        stain = fractal(u * F(0.9), v * F(0.9), 5, 51)
        fine = fractal(u * 14, v * 14, 3, 61)
        albedo = base * (F(0.78) + F(0.28) * stain + F(0.12) * fine)
        bump = np.stack([F(0.16) * (noise(u * 30, v * 30, 71) - F(0.5)), F(0.16) * (noise(u * 30, v * 30, 72) - F(0.5))])
        return albedo.astype(F), bump.astype(F), 0

    return shade


def wood(plank, tone=1.0):
    """Planks along u, each of a width in v; the grain is of stretched noise and rings."""

    def shade(p, u, v):
        board = np.floor(v / F(plank))
        shift = hashed(board, board * 0, 81)
        rings = fractal(u * F(0.7) + shift * 40, v * F(16) + shift * 9, 4, 83)
        grain = F(0.5) + F(0.5) * np.sin(rings * 34 + shift * 6)
        fibre = fractal(u * 5 + shift * 13, v * 160, 2, 89)
        albedo = mix(colour(0.15, 0.075, 0.034), colour(0.40, 0.235, 0.115), grain) * (F(0.6) + F(0.5) * fibre + F(0.3) * shift)
        gap = np.abs(v / F(plank) - board - F(0.5))
        albedo = albedo * (1 - F(0.85) * smooth(F(0.485), F(0.493), gap)) * F(tone)
        return albedo.astype(F), None, F(0.10)

    return shade


def plain(r, g, b, gloss=0.0):
    def shade(p, u, v):
        return np.broadcast_to(colour(r, g, b), (3, u.size)).astype(F), None, F(gloss)

    return shade


def glazed(p, u, v):
    """Ceramic with bands of glaze around the sphere."""
    y = p[1] - F(0.36)
    a = np.arctan2(p[2] - F(3.0), p[0] + F(1.66))
    band = np.abs(y) < 0.085
    zigzag = np.abs(y) < F(0.075) * np.abs(((a * F(9 / np.pi)) % 2) - 1)
    albedo = np.where(band, colour(0.78, 0.73, 0.62), colour(0.015, 0.13, 0.19))
    albedo = np.where(band & zigzag, colour(0.55, 0.11, 0.03), albedo)
    return albedo.astype(F), None, F(1.0)


# ------------------------------------------------------------------------------------------------------------ primitives
class Surface:
    """Something to hit. solid: 'no' for what casts no shadow. kind: diffuse, mirror, glass, light."""

    def __init__(self, material, kind="diffuse", tint=None):
        self.material, self.kind = material, kind
        self.tint = None if tint is None else np.array(tint, F)[:, None]
        self.irradiance = None  # (3, rows, columns), from the light map


class Rect(Surface):
    """Part of the plane axis = at, facing +axis or -axis, with an optional mask(u, v) that is true where it is solid."""

    def __init__(self, axis, at, u, v, facing, material, mask=None, cell=0.25, **more):
        super().__init__(material, **more)
        self.a, self.at = axis, F(at)
        self.b, self.c = {0: (2, 1), 1: (0, 2), 2: (0, 1)}[axis]  # v is up on walls
        self.u, self.v, self.facing, self.mask = (F(u[0]), F(u[1])), (F(v[0]), F(v[1])), F(facing), mask
        self.grid = (max(2, round(float(v[1] - v[0]) / cell)), max(2, round(float(u[1] - u[0]) / cell)))

    def hit(self, o, d, best):
        with np.errstate(all="ignore"):
            t = (self.at - o[self.a]) / d[self.a]
            u = o[self.b] + t * d[self.b]
            v = o[self.c] + t * d[self.c]
            ok = (t > EPSILON) & (t < best) & (u >= self.u[0]) & (u <= self.u[1]) & (v >= self.v[0]) & (v <= self.v[1])
        i = np.flatnonzero(ok)
        if self.mask is not None and i.size:
            i = i[self.mask(u[i], v[i])]
        return i, t[i]

    def frame(self, p):
        """u, v, normal, tangents along u and v, and place in the light map from 0 to 1."""
        u, v = p[self.b], p[self.c]
        n = np.zeros_like(p)
        n[self.a] = self.facing
        return u, v, n, (u - self.u[0]) / (self.u[1] - self.u[0]), (v - self.v[0]) / (self.v[1] - self.v[0])

    def bumped(self, n, bump):
        n = n.copy()
        n[self.b] += bump[0]
        n[self.c] += bump[1]
        return normalised(n)

    def texels(self):
        rows, columns = self.grid
        v, u = np.meshgrid((np.arange(rows) + 0.5) / rows, (np.arange(columns) + 0.5) / columns, indexing="ij")
        p = np.empty((3, rows * columns), F)
        p[self.a] = self.at
        p[self.b] = (self.u[0] + u * (self.u[1] - self.u[0])).ravel()
        p[self.c] = (self.v[0] + v * (self.v[1] - self.v[0])).ravel()
        n = np.zeros_like(p)
        n[self.a] = self.facing
        return p, n


class Sphere(Surface):
    grid = (10, 20)

    def __init__(self, centre, radius, material, **more):
        super().__init__(material, **more)
        self.centre, self.radius = np.array(centre, F)[:, None], F(radius)

    def hit(self, o, d, best):
        m = o - self.centre
        b = dot(m, d)
        q = b * b - dot(m, m) + self.radius**2
        i = np.flatnonzero(q > 0)
        root, b = np.sqrt(q[i]), b[i]
        t = np.where(-b - root > EPSILON, -b - root, -b + root)
        ok = (t > EPSILON) & (t < best[i])
        return i[ok], t[ok]

    def frame(self, p):
        n = (p - self.centre) / self.radius
        u = np.arctan2(n[2], n[0])
        v = np.arcsin(np.clip(n[1], -1, 1))
        return u, v, n, u * F(0.5 / np.pi) + F(0.5), v * F(1 / np.pi) + F(0.5)

    def texels(self):
        rows, columns = self.grid
        v, u = np.meshgrid(((np.arange(rows) + 0.5) / rows - 0.5) * np.pi, ((np.arange(columns) + 0.5) / columns - 0.5) * 2 * np.pi, indexing="ij")
        n = np.stack([np.cos(v) * np.cos(u), np.sin(v), np.cos(v) * np.sin(u)]).reshape(3, -1).astype(F)
        return self.centre + n * self.radius, n


class Column(Surface):
    """Upright cylinder without ends."""

    grid = (18, 16)

    def __init__(self, x, z, radius, y, material, **more):
        super().__init__(material, **more)
        self.x, self.z, self.radius, self.y = F(x), F(z), F(radius), (F(y[0]), F(y[1]))

    def hit(self, o, d, best):
        mx, mz = o[0] - self.x, o[2] - self.z
        a = d[0] * d[0] + d[2] * d[2] + F(1e-12)
        b = mx * d[0] + mz * d[2]
        q = b * b - a * (mx * mx + mz * mz - self.radius**2)
        i = np.flatnonzero(q > 0)
        t = (-b[i] - np.sqrt(q[i])) / a[i]
        y = o[1][i] + t * d[1][i]
        ok = (t > EPSILON) & (t < best[i]) & (y > self.y[0]) & (y < self.y[1])
        return i[ok], t[ok]

    def bumped(self, n, bump):
        return normalised(n + np.stack([-n[2] * bump[0], bump[1], n[0] * bump[0]]))

    def frame(self, p):
        n = np.stack([(p[0] - self.x) / self.radius, np.zeros_like(p[0]), (p[2] - self.z) / self.radius])
        u = np.arctan2(n[2], n[0])
        return u * self.radius, p[1], n, u * F(0.5 / np.pi) + F(0.5), (p[1] - self.y[0]) / (self.y[1] - self.y[0])

    def texels(self):
        rows, columns = self.grid
        y, u = np.meshgrid((np.arange(rows) + 0.5) / rows, ((np.arange(columns) + 0.5) / columns - 0.5) * 2 * np.pi, indexing="ij")
        n = np.stack([np.cos(u), 0 * u, np.sin(u)]).reshape(3, -1).astype(F)
        p = n * self.radius
        p[0] += self.x
        p[2] += self.z
        p[1] = (self.y[0] + y * (self.y[1] - self.y[0])).ravel()
        return p, n


# ----------------------------------------------------------------------------------------------------------------- scene
ROOM_X, ROOM_Y, ROOM_Z = 4.0, 4.8, 10.0
WINDOWS = [(1.6, 3.5), (4.5, 6.4), (7.4, 9.3)]  # z ranges in the right wall
SILL, LINTEL = 0.75, 3.75


def in_window(u, v):
    inside = np.zeros(u.shape, bool)
    for z0, z1 in WINDOWS:
        inside |= (u > z0) & (u < z1)
    return inside & (v > SILL) & (v < LINTEL)


def window_lattice(u, v):
    """Two families of diagonal bars, a ring at each crossing and a frame."""
    pitch = F(0.42)
    a, b = ((u + v) / pitch) % 1, ((u - v) / pitch) % 1
    da, db = np.abs(a - F(0.5)), np.abs(b - F(0.5))
    solid = (np.maximum(da, db) > 0.45) | (np.abs(np.hypot(da, db) - F(0.28)) < 0.035)
    frame = np.zeros(u.shape, bool)
    for z0, z1 in WINDOWS:
        z = (z0 + z1) / 2
        frame |= (np.abs(u - z0) < 0.06) | (np.abs(u - z1) < 0.06) | (np.abs(u - z) < 0.035)
    frame |= (v < SILL + 0.06) | (v > LINTEL - 0.06) | (np.abs(v - 2.6) < 0.035)
    return (solid | frame) & in_window(u, v)


def in_arch(u, v):
    r = F(1.05)
    return (np.abs(u - F(0.55)) < r) & ((v < 2.05) | (np.hypot(u - F(0.55), v - F(2.05)) < r))


def in_door(u, v):
    return (u > -3.35) & (u < -2.35) & (v < 2.15)


def gate(u, v):
    """Thin upright bars with a diagonal wire mesh below, in the lower part of the arch."""
    x = u - F(0.55)
    bars = (np.abs((x / F(0.15)) % 1 - F(0.5)) < 0.055) & (v < F(1.75) + F(0.12) * np.cos(x * F(2.9)))
    a, b = ((u + v) / F(0.075)) % 1, ((u - v) / F(0.075)) % 1
    mesh = (np.maximum(np.abs(a - F(0.5)), np.abs(b - F(0.5))) > 0.455) & (v < 0.85)
    rails = (np.abs(v - F(0.87)) < 0.022) | (np.abs(v - F(0.09)) < 0.022) | (np.abs(v - F(1.55)) < 0.016)
    return (bars | mesh | rails) & in_arch(u, v)


def letters(u, v):
    """PARALLAX in strokes; u to the right, v up, letter height 0.5."""
    half = F(0.036)
    height, advance = 0.5, 0.52
    solid = np.zeros(u.shape, bool)

    def stroke(x0, y0, x1, y1):
        dx, dy = x1 - x0, y1 - y0
        t = np.clip(((u - F(x0)) * F(dx) + (v - F(y0)) * F(dy)) / F(dx * dx + dy * dy), 0, 1)
        return np.hypot(u - F(x0) - t * F(dx), v - F(y0) - t * F(dy)) < half

    def bowl(x, y, r):
        return (np.abs(np.hypot(u - F(x), v - F(y)) - F(r)) < half) & (u >= x)

    left, bottom = 0.55 - (8 * advance - 0.2) / 2, 3.62
    for i, letter in enumerate("PARALLAX"):
        x, y, w = left + i * advance, bottom, 0.32
        r = height * 0.26
        if letter in "PR":
            solid |= stroke(x, y, x, y + height) | stroke(x, y + height, x + w - r, y + height)
            solid |= stroke(x, y + height - 2 * r, x + w - r, y + height - 2 * r) | bowl(x + w - r, y + height - r, r)
        if letter == "R":
            solid |= stroke(x + w - r, y + height - 2 * r, x + w, y)
        if letter == "A":
            solid |= stroke(x - 0.03, y, x + w / 2, y + height) | stroke(x + w / 2, y + height, x + w + 0.03, y)
            solid |= stroke(x + 0.055, y + 0.16, x + w - 0.055, y + 0.16)
        if letter == "L":
            solid |= stroke(x, y, x, y + height) | stroke(x, y, x + w, y)
        if letter == "X":
            solid |= stroke(x, y, x + w, y + height) | stroke(x, y + height, x + w, y)
    return solid


def build_scene():
    cream, terracotta = colour(0.50, 0.44, 0.36), colour(0.33, 0.165, 0.105)
    timber, dark_metal = wood(0.22), plain(0.035, 0.033, 0.032, 0.25)
    wide = dict(cell=0.4)
    s = [
        Rect(0, ROOM_X, (-1, ROOM_Z), (0, ROOM_Y), -1, plaster(cream), lambda u, v: ~in_window(u, v)),
        Rect(0, ROOM_X + 0.18, (-1, ROOM_Z), (0, ROOM_Y), -1, dark_metal, window_lattice, **wide),
        Rect(0, ROOM_X + 0.36, (-1, ROOM_Z), (0, ROOM_Y + 0.4), 1, plaster(cream), lambda u, v: ~in_window(u, v), cell=1),
        Rect(1, SILL, (ROOM_X, ROOM_X + 0.36), (WINDOWS[0][0], WINDOWS[-1][1]), 1, plaster(cream), **wide),
        Rect(1, LINTEL, (ROOM_X, ROOM_X + 0.36), (WINDOWS[0][0], WINDOWS[-1][1]), -1, plaster(cream), **wide),
        Rect(1, 0, (-ROOM_X, ROOM_X), (-1, ROOM_Z), 1, marble_floor, cell=0.1),
        Rect(0, -ROOM_X, (-1, ROOM_Z), (0, ROOM_Y), 1, brick, cell=0.2),
        Rect(2, ROOM_Z, (-ROOM_X, ROOM_X), (0, ROOM_Y), -1, plaster(terracotta), lambda u, v: ~(in_arch(u, v) | in_door(u, v)), cell=0.16),
        Rect(2, ROOM_Z + 0.3, (-ROOM_X, ROOM_X + 0.4), (0, ROOM_Y + 0.4), 1, plaster(cream), lambda u, v: ~(in_arch(u, v) | in_door(u, v)), cell=1),
        Rect(2, -1, (-ROOM_X, ROOM_X), (0, ROOM_Y), 1, plaster(cream), cell=0.5),
        Rect(1, ROOM_Y, (-ROOM_X, ROOM_X), (-1, ROOM_Z), -1, wood(0.2, 0.9), cell=0.3),
        Rect(1, ROOM_Y + 0.4, (-ROOM_X, ROOM_X + 0.4), (-1, ROOM_Z + 0.3), 1, plaster(cream), cell=2),
        Rect(2, ROOM_Z + 0.12, (-0.5, 1.6), (0, 3.1), -1, dark_metal, gate, **wide),
        Rect(2, ROOM_Z - 0.07, (-1.7, 2.9), (3.5, 4.3), -1, plain(0.86, 0.72, 0.44), letters, cell=0.3),
        # Reveals of the arch and of the door.
        Rect(0, -0.5, (ROOM_Z, ROOM_Z + 0.3), (0, 2.05), 1, plaster(cream), **wide),
        Rect(0, 1.6, (ROOM_Z, ROOM_Z + 0.3), (0, 2.05), -1, plaster(cream), **wide),
        # A corridor that turns away from all light.
        Rect(0, -3.35, (ROOM_Z, 15), (0, 2.15), 1, plaster(cream), cell=0.3),
        Rect(0, -2.35, (ROOM_Z, 15), (0, 2.15), -1, plaster(cream), cell=0.3),
        Rect(1, 2.15, (-3.35, -2.35), (ROOM_Z, 15), -1, plaster(cream), cell=0.3),
        Rect(2, 15, (-3.35, -2.35), (0, 2.15), -1, plaster(cream), cell=0.3),
        Rect(1, 0.001, (-3.35, -2.35), (ROOM_Z, 15), 1, wood(0.2, 0.6), cell=0.3),
        # Outside.
        Rect(1, -0.002, (-40, 40), (ROOM_Z - 0.001, 60), 1, ground, cell=2),
        Rect(2, 19, (-40, 40), (0, 2.3), -1, brick, cell=2),
        # Pedestal.
        Rect(1, 0.9, (1.35, 2.05), (5.25, 5.95), 1, plaster(cream), cell=0.12),
        Rect(2, 5.25, (1.35, 2.05), (0, 0.9), -1, plaster(cream), cell=0.12),
        Rect(2, 5.95, (1.35, 2.05), (0, 0.9), 1, plaster(cream), cell=0.12),
        Rect(0, 1.35, (5.25, 5.95), (0, 0.9), -1, plaster(cream), cell=0.12),
        Rect(0, 2.05, (5.25, 5.95), (0, 0.9), 1, plaster(cream), cell=0.12),
    ]
    for z in (1.2, 3.6, 6.0, 8.4):  # beams
        s.append(Rect(1, ROOM_Y - 0.38, (-ROOM_X, ROOM_X), (z, z + 0.3), -1, timber, cell=0.3))
        s.append(Rect(2, z, (-ROOM_X, ROOM_X), (ROOM_Y - 0.38, ROOM_Y), -1, timber, cell=0.3))
        s.append(Rect(2, z + 0.3, (-ROOM_X, ROOM_X), (ROOM_Y - 0.38, ROOM_Y), 1, timber, cell=0.3))
    for z in (3.75, 6.15, 8.55):
        s.append(Column(-2.75, z, 0.17, (0, ROOM_Y - 0.38), plaster(cream)))
        s.append(Column(-2.75, z, 0.235, (0, 0.16), plaster(cream)))
        s.append(Column(-2.75, z, 0.235, (ROOM_Y - 0.55, ROOM_Y - 0.38), plaster(cream)))
    s += [
        Column(LAMP[0], LAMP[2], 0.009, (float(LAMP[1]) + LAMP_RADIUS, ROOM_Y), dark_metal),
        Sphere((0.62, 0.78, 4.7), 0.78, None, kind="mirror", tint=(0.93, 0.94, 0.95)),
        Sphere((1.70, 1.26, 5.6), 0.36, None, kind="mirror", tint=(1.0, 0.71, 0.29)),
        Sphere((-1.66, 0.36, 3.0), 0.36, glazed),
        Sphere((-0.42, 0.40, 3.35), 0.40, None, kind="glass", tint=(0.97, 0.99, 0.98)),
        Sphere(LAMP, LAMP_RADIUS, None, kind="light"),
    ]
    return s


def sky(d):
    """Radiance of the sky: blue above, warm near the sun and the horizon, with thin clouds."""
    up = np.maximum(d[1], 0)
    horizon = np.exp(-up * 5)
    base = mix(colour(0.55, 1.05, 2.3), colour(3.0, 2.6, 2.2), horizon)
    near_sun = np.maximum(dot(d, TO_SUN[:, None]), 0)
    base = base + colour(6.5, 4.2, 2.0) * near_sun**F(24) + colour(1.6, 1.0, 0.5) * near_sun**F(4)
    k = 1 / (up + F(0.22))
    c = fractal(d[0] * k * F(1.9) + 3, d[2] * k * F(1.9), 5, 101)
    cloud = smooth(F(0.47), F(0.68), c)
    return (mix(base, colour(5.2, 4.3, 3.5) + colour(3, 2, 1) * near_sun**F(3), cloud * F(0.85)) * F(0.5)).astype(F)


# --------------------------------------------------------------------------------------------------------------- tracing
class Tracer:
    def __init__(self, scene):
        self.scene = scene
        self.casting = [s for s in scene if s.kind in ("diffuse", "mirror")]
        self.glass = [s for s in scene if s.kind == "glass"]

    def nearest(self, o, d):
        best = np.full(o.shape[1], np.inf, F)
        which = np.full(o.shape[1], -1, np.int16)
        for k, surface in enumerate(self.scene):
            i, t = surface.hit(o, d, best)
            best[i] = t
            which[i] = k
        return best, which

    def visible(self, o, d, distance):
        """1 where nothing is in the way, 0.8 through glass (its caustic is left out)."""
        light = np.ones(o.shape[1], F)
        alive = np.arange(o.shape[1])
        for surface in self.casting:
            if not alive.size:
                break
            i, _ = surface.hit(o[:, alive], d[:, alive], distance[alive])
            if i.size:
                light[alive[i]] = 0
                alive = np.delete(alive, i)
        for surface in self.glass:
            i, _ = surface.hit(o[:, alive], d[:, alive], distance[alive])
            light[alive[i]] *= F(0.8)
        return light

    def direct(self, p, n, ng, random):
        """Irradiance from sun and lamp; random is (4, n) in [0, 1)."""
        total = np.zeros_like(p)
        origin = p + ng * EPSILON
        # Sun: a point of its disc.
        r, a = np.sqrt(random[0]) * F(np.sqrt(1 - SUN_COS**2)), random[1] * F(2 * np.pi)
        t1 = normalised(np.cross(TO_SUN, np.array([0, 1, 0], F)).astype(F))[:, None]
        t2 = np.cross(TO_SUN, t1[:, 0]).astype(F)[:, None]
        d = normalised(TO_SUN[:, None] + t1 * (r * np.cos(a)) + t2 * (r * np.sin(a)))
        cosine = dot(n, d)
        i = np.flatnonzero((cosine > 0) & (dot(ng, d) > 0))
        if i.size:
            seen = self.visible(origin[:, i], d[:, i], np.full(i.size, np.inf, F))
            total[:, i] += SUN_IRRADIANCE[:, None] * (cosine[i] * seen)
        # Lamp: a point of the cap that is seen.
        to = LAMP[:, None] - p
        far2 = dot(to, to)
        axis = to / np.sqrt(far2)
        cos_max = np.sqrt(np.maximum(0, 1 - F(LAMP_RADIUS**2) / far2))
        c = 1 - random[2] * (1 - cos_max)
        sine, a = np.sqrt(np.maximum(0, 1 - c * c)), random[3] * F(2 * np.pi)
        helper = np.where(np.abs(axis[1]) < 0.9, np.array([[0], [1], [0]], F), np.array([[1], [0], [0]], F))
        t1 = normalised(np.cross(axis, helper, axis=0))
        t2 = np.cross(axis, t1, axis=0)
        d = (axis * c + t1 * (sine * np.cos(a)) + t2 * (sine * np.sin(a))).astype(F)
        cosine = dot(n, d)
        i = np.flatnonzero((cosine > 0) & (dot(ng, d) > 0))
        if i.size:
            seen = self.visible(origin[:, i], d[:, i], np.sqrt(far2[i]) - F(LAMP_RADIUS * 1.05))
            solid_angle = F(2 * np.pi) * (1 - cos_max[i])
            total[:, i] += LAMP_RADIANCE[:, None] * (solid_angle * cosine[i] * seen)
        return total

    def bounced(self, surface, su, sv, back):
        """Irradiance from the light map, bilinear; behind a thin wall a plain guess."""
        m = surface.irradiance
        if m is None:
            return np.zeros((3, su.size), F)
        rows, columns = m.shape[1:]
        wraps = not isinstance(surface, Rect)
        x, y = su * columns - F(0.5), np.clip(sv * rows - F(0.5), 0, rows - 1)
        x = x if wraps else np.clip(x, 0, columns - 1)
        x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
        fx, fy = (x - x0).astype(F), (y - y0).astype(F)
        x1, y1 = x0 + 1, np.minimum(y0 + 1, rows - 1)
        x0, x1 = (x0 % columns, x1 % columns) if wraps else (x0, np.minimum(x1, columns - 1))
        e = mix(mix(m[:, y0, x0], m[:, y0, x1], fx), mix(m[:, y1, x0], m[:, y1, x1], fx), fy)
        return np.where(back, colour(0.6, 0.6, 0.7), e)

    def surface_point(self, surface, p, d):
        u, v, ng, su, sv = surface.frame(p)
        back = dot(ng, d) > 0
        ng = np.where(back, -ng, ng)
        return u, v, ng, su, sv, back

    def gather(self, surface, rays, random):
        """Irradiance at the texels of the light map from everything but sun and lamp, which are sampled directly."""
        p, n = surface.texels()
        count = p.shape[1]
        side = int(np.sqrt(rays))
        helper = np.where(np.abs(n[1]) < 0.9, np.array([[0], [1], [0]], F), np.array([[1], [0], [0]], F))
        t1 = normalised(np.cross(n, helper, axis=0)).astype(F)
        t2 = np.cross(n, t1, axis=0).astype(F)
        total = np.zeros((3, count), F)
        block = max(1, CHUNK // (side * side))
        gx, gy = np.meshgrid(np.arange(side), np.arange(side))
        for start in range(0, count, block):
            k = np.arange(start, min(count, start + block))
            jitter = random.random((2, k.size, side * side), F)
            a = ((gx.ravel() + jitter[0]) / side * 2 * np.pi).astype(F)
            r = np.sqrt((gy.ravel() + jitter[1]) / side).astype(F)
            local = np.stack([r * np.cos(a), r * np.sin(a), np.sqrt(np.maximum(0, 1 - r * r))])
            d = (t1[:, k, None] * local[0] + t2[:, k, None] * local[1] + n[:, k, None] * local[2]).reshape(3, -1)
            o = np.repeat((p + n * F(4e-3))[:, k], side * side, axis=1)
            t, which = self.nearest(o, d)
            radiance = np.zeros_like(o)
            escaped = np.flatnonzero(which < 0)
            radiance[:, escaped] = sky(d[:, escaped])
            lit = np.zeros(o.shape[1], bool)
            albedo, normal, extra = np.zeros_like(o), np.zeros_like(o), np.zeros_like(o)
            hit = o + d * np.where(np.isfinite(t), t, 0)
            for s in np.unique(which[which >= 0]):
                other = self.scene[s]
                i = np.flatnonzero(which == s)
                if other.kind == "light":
                    continue
                u, v, ng, su, sv, back = self.surface_point(other, hit[:, i], d[:, i])
                albedo[:, i] = other.material(hit[:, i], u, v)[0] if other.kind == "diffuse" else other.tint * F(0.7)
                normal[:, i] = ng
                extra[:, i] = self.bounced(other, su, sv, back)
                lit[i] = True
            i = np.flatnonzero(lit)
            e = self.direct(hit[:, i], normal[:, i], normal[:, i], random.random((4, i.size), F)) + extra[:, i]
            radiance[:, i] = albedo[:, i] * e * F(1 / np.pi)
            total[:, k] = np.minimum(radiance, 30).reshape(3, k.size, -1).mean(axis=2) * F(np.pi)
        grid = total.reshape(3, *surface.grid)
        for _ in range(2):  # what is left of the noise
            grid = blurred(grid, not isinstance(surface, Rect))
        return grid.astype(F)

    def radiance(self, o, d, pixels, weight, out, random, depth=0):
        t, which = self.nearest(o, d)
        i = np.flatnonzero(which < 0)
        if i.size:
            seen = sky(d[:, i])
            seen = np.where(dot(d[:, i], TO_SUN[:, None]) > SUN_COS, SUN_RADIANCE[:, None], seen)
            add(out, pixels[i], seen * weight[:, i])
        p = o + d * np.where(np.isfinite(t), t, 0)
        n, ng = np.zeros_like(p), np.zeros_like(p)
        albedo, extra = np.zeros_like(p), np.zeros_like(p)
        gloss = np.zeros(p.shape[1], F)
        diffuse = np.zeros(p.shape[1], bool)
        more = []  # rays to follow: origin, direction, pixel, weight
        for s in np.unique(which[which >= 0]):
            surface = self.scene[s]
            i = np.flatnonzero(which == s)
            q, di = p[:, i], d[:, i]
            if surface.kind == "light":
                add(out, pixels[i], LAMP_RADIANCE[:, None] * weight[:, i])
                continue
            u, v, g, su, sv, back = self.surface_point(surface, q, di)
            if surface.kind == "mirror":
                cosine = np.clip(-dot(g, di), 0, 1)
                tint = surface.tint + (1 - surface.tint) * (1 - cosine)**F(5)
                more.append((q + g * EPSILON, di + 2 * cosine * g, pixels[i], weight[:, i] * tint))
            elif surface.kind == "glass":
                ratio = np.where(back, F(1.5), F(1 / 1.5))
                cosine = np.clip(-dot(g, di), 0, 1)
                k = 1 - ratio * ratio * (1 - cosine * cosine)
                cos_t = np.sqrt(np.maximum(k, 0))
                rs = (ratio * cosine - cos_t) / (ratio * cosine + cos_t + F(1e-9))
                rp = (cosine - ratio * cos_t) / (cosine + ratio * cos_t + F(1e-9))
                fresnel = np.where(k < 0, 1, (rs * rs + rp * rp) / 2).astype(F)
                more.append((q + g * EPSILON, di + 2 * cosine * g, pixels[i], weight[:, i] * fresnel))
                more.append((q - g * EPSILON, normalised(ratio * di + (ratio * cosine - cos_t) * g), pixels[i],
                             weight[:, i] * surface.tint * (1 - fresnel)))
            else:
                a, bump, shine = surface.material(q, u, v)
                albedo[:, i], gloss[i], ng[:, i] = a, shine, g
                n[:, i] = g if bump is None else surface.bumped(g, bump)
                extra[:, i] = self.bounced(surface, su, sv, back)
                diffuse[i] = True
        i = np.flatnonzero(diffuse)
        if i.size:
            e = self.direct(p[:, i], n[:, i], ng[:, i], random.lights(i.size, pixels[i])) + extra[:, i]
            cosine = np.clip(-dot(ng[:, i], d[:, i]), 0, 1)
            fresnel = gloss[i] * (F(0.045) + F(0.955) * (1 - cosine)**F(5))
            add(out, pixels[i], albedo[:, i] * e * F(1 / np.pi) * (1 - fresnel) * weight[:, i])
            k = np.flatnonzero(fresnel > 0.01)
            j = i[k]
            more.append((p[:, j] + ng[:, j] * EPSILON, d[:, j] + 2 * cosine[k] * ng[:, j], pixels[j], weight[:, j] * fresnel[k]))
        if depth >= 6 or not more:
            return
        o, d = np.concatenate([m[0] for m in more], axis=1), np.concatenate([m[1] for m in more], axis=1)
        pixels, weight = np.concatenate([m[2] for m in more]), np.concatenate([m[3] for m in more], axis=1)
        keep = np.flatnonzero(weight.max(axis=0) > 0.008)
        if keep.size:
            self.radiance(o[:, keep].astype(F), d[:, keep].astype(F), pixels[keep], weight[:, keep].astype(F), out, random, depth + 1)


def add(out, pixels, value):
    for c in range(3):
        out[c] += np.bincount(pixels, weights=value[c], minlength=out.shape[1])


def blurred(grid, wraps):
    padded = np.pad(grid, ((0, 0), (0, 0), (1, 1)), mode="wrap" if wraps else "edge")
    grid = (padded[:, :, :-2] + 2 * padded[:, :, 1:-1] + padded[:, :, 2:]) / 4
    padded = np.pad(grid, ((0, 0), (1, 1), (0, 0)), mode="edge")
    return (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4


class Strata:
    """For the k-th of N samples of a pixel: points of an N-point lattice, shifted by another amount for each pixel."""

    def __init__(self, samples, pixels, seed):
        self.samples, self.k = samples, 0
        self.shift = np.random.default_rng(seed).random((4, pixels), F)

    def lights(self, count, pixels):
        # Rank-1 lattice in four dimensions (powers of the plastic-like root): low discrepancy for every N.
        root = 1.1673039782614187
        steps = np.array([root**-(j + 1) for j in range(4)], F)[:, None]
        return (self.shift[:, pixels] + steps * F(self.k)) % 1


def render(samples, scale, log):
    width, height = WIDTH // scale, HEIGHT // scale
    tracer = Tracer(build_scene())
    random = np.random.default_rng(20240229)
    for rays in (64, 100, 256):
        maps = [tracer.gather(s, rays, random) if s.kind == "diffuse" else None for s in tracer.scene]
        for surface, grid in zip(tracer.scene, maps):
            surface.irradiance = grid
        log(f"light map with {rays} rays a texel")
    eye, target = np.array([-1.35, 1.68, -0.75], F), np.array([0.16, 1.32, 6.0], F)
    forward = normalised(target - eye)
    right = normalised(np.cross(np.array([0, 1, 0], F), forward))
    up = np.cross(forward, right)
    zoom = np.tan(np.radians(62) / 2)
    total = width * height
    image = np.zeros((3, total))
    strata = Strata(samples, total, 7)
    side = int(np.ceil(np.sqrt(samples)))
    order = np.random.default_rng(11).permutation(side * side)[:samples]
    jitter = np.random.default_rng(13)
    # Blocks are rows, so that rays beside each other stay together in the cache.
    rows = max(1, CHUNK // width)
    for k in range(samples):
        strata.k = k
        jx, jy = (order[k] % side + jitter.random()) / side, (order[k] // side + jitter.random()) / side
        for y0 in range(0, height, rows):
            y, x = np.mgrid[y0:min(height, y0 + rows), 0:width]
            # A tent of width two is the pixel filter.
            tx, ty = (np.sqrt(2 * j) - 1 if j < 0.5 else 1 - np.sqrt(2 - 2 * j) for j in (jx, jy))
            sx = ((x.ravel() + 0.5 + tx) / width * 2 - 1) * zoom
            sy = (1 - (y.ravel() + 0.5 + ty) / height * 2) * zoom * height / width
            d = normalised(forward[:, None] + right[:, None] * sx + up[:, None] * sy).astype(F)
            o = np.repeat(eye[:, None], d.shape[1], axis=1)
            tracer.radiance(o, d, (y * width + x).ravel(), np.ones_like(d), image, strata)
        if (k + 1) % 4 == 0:
            log(f"sample {k + 1} of {samples}")
    return (image / samples).reshape(3, height, width)


def glare(image):
    """A lens spreads a little of the light widely: that is what makes a light look bright."""
    height, width = image.shape[1:]
    y, x = np.mgrid[-height:height, -width:width]
    r = np.hypot(x, y) * (768 / width)
    psf = 0.030 / (1 + (r / 2.5)**2)**1.5 / 12 + 0.0022 * np.exp(-r / 34) / 34
    psf *= 0.014 / psf.sum()
    psf[height, width] += 1 - psf.sum()
    kernel = np.fft.rfft2(np.fft.ifftshift(psf))
    out = np.empty_like(image)
    for c in range(3):
        padded = np.pad(image[c], ((0, height), (0, width)), mode="symmetric")
        out[c] = np.fft.irfft2(np.fft.rfft2(padded) * kernel, s=padded.shape)[:height, :width]
    return np.maximum(out, 0)


# ----------------------------------------------------------------------------------------------------------------- files
def write_exr(path, image, infinite=False):
    """Half-float scan lines in blocks of sixteen, ZIP-compressed, channels in alphabetical order. `infinite`: infinity stays."""
    _, height, width = image.shape
    half = np.where(np.isinf(image) & infinite, image, np.minimum(image, 65504)).astype("<f2")

    def attribute(name, kind, data):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(data)) + data

    names = ["B", "G", "R"]
    channels = b"".join(n.encode() + b"\0" + struct.pack("<iB3xii", 1, 0, 1, 1) for n in names) + b"\0"
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    header = struct.pack("<ii", 20000630, 2)
    header += attribute("channels", "chlist", channels)
    header += attribute("chromaticities", "chromaticities", struct.pack("<8f", 0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290))
    header += attribute("comments", "string", b"Atrium: rendered by render_scene.py; linear Rec. 709 radiance")
    header += attribute("compression", "compression", b"\x03")
    header += attribute("dataWindow", "box2i", window)
    header += attribute("displayWindow", "box2i", window)
    header += attribute("lineOrder", "lineOrder", b"\0")
    header += attribute("owner", "string", b"The Parallax authors, GPL-3.0-or-later")
    header += attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    header += attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
    header += attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    header += b"\0"
    order = [2, 1, 0]
    chunks = []
    for y in range(0, height, 16):
        raw = b"".join(half[c, line].tobytes() for line in range(y, min(height, y + 16)) for c in order)
        data = np.frombuffer(raw, np.uint8)
        data = np.concatenate([data[0::2], data[1::2]]).astype(np.int16)
        data[1:] = np.diff(data) + 128
        packed = zlib.compress(data.astype(np.uint8).tobytes(), 9)
        packed = packed if len(packed) < len(raw) else raw
        chunks.append(struct.pack("<ii", y, len(packed)) + packed)
    place = len(header) + 8 * len(chunks)
    offsets = b""
    for chunk in chunks:
        offsets += struct.pack("<Q", place)
        place += len(chunk)
    Path(path).write_bytes(header + offsets + b"".join(chunks))


def tone_mapped(image, exposure=1.1):
    """A filmic curve on each channel after a mild pull of strong colours towards white, then the sRGB curve."""
    x = image * exposure
    luminance = (0.2126 * x[0] + 0.7152 * x[1] + 0.0722 * x[2])[None]
    x = mix(x, luminance, np.clip(np.log2(np.maximum(luminance, 1e-6) / 4) / 8, 0, 0.8))
    x = np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x**(1 / 2.4) - 0.055)


def write_png(path, image):
    _, height, width = image.shape
    dither = np.random.default_rng(5).random((height, width, 1)) - 0.5
    samples = np.clip(np.round(image.transpose(1, 2, 0) * 255 + dither * 0.9), 0, 255).astype(np.uint8)
    rows, previous = [], np.zeros((width, 3), np.int16)
    for row in samples.astype(np.int16):
        left = np.vstack([np.zeros((1, 3), np.int16), row[:-1]])
        filters = [(1, row - left), (2, row - previous), (3, row - (left + previous) // 2)]
        kind, best = min(filters, key=lambda f: np.abs(f[1].astype(np.int8).astype(int)).sum())
        rows.append(bytes([kind]) + best.astype(np.uint8).tobytes())
        previous = row

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                           chunk(b"sRGB", b"\0") + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=25, help="samples a pixel (25)")
    parser.add_argument("--scale", type=int, default=1, help="divide width and height by this, for a quick look (1)")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, help="folder for atrium.exr and atrium.png")
    options = parser.parse_args()
    start = time.monotonic()
    image = glare(render(options.samples, options.scale, lambda text: print(f"{time.monotonic() - start:6.1f} s  {text}", flush=True)))
    options.out.mkdir(parents=True, exist_ok=True)
    write_exr(options.out / "atrium.exr", image)
    write_png(options.out / "atrium.png", tone_mapped(image))
    light = image.max(axis=0)
    print(f"{time.monotonic() - start:6.1f} s  done; radiance {light.min():.2g} to {light.max():.4g}, median {np.median(light):.2g}")


if __name__ == "__main__":
    main()
