// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/volume_frame.hpp"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/image/orientation.hpp"

namespace parallax::ui {
namespace {

constexpr std::array<const char*, 3> kForwards{"L", "P", "S"}, kBackwards{"R", "A", "I"};
// A second letter from about 20 degrees on.
constexpr double kSecondLetter = 0.34;

double usable(double spacing) { return std::isfinite(spacing) && spacing > 0 ? spacing : 1.0; }

}  // namespace

AxisMap::AxisMap(std::int64_t count, double spacing)
    : count_(std::max<std::int64_t>(1, count)), spacing_(usable(spacing)), extent_(static_cast<double>(count_) * spacing_) {}

AxisMap::AxisMap(const std::vector<double>& positions) : count_(static_cast<std::int64_t>(positions.size())), centres_(positions) {
    const double first = 0.5 * (positions[1] - positions[0]), last = 0.5 * (positions.back() - positions[positions.size() - 2]);
    for (double& c : centres_) c += first - positions.front();
    extent_ = centres_.back() + last;
    spacing_ = extent_ / static_cast<double>(count_);
}

double AxisMap::mmOf(double index) const {
    if (centres_.empty()) return (index + 0.5) * spacing_;
    const double before = static_cast<double>(count_ - 2);
    const auto i = static_cast<std::size_t>(index <= 0 ? 0 : std::min(std::floor(index), before));
    return centres_[i] + (index - static_cast<double>(i)) * (centres_[i + 1] - centres_[i]);
}

double AxisMap::indexOf(double mm) const {
    if (centres_.empty()) return mm / spacing_ - 0.5;
    const auto above = std::upper_bound(centres_.begin() + 1, centres_.end() - 1, mm);
    const auto i = static_cast<std::size_t>(above - centres_.begin()) - 1;
    return static_cast<double>(i) + (mm - centres_[i]) / (centres_[i + 1] - centres_[i]);
}

std::int64_t AxisMap::nearest(double mm) const {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(indexOf(mm) + 0.5)), 0, count_ - 1);
}

VolumeFrame::VolumeFrame(const Image& image) : VolumeFrame(image.shape(), image.geometry, orientationKnown(image)) {}

VolumeFrame::VolumeFrame(const Shape& shape, const std::optional<Geometry>& geometry, bool oriented)
    : geometry_(geometry), oriented_(oriented) {
    Geometry g = geometry.value_or(Geometry{});
    // Unknown orientation: x points right and y down, as in the file.
    if (!oriented) g.direction = Geometry{}.direction;
    axes_ = {AxisMap(shape.width, g.spacing[0]), AxisMap(shape.height, g.spacing[1]), AxisMap(shape.depth, g.spacing[2])};
    const auto& at = g.slicePositions;
    if (at.size() > 1 && static_cast<std::int64_t>(at.size()) == shape.depth && std::is_sorted(at.begin(), at.end(), std::less_equal<>()))
        axes_[2] = AxisMap(at);
    // Assign to each patient axis the voxel axis that fits best overall.
    std::array<int, 3> order{0, 1, 2};
    double best = -1;
    do {
        double fit = 0;
        for (std::size_t patient = 0; patient < 3; ++patient)
            fit += std::fabs(g.direction[3 * patient + static_cast<std::size_t>(order[patient])]);
        if (fit > best + 1e-9) {
            best = fit;
            voxelAxis_ = order;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    for (std::size_t patient = 0; patient < 3; ++patient) {
        const double along = g.direction[3 * patient + static_cast<std::size_t>(voxelAxis_[patient])];
        forwards_[patient] = along >= 0;
        const double degrees = std::acos(std::clamp(std::fabs(along), 0.0, 1.0)) * 180 / std::numbers::pi;
        obliqueness_ = std::max(obliqueness_, degrees);
    }
}

bool VolumeFrame::holds(const Voxel& voxel) const {
    for (std::size_t a = 0; a < 3; ++a)
        if (voxel[a] < 0 || voxel[a] >= axes_[a].count()) return false;
    return true;
}

Voxel VolumeFrame::clamped(const Voxel& voxel) const {
    Voxel inside = voxel;
    for (std::size_t a = 0; a < 3; ++a) inside[a] = std::clamp<std::int64_t>(voxel[a], 0, axes_[a].count() - 1);
    return inside;
}

PlaneAxes VolumeFrame::plane(PlaneKind kind, bool radiological) const {
    if (!placed()) radiological = true;
    // Patient axes: 0 towards left, 1 towards back, 2 towards head.
    struct Orientation {
        std::size_t u, v, n;
        bool uForwards, vForwards, nForwards;
    };
    Orientation w{};
    switch (kind) {
        case PlaneKind::axial: w = {0, 1, 2, radiological, true, true}; break;
        case PlaneKind::coronal: w = {0, 2, 1, radiological, false, false}; break;
        case PlaneKind::sagittal: w = {1, 2, 0, true, false, false}; break;
    }
    return {voxelAxis_[w.u],
            voxelAxis_[w.v],
            voxelAxis_[w.n],
            forwards_[w.u] != w.uForwards,
            forwards_[w.v] != w.vForwards,
            forwards_[w.n] == w.nForwards ? 1 : -1};
}

std::array<double, 3> VolumeFrame::patientOf(const Voxel& voxel) const {
    return positionOf(geometry_.value_or(Geometry{}), static_cast<double>(voxel[0]), static_cast<double>(voxel[1]),
                      static_cast<double>(voxel[2]));
}

double VolumeFrame::cosine(int a, int b) const {
    if (!geometry_ || a == b) return a == b ? 1 : 0;
    double sum = 0;
    for (std::size_t patient = 0; patient < 3; ++patient)
        sum += geometry_->direction[3 * patient + static_cast<std::size_t>(a)] *
               geometry_->direction[3 * patient + static_cast<std::size_t>(b)];
    return sum;
}

QString VolumeFrame::letters(int axis, bool forwards) const {
    if (!placed()) return {};
    std::array<std::size_t, 3> order{0, 1, 2};
    const auto along = [&](std::size_t patient) { return geometry_->direction[3 * patient + static_cast<std::size_t>(axis)]; };
    // The patient axis assigned to this voxel axis comes first, even if another is almost as close.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if ((voxelAxis_[a] == axis) != (voxelAxis_[b] == axis)) return voxelAxis_[a] == axis;
        return std::fabs(along(a)) > std::fabs(along(b));
    });
    QString text;
    for (const std::size_t patient : order)
        if (text.isEmpty() || std::fabs(along(patient)) > kSecondLetter)
            text += QLatin1String((along(patient) >= 0) == forwards ? kForwards[patient] : kBackwards[patient]);
    return text;
}

double VolumeFrame::finestSpacing() const {
    double finest = axes_[0].extent() / static_cast<double>(axes_[0].count());
    for (const AxisMap& a : axes_) finest = std::min(finest, a.extent() / static_cast<double>(a.count()));
    return finest;
}

bool operator==(const VolumeFrame& a, const VolumeFrame& b) {
    if (a.counts() != b.counts() || a.placed() != b.placed()) return false;
    const Voxel n = a.counts();
    return sameGeometry(a.geometry_.value_or(Geometry{}), b.geometry_.value_or(Geometry{}), static_cast<std::size_t>(n[0]),
                        static_cast<std::size_t>(n[1]), static_cast<std::size_t>(n[2]));
}

QString patientText(const std::array<double, 3>& lps) {
    const QLocale locale;
    QStringList parts;
    for (std::size_t i = 0; i < 3; ++i) {
        // Round first, so that zero gets a consistent letter.
        const double shown = std::round(lps[i] * 10) / 10;
        parts << QStringLiteral("%1 %2").arg(QLatin1String(shown >= 0 ? kForwards[i] : kBackwards[i]),
                                             locale.toString(std::fabs(shown), 'f', 1));
    }
    return parts.join(QStringLiteral(" · ")) + QStringLiteral(" mm");
}

}  // namespace parallax::ui
