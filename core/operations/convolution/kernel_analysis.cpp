// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/kernel_analysis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <numeric>

#include "core/image/error.hpp"

namespace parallax {
namespace {

/// A rotation in the plane of two vectors.
struct Rotation {
    double cosine = 1, sine = 0;
    void turn(std::vector<double>& a, std::vector<double>& b) const {
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double old = a[i];
            a[i] = cosine * old - sine * b[i];
            b[i] = sine * old + cosine * b[i];
        }
    }
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Returns the rotation that makes two columns orthogonal. Nothing if they already are, or if one of them is only rounding noise, which
/// would never settle: the square of its length is at most `negligible`.
std::optional<Rotation> orthogonalising(const std::vector<double>& a, const std::vector<double>& b, double negligible) {
    const double aa = product(a, a), bb = product(b, b), ab = product(a, b);
    constexpr double kOrthogonal = 1e-14;
    if (std::min(aa, bb) <= negligible || std::fabs(ab) <= kOrthogonal * std::sqrt(aa) * std::sqrt(bb)) return std::nullopt;
    const double zeta = (bb - aa) / (2 * ab);
    const double t = std::copysign(1.0, zeta) / (std::fabs(zeta) + std::hypot(1.0, zeta));
    const double c = 1 / std::hypot(1.0, t);
    return Rotation{c, c * t};
}

/// Steps of the power method: each leaves (second / largest singular value)^2 of the error, 1e-14 if the answer is yes.
constexpr int kSteps = 3;

bool smallerMagnitude(double a, double b) { return std::fabs(a) < std::fabs(b); }

double magnitudeSum(const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += std::fabs(x);
    return sum;
}

double largestWeight(const Kernel& kernel) {
    return std::fabs(*std::max_element(kernel.weights.begin(), kernel.weights.end(), smallerMagnitude));
}

/// Returns whether a sum of products is as accurate as the weights: each deviates by at most 1e-7 of the largest, all together by at most
/// 2^-23 of their magnitudes. difference(u, v) is the deviation from a weight.
template <class F>
bool withinFloatRounding(const Kernel& kernel, double scale, const F& difference) {
    double error = 0;
    for (int v = 0; v < kernel.height; ++v)
        for (int u = 0; u < kernel.width; ++u) {
            const double d = std::fabs(difference(static_cast<std::size_t>(u), static_cast<std::size_t>(v)));
            if (!(d <= 1e-7 * scale)) return false;
            error += d;
        }
    return error <= 0x1p-23 * kernel.absoluteSum();
}

using Vectors = std::array<std::vector<double>, 2>;

/// Gaussian elimination with complete pivoting: each step takes one rank away. Returns the rows of the two pivots, which span all rows of
/// a matrix of rank 2; nothing for another rank.
std::optional<Vectors> pivotRows(std::vector<double> rest, std::size_t width, std::size_t height) {
    Vectors rows;
    for (std::vector<double>& row : rows) {
        const auto largest = std::max_element(rest.begin(), rest.end(), smallerMagnitude);
        const double pivot = *largest;
        if (std::fabs(pivot) < 1e-12) return std::nullopt;
        const std::size_t at = static_cast<std::size_t>(largest - rest.begin()), pu = at % width, pv = at / width;
        row.assign(rest.begin() + static_cast<std::ptrdiff_t>(pv * width), rest.begin() + static_cast<std::ptrdiff_t>((pv + 1) * width));
        std::vector<double> factors;
        for (std::size_t v = 0; v < height; ++v) factors.push_back(rest[v * width + pu] / pivot);
        for (std::size_t v = 0; v < height; ++v)
            for (std::size_t u = 0; u < width; ++u) rest[v * width + u] -= factors[v] * row[u];
    }
    // If the rank is 2, only the rounding of the weights is left. A wider bound than the final one, to reject other kernels early.
    if (std::any_of(rest.begin(), rest.end(), [](double r) { return std::fabs(r) > 1e-5; })) return std::nullopt;
    return rows;
}

/// One step of subspace iteration: orthonormal columns that span weights * rows, then rows = transposed weights * columns. Returns
/// whether the columns are independent.
bool iterateSubspace(const std::vector<double>& weights, Vectors& rows, Vectors& columns) {
    const std::size_t width = rows[0].size(), height = weights.size() / width;
    for (std::size_t i = 0; i < 2; ++i) {
        columns[i].assign(height, 0.0);
        for (std::size_t v = 0; v < height; ++v)
            for (std::size_t u = 0; u < width; ++u) columns[i][v] += weights[v * width + u] * rows[i][u];
    }
    // Twice, since the first pass leaves what nearly parallel columns have in common.
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < 2; ++i) {
            if (i == 1) {
                const double common = product(columns[0], columns[1]);
                for (std::size_t v = 0; v < height; ++v) columns[1][v] -= common * columns[0][v];
            }
            const double length = std::sqrt(product(columns[i], columns[i]));
            if (!(length > 0)) return false;
            for (double& c : columns[i]) c /= length;
        }
    for (std::size_t i = 0; i < 2; ++i) {
        rows[i].assign(width, 0.0);
        for (std::size_t v = 0; v < height; ++v)
            for (std::size_t u = 0; u < width; ++u) rows[i][u] += weights[v * width + u] * columns[i][v];
    }
    return true;
}

}  // namespace

std::vector<double> singularValues(const Kernel& kernel) {
    // Columns of the longer side: fewer pairs to rotate. Scaled by the largest weight, so that squares neither overflow nor vanish.
    const double largest = largestWeight(kernel);
    const bool tall = kernel.height >= kernel.width;
    const int count = tall ? kernel.width : kernel.height, length = tall ? kernel.height : kernel.width;
    if (largest == 0) return std::vector<double>(static_cast<std::size_t>(count), 0.0);
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(count));
    for (int c = 0; c < count; ++c)
        for (int i = 0; i < length; ++i)
            columns[static_cast<std::size_t>(c)].push_back((tall ? kernel.at(c, i) : kernel.at(i, c)) / largest);
    double total = 0;
    for (const auto& column : columns) total += product(column, column);
    constexpr int kSweeps = 40;  // convergence is quadratic: about ten are needed
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        bool turned = false;
        for (std::size_t i = 0; i + 1 < columns.size(); ++i)
            for (std::size_t j = i + 1; j < columns.size(); ++j)
                if (const auto rotation = orthogonalising(columns[i], columns[j], 1e-28 * total)) {
                    rotation->turn(columns[i], columns[j]);
                    turned = true;
                }
        if (!turned) break;
    }
    std::vector<double> values;
    for (const auto& column : columns) values.push_back(std::sqrt(product(column, column)) * largest);
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

int kernelRank(const Kernel& kernel) {
    const std::vector<double> values = singularValues(kernel);
    const double threshold = values.front() * std::max(kernel.width, kernel.height) * 0x1p-24;
    return static_cast<int>(std::count_if(values.begin(), values.end(), [&](double v) { return v > threshold; }));
}

std::optional<RankOne> rankOne(const Kernel& kernel) {
    const auto largest = std::max_element(kernel.weights.begin(), kernel.weights.end(), smallerMagnitude);
    const double scale = std::fabs(*largest);
    if (scale == 0 || !std::isfinite(scale)) return std::nullopt;
    const auto width = static_cast<std::size_t>(kernel.width), height = static_cast<std::size_t>(kernel.height);
    // Scaled by the largest weight, so that squares neither overflow nor vanish. Its row is a good start. Columns and rows of
    // zeros stay zeros exactly.
    const std::size_t pivot = static_cast<std::size_t>(largest - kernel.weights.begin()) / width;
    std::vector<double> row, column(height);
    for (std::size_t u = 0; u < width; ++u) row.push_back(kernel.weights[pivot * width + u] / scale);
    for (int step = 0; step < kSteps; ++step) {
        double squares = 0;
        for (std::size_t v = 0; v < height; ++v) {
            column[v] = 0;
            for (std::size_t u = 0; u < width; ++u) column[v] += kernel.weights[v * width + u] / scale * row[u];
            squares += column[v] * column[v];
        }
        for (double& c : column) c /= std::sqrt(squares);
        for (std::size_t u = 0; u < width; ++u) {
            row[u] = 0;
            for (std::size_t v = 0; v < height; ++v) row[u] += kernel.weights[v * width + u] / scale * column[v];
        }
    }
    const double magnitude = magnitudeSum(row);
    for (double& r : row) r /= magnitude;
    for (double& c : column) c *= magnitude * scale;

    if (!withinFloatRounding(kernel, scale,
                             [&](std::size_t u, std::size_t v) { return column[v] * row[u] - kernel.weights[v * width + u]; }))
        return std::nullopt;
    RankOne result{{std::move(column), std::move(row)}, true};
    for (std::size_t v = 0; v < height; ++v)
        for (std::size_t u = 0; u < width; ++u) {
            const bool zero = static_cast<float>(result.factors.column[v]) == 0 || static_cast<float>(result.factors.row[u]) == 0;
            result.sameZeros = result.sameZeros && zero == (kernel.weights[v * width + u] == 0);
        }
    return result;
}

std::optional<RankTwo> rankTwo(const Kernel& kernel) {
    const double scale = largestWeight(kernel);
    if (scale == 0 || !std::isfinite(scale) || rankOne(kernel)) return std::nullopt;
    const auto width = static_cast<std::size_t>(kernel.width), height = static_cast<std::size_t>(kernel.height);
    // Scaled by the largest weight, so that squares neither overflow nor vanish.
    std::vector<double> weights;
    for (const double w : kernel.weights) weights.push_back(w / scale);
    std::optional<Vectors> pivots = pivotRows(weights, width, height);
    if (!pivots) return std::nullopt;
    Vectors rows = std::move(*pivots), columns;
    for (int step = 0; step < kSteps; ++step)
        if (!iterateSubspace(weights, rows, columns)) return std::nullopt;
    if (const auto rotation = orthogonalising(rows[0], rows[1], 0)) {
        rotation->turn(rows[0], rows[1]);
        rotation->turn(columns[0], columns[1]);
    }
    if (product(rows[0], rows[0]) < product(rows[1], rows[1])) {
        std::swap(rows[0], rows[1]);
        std::swap(columns[0], columns[1]);
    }
    RankTwo result;
    double magnitudes = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const double magnitude = magnitudeSum(rows[i]);
        if (!(magnitude > 0)) return std::nullopt;
        for (double& r : rows[i]) r /= magnitude;
        for (double& c : columns[i]) c *= magnitude * scale;
        magnitudes += magnitudeSum(columns[i]);
    }
    if (!withinFloatRounding(kernel, scale, [&](std::size_t u, std::size_t v) {
            return columns[0][v] * rows[0][u] + columns[1][v] * rows[1][u] - kernel.weights[v * width + u];
        }))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) result.terms[i] = {std::move(columns[i]), std::move(rows[i])};
    result.growth = magnitudes / kernel.absoluteSum();
    return result;
}

std::vector<double> frequencyResponse(const Kernel& kernel, int size) {
    std::vector<std::complex<double>> table;
    for (int i = 0; i < size; ++i) table.push_back(std::polar(1.0, -2 * std::numbers::pi * i / size));
    // The exponential is a product: first along x for each row, then along y. Indices stay whole numbers, so that no angle is rounded.
    const auto turn = [&](int frequency, int position) {
        const int steps = ((frequency - size / 2) * position) % size;
        return table[static_cast<std::size_t>(steps < 0 ? steps + size : steps)];
    };
    std::vector<std::complex<double>> rows;
    for (int v = 0; v < kernel.height; ++v)
        for (int fx = 0; fx < size; ++fx) {
            std::complex<double> sum = 0;
            for (int u = 0; u < kernel.width; ++u) sum += kernel.at(u, v) * turn(fx, u);
            rows.push_back(sum);
        }
    std::vector<double> magnitudes;
    for (int fy = 0; fy < size; ++fy)
        for (int fx = 0; fx < size; ++fx) {
            std::complex<double> sum = 0;
            for (int v = 0; v < kernel.height; ++v)
                sum += rows[static_cast<std::size_t>(v) * static_cast<std::size_t>(size) + static_cast<std::size_t>(fx)] * turn(fy, v);
            magnitudes.push_back(std::abs(sum));
        }
    return magnitudes;
}

std::string kernelText(const Kernel& kernel) {
    std::string text;
    for (int v = 0; v < kernel.height; ++v) {
        if (v > 0) text += '\n';
        for (int u = 0; u < kernel.width; ++u) {
            char digits[32];
            const auto end = std::to_chars(digits, digits + sizeof digits, kernel.at(u, v)).ptr;
            if (u > 0) text += ' ';
            text.append(digits, end);
        }
    }
    return text;
}

std::vector<BuiltInKernel> builtInKernels() {
    const ParameterTableBase& table = convolutionParameterTable();
    const auto& choices = table.infos().at(static_cast<std::size_t>(table.find("kernel"))).choices;
    std::vector<BuiltInKernel> list;
    for (std::size_t i = 0; i < choices.size(); ++i)  // enumerators are in the order of the choices
        if (const auto kind = static_cast<KernelKind>(i); kind != KernelKind::custom && !isAlongZ(kind))
            list.push_back({static_cast<KernelKind>(i), choices[i].title, choices[i].help});
    return list;
}

Kernel builtInKernel(KernelKind kind, int size) {
    // Some kinds need an odd size, others have only one: take the next smaller size that makeKernel() accepts.
    for (int s = std::clamp(size, 1, kMaximumKernelSize); s >= 1; --s) {
        try {
            return makeKernel({.kernel = kind, .size = s});
        } catch (const Error&) {
            continue;
        }
    }
    return makeKernel({.kernel = kind, .size = 3});
}

}  // namespace parallax
