// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.hpp"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/engine/backend/backend.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/choice_text.hpp"

namespace parallax::ui {
namespace {

constexpr int kGap = 2;
constexpr int kNoticeMilliseconds = 150;  // results that arrive sooner replace the old ones without a notice
// Reading order: A and B first.
constexpr std::array kOrder{PaneRole::a, PaneRole::b, PaneRole::original, PaneRole::difference};

QString differenceName(DifferenceMode mode) {
    switch (mode) {
        case DifferenceMode::signedValue: return CompareView::tr("B − A");
        case DifferenceMode::absolute: return CompareView::tr("|B − A|");
        case DifferenceMode::relative: return CompareView::tr("Relative");
        case DifferenceMode::squared: return CompareView::tr("(B − A)²");
    }
    return {};
}

QString targetText(const Target& target) { return QString::fromStdString(target.label()); }

}  // namespace

CompareView::CompareView(Session& session, ViewState& view, QWidget* parent) : QWidget(parent), session_(session), view_(view) {
    for (const PaneRole role : kAllPanes) {
        auto* pane = new ImagePane(view, this);
        panes_[static_cast<std::size_t>(role)] = pane;
        headers_[static_cast<std::size_t>(role)] = new PaneHeader(*pane, this);
        pane->setDifference(role == PaneRole::difference);
    }
    pane(PaneRole::original).setToolTip(tr("The image before processing."));
    pane(PaneRole::difference)
        .setToolTip(tr("Difference of A and B in the channel where it is largest, displayed as chosen in the Inspector. "
                       "Signed: blue is negative, orange positive. Otherwise lighter means larger."));
    connect(&session_.panes(), &PaneData::pyramidChanged, this, [this](PaneRole role) {
        pane(role).setPyramid(session_.panes().pyramid(role));
        if (role == PaneRole::difference) updateDifference();
        if (role == PaneRole::b) updateWipe();
    });
    connect(&session_, &Session::originalChanged, this, &CompareView::updateOriginal);
    notice_.setSingleShot(true);
    notice_.setInterval(kNoticeMilliseconds);
    connect(&notice_, &QTimer::timeout, this, [this] {
        slow_ = true;
        updateSide(Side::a);
        updateSide(Side::b);
        updateDifference();
    });
    connect(&session_.comparison(), &Comparison::sideChanged, this, [this](Side side) {
        updateSide(side);
        updateDifference();
    });
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &CompareView::updateDifference);
    const auto updateBoth = [this] {
        updateSide(Side::a);
        updateSide(Side::b);
    };
    connect(&session_.comparison(), &Comparison::referenceChanged, this, updateBoth);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, updateBoth);
    connect(&view_, &ViewState::displayChanged, this, [this] {
        session_.comparison().setRelativeDifference(view_.display().differenceMode == DifferenceMode::relative);
        updateDifference();
    });
    arrange();
    updateWipe();
}

bool CompareView::shown(PaneRole role) const {
    switch (role) {
        case PaneRole::a: return layout_ != Layout::difference && !(layout_ == Layout::single && flipped_);
        case PaneRole::b: return (layout_ == Layout::single && flipped_) || layout_ == Layout::sideBySide || layout_ == Layout::compare;
        case PaneRole::difference: return layout_ == Layout::compare || layout_ == Layout::difference;
        case PaneRole::original: return originalShown_;
    }
    return false;
}

void CompareView::setLayoutKind(Layout layout) {
    layout_ = layout;
    arrange();
    updateSide(Side::a);
    updateSide(Side::b);
    emit changed();
}

void CompareView::setFlipped(bool flipped) {
    if (flipped == flipped_) return;
    const bool focused = pane(PaneRole::a).hasFocus() || pane(PaneRole::b).hasFocus();
    flipped_ = flipped;
    arrange();
    // The pane that takes its place takes the focus too.
    if (focused && layout_ == Layout::single) pane(flipped ? PaneRole::b : PaneRole::a).setFocus();
    emit changed();
}

void CompareView::moveWipe(double by) {
    if (pane(PaneRole::a).wiping()) setWipePosition(pane(PaneRole::a).wipePosition() + by);
}

void CompareView::setWipePosition(double position) {
    pane(PaneRole::a).setWipePosition(position);
    emit changed();
}

bool CompareView::outdated(PaneRole role) const {
    switch (role) {
        case PaneRole::a: return saysPending(Side::a);
        case PaneRole::b: return saysPending(Side::b);
        case PaneRole::difference:
            return saysPending(Side::a) || saysPending(Side::b) || session_.side(Side::a).error || session_.side(Side::b).error;
        case PaneRole::original: return false;
    }
    return false;
}

void CompareView::updateWipe() {
    ImagePane& target = pane(PaneRole::a);
    const bool wiping = layout_ == Layout::wipe;
    // Outside the wipe layout the pane must not hold a second copy of B's tiles.
    target.setRightSide(wiping ? session_.panes().pyramid(PaneRole::b) : nullptr, wiping ? sideLabel(Side::b) : PaneLabel{});
    target.setRightOutdated(saysPending(Side::b));
    target.setWiping(wiping);
    target.setToolTip(wiping ? tr("A left of the line, B right of it. Drag the line, or move it with comma and full stop.") +
                                   sideTip(Side::a) + sideTip(Side::b)
                             : tr("Result A. Scroll to zoom, drag to pan, double-click to fit.") + sideTip(Side::a));
    pane(PaneRole::b).setToolTip(tr("Result B, at the same position as A.") + sideTip(Side::b));
    target.setAccessibleName(wiping ? tr("Wipe: A left, B right") : target.label().badge + QLatin1Char(' ') + target.label().title);
}

void CompareView::setOriginalShown(bool on) {
    originalShown_ = on;
    arrange();
    emit changed();
}

void CompareView::setHeadersShown(bool shown) {
    if (shown == headersShown_) return;
    headersShown_ = shown;
    arrange();
    emit changed();
}

bool CompareView::settled() const {
    return std::all_of(panes_.begin(), panes_.end(), [](const ImagePane* p) { return !p->isVisible() || p->settled(); });
}

void CompareView::resizeEvent(QResizeEvent*) { arrange(); }

void CompareView::arrange() {
    std::vector<PaneRole> visible;
    for (const PaneRole role : kOrder) {
        pane(role).setVisible(shown(role));
        header(role).setVisible(headersShown_ && shown(role));
        if (shown(role)) visible.push_back(role);
    }
    const int count = static_cast<int>(visible.size());
    if (count == 0 || width() <= 0) return;
    const int above = headersShown_ ? header(PaneRole::a).sizeHint().height() : 0;
    // Choose the number of columns that shows the image largest.
    const double aspect = view_.imageSize().isEmpty() ? 1.5 : view_.imageSize().width() / view_.imageSize().height();
    int columns = 1;
    double best = 0;
    for (int c = 1; c <= count; ++c) {
        const int rows = (count + c - 1) / c;
        const double w = (width() - (c - 1) * kGap) / static_cast<double>(c),
                     h = (height() - (rows - 1) * kGap) / static_cast<double>(rows) - above;
        const double shownWidth = std::min(w, h * aspect);
        if (shownWidth > best * 1.02) {
            best = shownWidth;
            columns = c;
        }
    }
    const int rows = (count + columns - 1) / columns;
    // Equal sizes, so that a pixel has the same position in every pane.
    const int w = (width() - (columns - 1) * kGap) / columns, h = (height() - (rows - 1) * kGap) / rows - above;
    for (int i = 0; i < count; ++i) {
        const QPoint corner((i % columns) * (w + kGap), (i / columns) * (above + h + kGap));
        const PaneRole role = visible[static_cast<std::size_t>(i)];
        header(role).setGeometry(corner.x(), corner.y(), w, above);
        pane(role).setGeometry(corner.x(), corner.y() + above, w, h);
    }
    view_.setPaneSize(QSizeF(w, h) * devicePixelRatioF());
}

void CompareView::updateExtent() {
    // Results may be larger than the original, such as wavelet coefficients.
    QSizeF extent;
    const auto grow = [&](const ImagePtr& image) {
        if (image)
            extent = extent.expandedTo(QSizeF(static_cast<double>(image->shape().width), static_cast<double>(image->shape().height)));
    };
    grow(session_.original());
    for (const Side side : {Side::a, Side::b})
        if (session_.side(side).result) grow(session_.side(side).result->image);
    if (!extent.isEmpty()) view_.setExtent(extent);
}

void CompareView::updateOriginal() {
    PaneLabel label{.badge = tr("Original")};
    if (const ImagePtr& image = session_.original()) {
        const Shape& shape = image->shape();
        view_.setImageSize(QSizeF(static_cast<double>(shape.width), static_cast<double>(shape.height)));
        QStringList names;
        for (const std::string& name : image->channelNames()) names << QString::fromStdString(name);
        label.figure = formatExtent(shape.width, shape.height, shape.depth);
        label.details = tr("%1, %2").arg(label.figure, names.join(QLatin1Char(' ')));
    }
    pane(PaneRole::original).setLabel(label);
    arrange();
    emit changed();
}

QString CompareView::verdictText(Side side, bool& alert) const {
    const ReferenceCheck& check = session_.comparison().referenceCheck();
    const auto index = static_cast<std::size_t>(side);
    if (session_.side(side).target.backend == kReferenceBackend) return tr("reference");
    if (check.state == ReferenceCheck::State::known && check.metrics[index]) {
        const DifferenceMetrics& m = check.judged(index);
        const double allowed = check.allowed(index);
        const Verification verification = check.verification(index);
        alert = verification == Verification::disagrees;
        const QString error = ui::formatError(m.maxAbs);
        if (m.mismatches() > 0) return tr("✗ %1 samples differ from the reference in NaN or infinity").arg(m.mismatches());
        if (verification == Verification::inconclusive)
            return tr("error %1 against reference, inconclusive: the tolerance allows any result").arg(error);
        if (!alert && m.maxAbs > allowed)
            return tr("✓ %1 ambiguous samples near a threshold differ from the reference, by up to %2")
                .arg(m.beyond.value_or(0))
                .arg(error);
        if (const auto& step = check.steps[index]) {
            const QString name = catalogText(session_.catalog().operation(step->step).title());
            return alert ? tr("✗ error %1 against reference in %2 alone (allowed %3)").arg(error, name, ui::formatError(allowed))
                         : tr("✓ error %1 against reference in %2 alone").arg(error, name);
        }
        return alert ? tr("✗ error %1 against reference (allowed %2)").arg(error, ui::formatError(allowed))
                     : tr("✓ error %1 against reference").arg(error);
    }
    if (check.state == ReferenceCheck::State::pending) return tr("checking against reference …");
    if (session_.comparison().difference() && !session_.comparison().comparing()) {
        return tr("error %1 against %2")
            .arg(ui::formatError(session_.comparison().difference()->maxAbs), side == Side::a ? QStringLiteral("B") : QStringLiteral("A"));
    }
    return {};
}

QString CompareView::markOf(Side side) const {
    const ReferenceCheck& check = session_.comparison().referenceCheck();
    const auto index = static_cast<std::size_t>(side);
    if (check.state != ReferenceCheck::State::known || !check.metrics[index]) return {};
    switch (check.verification(index)) {
        case Verification::disagrees: return QStringLiteral("✗");
        case Verification::inconclusive: return QStringLiteral("?");
        default: return check.judged(index).mismatches() > 0 ? QStringLiteral("✗") : QStringLiteral("✓");
    }
}

PaneLabel CompareView::sideLabel(Side side) const {
    const SideState& state = session_.side(side);
    PaneLabel label{.badge = side == Side::a ? QStringLiteral("A") : QStringLiteral("B"), .title = targetText(state.target)};
    if (state.error) {
        label.notice = state.error->plainText();
        label.alert = true;
        return label;
    }
    if (!state.result) {
        if (state.pending) label.notice = tr("Computing …");
        return label;
    }
    const SideResult& result = *state.result;
    if (result.plan.empty()) {
        label.title = tr("all steps off (original)");
        return label;
    }
    if (!state.pending) {
        const std::string& variant = result.plan.back().variant;
        if (state.target.variant.empty() && !variant.empty()) label.title += QStringLiteral(" · ") + QString::fromStdString(variant);
        QString device = result.device;
        if (result.threads > 0) device += QStringLiteral(", ") + formatThreads(result.threads);
        // A single run, perhaps the first: the Timing panel has the statistics of a benchmark.
        label.figure = formatDuration(static_cast<double>(result.times.compute()));
        const QString times =
            tr("%1 compute, %2 end to end").arg(label.figure, formatDuration(static_cast<double>(result.times.endToEnd())));
        label.details = tr("this run: %1 · %2").arg(times, device);
        if (const auto& m = result.againstOriginal)
            label.details += tr(" · PSNR %1 dB against the original")
                                 .arg(std::isinf(m->psnr) ? QStringLiteral("∞") : QLocale().toString(m->psnr, 'f', 1));
        label.verdict = verdictText(side, label.alert);
        label.mark = markOf(side);
    } else {
        label.details = tr("computing …");
        label.figure = label.details;
    }
    if (layout_ == Layout::single) label.hint = side == Side::a ? tr("[B] flips to B") : tr("[B] flips to A");
    return label;
}

QString CompareView::sideTip(Side side) const {
    const SideState& state = session_.side(side);
    if (!state.result || state.pending || state.error) return {};
    const QStringList lines = choiceTexts(state.result->plan);
    if (lines.isEmpty()) return {};
    return QLatin1Char('\n') + (side == Side::a ? tr("A ran %1") : tr("B ran %1")).arg(lines.join(QStringLiteral("\n→ ")));
}

bool CompareView::soonReplaced(Side side) const {
    const SideState& state = session_.side(side);
    return state.pending && state.result && !state.error && !slow_ && state.result->target == state.target;
}

bool CompareView::saysPending(Side side) const { return session_.side(side).pending && session_.side(side).result && !soonReplaced(side); }

void CompareView::updateSide(Side side) {
    if (!session_.side(Side::a).pending && !session_.side(Side::b).pending) {
        notice_.stop();
        slow_ = false;
    } else if (!slow_ && !notice_.isActive()) {
        notice_.start();
    }
    // Keep picture and label of the old result: redrawing them would flicker while a slider moves, and delay the next result.
    if (soonReplaced(side)) return;
    ImagePane& target = pane(side == Side::a ? PaneRole::a : PaneRole::b);
    target.setLabel(sideLabel(side));
    target.setOutdated(saysPending(side));
    updateExtent();
    updateWipe();
    emit changed();
}

void CompareView::updateDifference() {
    ImagePane& target = pane(PaneRole::difference);
    // Switching to or from the relative mode takes a moment: until then, use the colours of the image that is shown.
    DifferenceMode mode = view_.display().differenceMode;
    if (session_.comparison().shownRelative()) mode = DifferenceMode::relative;
    else if (mode == DifferenceMode::relative) mode = DifferenceMode::absolute;
    PaneLabel label{.badge = differenceName(mode)};
    const auto& metrics = session_.comparison().difference();
    double scale = view_.display().differenceScale;
    if (metrics) {
        if (scale <= 0) {
            const double range = session_.comparison().differenceRange();
            scale = mode == DifferenceMode::squared ? range * range : range;
        }
        label.title =
            metrics->maxAbs == 0 && metrics->mismatches() == 0 ? tr("identical") : tr("max %1").arg(ui::formatError(metrics->maxAbs));
        const QString psnr = std::isinf(metrics->psnr) ? QStringLiteral("∞") : QLocale().toString(metrics->psnr, 'f', 1);
        if (metrics->maxAbs > 0) label.figure = tr("PSNR %1 dB").arg(psnr);
        label.details = tr("RMSE %1 · PSNR %2 dB").arg(ui::formatError(metrics->rmse), psnr);
        if (metrics->mismatches() > 0) {
            label.verdict = tr("%1 samples differ in NaN or infinity").arg(metrics->mismatches());
            label.alert = true;
        }
    }
    const bool failed = session_.side(Side::a).error || session_.side(Side::b).error;
    if (failed) label.notice = tr("No difference: A or B has no result");
    target.setOutdated(outdated(PaneRole::difference));
    target.setLabel(label);
    target.setDifferenceScale(scale, mode);
    differenceScale_ = scale;
    differenceMode_ = mode;
    emit changed();
}

}  // namespace parallax::ui
