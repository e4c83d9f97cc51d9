#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes solvers.txt: solutions of the same systems by SciPy's direct solver and by PyAMG. Needs numpy, scipy and pyamg.

OPERATION STEP W H D C SX SY SZ : SUMS...     STEP as on the command line, C channels, spacing of the samples

Sample i of the image, counted with x fastest, then y, z, channels, is sample(i); sums are those of value i times weight(i, k) for k = 0 and 1.
The weights of the edges are computed here from the papers' formulas, by NumPy.
"""
import numpy
import pyamg
import scipy.sparse
import scipy.sparse.linalg
from scipy.sparse import coo_matrix, diags


def sample(i):
    """From 1/64 to 4: exact in float32."""
    return ((i * 7919 + 13) * (i + 17) % 256 + 1) / 64


def weight(i, k):
    return (i + 1) * (101 if k == 0 else 733) % 1009 / 1009 - 0.5


def image(shape):
    w, h, d, c = shape
    return numpy.array([sample(i) for i in range(w * h * d * c)]).reshape(c, d, h, w)


def laplacian(edges):
    """From the weights of the edges along z, y, x, of arrays that are one shorter along that axis."""
    d, h, w = edges[1].shape[0], edges[0].shape[1], edges[0].shape[2]
    index = numpy.arange(d * h * w).reshape(d, h, w)
    rows, columns, values = [], [], []
    for axis, weights in enumerate(edges):
        n = index.shape[axis]
        a = numpy.take(index, range(n - 1), axis).ravel()
        b = numpy.take(index, range(1, n), axis).ravel()
        v = weights.ravel()
        rows += [a, b, a, b]
        columns += [b, a, a, b]
        values += [-v, -v, v, v]
    entries = (numpy.concatenate(values), (numpy.concatenate(rows), numpy.concatenate(columns)))
    return coo_matrix(entries, shape=(index.size, index.size)).tocsr()


def uniform(shape, spacing):
    d, h, w = shape
    extents = [(d - 1, h, w), (d, h - 1, w), (d, h, w - 1)]
    return [numpy.full(e, 1 / s**2) for e, s in zip(extents, reversed(spacing))]


def differences(a, spacing):
    """Along z, y and x, per unit of length."""
    return [numpy.diff(a, axis=axis) / s for axis, s in enumerate(reversed(spacing))]


def solve(matrix, f):
    return scipy.sparse.linalg.spsolve(matrix.tocsc(), f)


def by_pyamg(matrix, f):
    solver = pyamg.ruge_stuben_solver(matrix.tocsr())
    return solver.solve(f, tol=1e-13, accel="cg", maxiter=200)


def poisson(f, spacing, border, screening=0.0, solver=solve):
    shape = f.shape[1:]
    matrix = laplacian(uniform(shape, spacing))
    if border == "dirichlet":
        outside = numpy.zeros(shape)
        for axis, s in enumerate(reversed(spacing)):
            if shape[axis] == 1 and axis == 0:
                continue
            for end in (0, -1):
                at = [slice(None)] * 3
                at[axis] = end
                outside[tuple(at)] += 1 / s**2
        matrix = matrix + diags(outside.ravel())
    matrix = matrix + screening * scipy.sparse.identity(matrix.shape[0])
    out = []
    for channel in f:
        g = channel.ravel()
        if border == "neumann" and screening == 0:
            # The solution with mean 0: one unknown is held, and the mean subtracted.
            g = g - g.mean()
            u = numpy.zeros(g.size)
            u[1:] = solve(matrix[1:, 1:], g[1:])
            u -= u.mean()
        else:
            u = solver(matrix, g)
        out.append(u.reshape(shape))
    return numpy.array(out)


def diffuse(f, spacing, edges, solver=solve):
    matrix = scipy.sparse.identity(f[0].size) + laplacian(edges)
    return numpy.array([solver(matrix, channel.ravel()).reshape(channel.shape) for channel in f])


def heat(f, spacing, time, solver=solve):
    return diffuse(f, spacing, [time * e for e in uniform(f.shape[1:], spacing)], solver)


def farbman(f, spacing, smoothness, alpha, epsilon, guide, black=1e-4):
    """Weighted least squares, equations 4 to 7 of the paper, with its logarithm of the luminance."""
    luminance = numpy.tensordot([0.2126, 0.7152, 0.0722], f, 1) if len(f) == 3 else f.mean(axis=0)
    guide = numpy.log(luminance + black) if guide == "log" else luminance
    edges = [smoothness / s**2 / (abs(g)**alpha + epsilon)
             for g, s in zip(differences(guide, spacing), reversed(spacing))]
    return diffuse(f, spacing, edges)


def perona_malik(f, spacing, time, steps, contrast, conductivity):
    for _ in range(steps):
        squares = [sum((numpy.diff(c, axis=axis) / s)**2 for c in f) / len(f) for axis, s in enumerate(reversed(spacing))]
        g = [1 / (1 + q / contrast**2) if conductivity == "rational" else numpy.exp(-q / contrast**2) for q in squares]
        f = diffuse(f, spacing, [time / steps * w / s**2 for w, s in zip(g, reversed(spacing))])
    return f


def fill(f, spacing, missing, biharmonic=False):
    """Samples that are missing: the Laplace or the biharmonic equation with known samples on the right-hand side."""
    out = []
    for channel, holes in zip(f, missing):
        matrix = laplacian(uniform(channel.shape, spacing))
        if biharmonic:
            matrix = (matrix.T @ matrix).tocsr()
        u, m = channel.ravel().copy(), holes.ravel()
        if m.any() and not m.all():
            u[m] = solve(matrix[m][:, m], -matrix[m][:, ~m] @ u[~m])
        out.append(u.reshape(channel.shape))
    return numpy.array(out)


def fireflies(f, factor, black, radius):
    """Samples above `factor` times the lower median of their window in the slice, plus `black`."""
    missing = numpy.zeros(f.shape, bool)
    for c, z, y, x in numpy.ndindex(f.shape):
        window = f[c, z, max(y - radius, 0):y + radius + 1, max(x - radius, 0):x + radius + 1].ravel()
        median = numpy.sort(window)[(window.size - 1) // 2]
        missing[c, z, y, x] = f[c, z, y, x] > factor * (median + black)
    return missing


def main():
    lines = []

    def add(step, shape, spacing, result):
        values = result.ravel()
        sums = [sum(v * weight(i, k) for i, v in enumerate(values)) for k in (0, 1)]
        lines.append(f"{step} {' '.join(map(str, shape))} {' '.join(map(str, spacing))} : {sums[0]!r} {sums[1]!r}".replace("np.float64(", "")
                     .replace(")", ""))

    pixel = (1.0, 1.0, 1.0)
    for shape in ((1, 1, 1, 1), (13, 1, 1, 1), (1, 9, 1, 1), (12, 17, 1, 2), (33, 21, 1, 1)):
        f = image(shape)
        add("poisson:border=dirichlet", shape, pixel, poisson(f, pixel, "dirichlet"))
        if shape[0] * shape[1] > 1:
            add("poisson:border=neumann", shape, pixel, poisson(f, pixel, "neumann"))
        add("poisson:border=neumann,screening=0.25", shape, pixel, poisson(f, pixel, "neumann", 0.25))
    volume, spacing = (9, 8, 7, 1), (0.5, 1.25, 2.0)
    f = image(volume)
    add("poisson:border=dirichlet", volume, spacing, poisson(f, spacing, "dirichlet"))
    add("poisson:border=neumann", volume, spacing, poisson(f, spacing, "neumann"))
    large = (96, 90, 1, 1)
    add("poisson:border=dirichlet", large, pixel, poisson(image(large), pixel, "dirichlet", solver=by_pyamg))
    add("diffuse:weights=uniform,time=3", large, pixel, heat(image(large), pixel, 3, by_pyamg))

    for shape, steps in (((1, 1, 1, 1), pixel), ((12, 17, 1, 3), pixel), ((33, 21, 1, 1), pixel), (volume, spacing)):
        f = image(shape)
        add("diffuse:weights=uniform,time=2.5", shape, steps, heat(f, steps, 2.5))
        add("diffuse:weights=edges,lambda=1,alpha=1.2,epsilon=0.0001", shape, steps, farbman(f, steps, 1, 1.2, 1e-4, "log"))
        add("diffuse:weights=edges,lambda=0.3,alpha=1.8,epsilon=0.01,guide=linear", shape, steps, farbman(f, steps, 0.3, 1.8, 1e-2, "linear"))
        add("diffuse:weights=perona-malik,time=2,steps=3,contrast=0.5", shape, steps, perona_malik(f, steps, 2, 3, 0.5, "rational"))
        add("diffuse:weights=perona-malik,time=1,steps=2,contrast=0.8,conductivity=exponential", shape, steps,
            perona_malik(f, steps, 1, 2, 0.8, "exponential"))

    for shape, steps in (((1, 1, 1, 1), pixel), ((13, 1, 1, 1), pixel), ((1, 9, 1, 1), pixel), ((12, 17, 1, 3), pixel),
                         ((33, 21, 1, 1), pixel), (volume, spacing), (large, pixel)):
        f = image(shape)
        for threshold in (2.5, 1.0, 0.125):
            add(f"fill:missing=above,threshold={threshold}", shape, steps, fill(f, steps, f >= threshold))
        add("fill:missing=below,threshold=3", shape, steps, fill(f, steps, f <= 3))
        add("fill:missing=fireflies,factor=1.5,black=0.05,window=small", shape, steps, fill(f, steps, fireflies(f, 1.5, 0.05, 1)))
        add("fill:missing=fireflies,factor=1.2,black=0.01", shape, steps, fill(f, steps, fireflies(f, 1.2, 0.01, 2)))
        for threshold in (2.5, 1.0, 0.125):
            add(f"fill:missing=above,threshold={threshold},interpolation=biharmonic", shape, steps, fill(f, steps, f >= threshold, True))
        add("fill:missing=below,threshold=3,interpolation=biharmonic", shape, steps, fill(f, steps, f <= 3, True))

    with open("solvers.txt", "w", encoding="ascii") as file:
        file.write(f"# Written by make_solvers.py with SciPy {scipy.__version__} and PyAMG {pyamg.__version__}\n")
        file.write("\n".join(lines) + "\n")


main()
