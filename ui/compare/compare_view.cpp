// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "core/engine/backend/backend.hpp"
#include "ui/models/benchmark/memory_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/choice_text.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/compare/shown_kind.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {
namespace {

constexpr int kGap = 2;
constexpr int kNoticeMilliseconds = 150;  // results that arrive sooner replace the old ones without a notice

QString differenceName(DifferenceMode mode, const QString& r, const QString& s) {
    switch (mode) {
        case DifferenceMode::signedValue: return CompareView::tr("%2 − %1").arg(r, s);
        case DifferenceMode::absolute: return CompareView::tr("|%2 − %1|").arg(r, s);
        case DifferenceMode::relative: return CompareView::tr("Relative");
        case DifferenceMode::squared: return CompareView::tr("(%2 − %1)²").arg(r, s);
        case DifferenceMode::flip: return CompareView::tr("FLIP");
        case DifferenceMode::ssim: return CompareView::tr("1 − SSIM");
    }
    return {};
}

/// With threads or device if the user chose them.
QString targetText(const Catalog& catalog, const Target& target) {
    QString text = QString::fromStdString(target.label());
    if (target.threads > 0 && !catalog.backend(target.backend).isSerial()) text += QStringLiteral(" · ") + formatThreads(target.threads);
    if (target.device > 0) text += QStringLiteral(" · ") + CompareView::tr("device %1").arg(target.device);
    return text;
}

/// The difference at the ends of the colour map.
double scaleOf(const DisplaySettings& display, DifferenceMode mode, const DifferenceRange& range) {
    if (display.differenceScale > 0) return display.differenceScale;
    const bool full = display.differenceScale < 0;
    if (mode == DifferenceMode::flip && !full) return 1;
    const double end = full ? range.largest : range.typical;
    return mode == DifferenceMode::squared ? end * end : end;
}

}  // namespace

CompareView::CompareView(Session& session, ViewState& view, QWidget* parent) : QWidget(parent), session_(session), view_(view) {
    for (const PaneRole role : kAllPanes) {
        auto* pane = new ImagePane(view, this);
        panes_[static_cast<std::size_t>(role)] = pane;
        headers_[static_cast<std::size_t>(role)] = new PaneHeader(*pane, this);
        pane->setDifference(role == PaneRole::difference);
        pane->installEventFilter(this);
    }
    pane(PaneRole::original).setToolTip(tr("The image before processing."));
    notice_.setSingleShot(true);
    notice_.setInterval(kNoticeMilliseconds);
    connect(&notice_, &QTimer::timeout, this, [this] {
        slow_ = true;
        updateSides();
        updateDifference();
    });
    connectSession();
    arrange();
    updateWipe();
}

void CompareView::connectSession() {
    connect(&session_.panes(), &PaneData::pyramidChanged, this, [this](PaneRole role) {
        pane(role).setPyramid(pyramidOf(role));
        if (role == PaneRole::difference) updateDifference();
        if (role == rightRole()) updateWipe();
    });
    connect(&session_, &Session::originalChanged, this, &CompareView::updateOriginal);
    Comparison& comparison = session_.comparison();
    connect(&comparison, &Comparison::sideChanged, this, [this, pictures = false](Side side) mutable {
        if (const bool now = pictureOfVolume(session_) != nullptr; now != pictures) {
            pictures = now;
            updateOriginal();
        }
        updateSide(side);
        updateDifference();
    });
    connect(&comparison, &Comparison::differenceChanged, this, &CompareView::updateDifference);
    connect(&comparison.shown(), &ShownDifference::beyondChanged, this, &CompareView::updateDifference);
    connect(&comparison, &Comparison::referenceChanged, this, &CompareView::updateSides);
    connect(&comparison, &Comparison::differenceChanged, this, &CompareView::updateSides);
    const auto rearrange = [this] {
        arrange();
        updateSides();
        updateDifference();
    };
    connect(&comparison, &Comparison::sidesChanged, this, rearrange);
    // Backends, inputs and the reference are in the labels of other panes too.
    connect(&session_.pipeline(), &PipelineModel::setupChanged, this, &CompareView::updateSides);
    connect(&session_.pipeline(), &PipelineModel::activeChanged, this, [this, rearrange] {
        pane(roleOf(session_.pipeline().active())).makeCurrent();
        rearrange();
    });
    connect(&session_.pipeline(), &PipelineModel::pairChanged, this, rearrange);
    connect(&view_, &ViewState::displayChanged, this, [this] {
        session_.comparison().shown().setMode(view_.display().differenceMode);
        updateDifference();
    });
}

Side CompareView::front() const {
    const Side active = session_.pipeline().active(), subject = session_.comparison().subject();
    if (!flipped_) return active;
    return active == subject ? session_.comparison().reference() : subject;
}

PyramidPtr CompareView::pyramidOf(PaneRole role) const {
    const PyramidPtr pyramid = session_.panes().pyramid(role);
    return pyramid && kindNotice(pyramid->image()).isEmpty() ? pyramid : nullptr;
}

QString CompareView::kindNotice(const ImagePtr& image) const {
    const ImagePtr& open = session_.original();
    const bool pictures = pictureOfVolume(session_) != nullptr;
    if (!image || !open || image->isVolume() == (open->isVolume() && !pictures)) return {};
    if (pictures) return tr("This is a volume. Its planes are shown while result A is a volume, too.");
    return image->isVolume() ? tr("This is a volume. Open it to see its planes.") : tr("This is an image. Open it to see it.");
}

PaneRole CompareView::leftRole() const { return roleOf(session_.comparison().reference()); }
PaneRole CompareView::rightRole() const { return roleOf(session_.comparison().subject()); }

bool CompareView::shown(PaneRole role) const {
    if (role == PaneRole::original) return originalShown_;
    if (role == PaneRole::difference) return layout_ == Layout::compare || layout_ == Layout::difference;
    const Side side = *sideOf(role);
    if (!session_.pipeline().setup().has(side)) return false;
    switch (layout_) {
        case Layout::single: return side == front();
        case Layout::sideBySide:
        case Layout::compare: return role == leftRole() || role == rightRole();
        case Layout::difference: return false;
        case Layout::wipe: return role == leftRole();
        case Layout::all: return true;
    }
    return false;
}

std::vector<CompareView::SideArea> CompareView::sideAreas() const {
    std::vector<SideArea> areas;
    for (const Side side : session_.sides()) {
        if (!shown(roleOf(side))) continue;
        const auto role = static_cast<std::size_t>(roleOf(side));
        QRect area = panes_[role]->geometry();
        if (headersShown_) area |= headers_[role]->geometry();
        if (layout_ != Layout::wipe) {
            areas.push_back({side, area});
            continue;
        }
        const int line = area.left() + static_cast<int>(wipePosition_ * area.width());
        areas.push_back({session_.comparison().reference(), QRect(area.topLeft(), QPoint(line, area.bottom()))});
        areas.push_back({session_.comparison().subject(), QRect(QPoint(line, area.top()), area.bottomRight())});
    }
    return areas;
}

void CompareView::setLayoutKind(Layout layout) {
    layout_ = layout;
    arrange();
    updateSides();
    emit changed();
}

void CompareView::setFlipped(bool flipped) {
    if (flipped == flipped_) return;
    const bool focused = pane(roleOf(front())).hasFocus();
    flipped_ = flipped;
    arrange();
    // The pane that takes its place takes the focus too.
    if (focused && layout_ == Layout::single) pane(roleOf(front())).setFocus();
    emit changed();
}

void CompareView::moveWipe(double by) {
    if (pane(leftRole()).wiping()) setWipePosition(wipePosition_ + by);
}

void CompareView::setWipePosition(double position) {
    wipePosition_ = std::clamp(position, 0.0, 1.0);
    pane(leftRole()).setWipePosition(wipePosition_);
    emit changed();
}

bool CompareView::outdated(PaneRole role) const {
    if (role == PaneRole::original) return false;
    if (const std::optional<Side> side = sideOf(role)) return saysPending(*side);
    const Comparison& comparison = session_.comparison();
    for (const Side side : {comparison.reference(), comparison.subject()}) {
        const SideState& state = comparison.side(side);
        if (saysPending(side) || (state.pending && state.first) || state.error) return true;
    }
    return false;
}

void CompareView::updateWipe() {
    const bool wiping = layout_ == Layout::wipe;
    const Side left = session_.comparison().reference(), right = session_.comparison().subject();
    for (const Side side : session_.sides()) {
        ImagePane& target = pane(roleOf(side));
        const bool host = wiping && side == left;
        // Outside the wipe layout the pane must not hold a second copy of the other's tiles.
        target.setRightSide(host ? pyramidOf(rightRole()) : nullptr, host ? sideLabel(right) : PaneLabel{});
        target.setRightOutdated(host && saysPending(right));
        if (target.wiping()) wipePosition_ = target.wipePosition();
        target.setWiping(host);
        if (host) target.setWipePosition(wipePosition_);
        const QString letter = letterOf(side);
        target.setToolTip(host ? tr("%1 left of the line, %2 right of it. Drag the line, or move it with comma and full stop.")
                                         .arg(letterOf(left), letterOf(right)) +
                                     sideTip(left) + sideTip(right)
                               : tr("Result %1. Scroll to zoom, drag to pan, double-click to fit.").arg(letter) + sideTip(side));
        target.setAccessibleName(host ? tr("Wipe: %1 left, %2 right").arg(letterOf(left), letterOf(right))
                                      : target.label().badge + QLatin1Char(' ') + target.label().title);
    }
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
    // A single pane stands for both of its pair.
    const bool several = layout_ == Layout::sideBySide || layout_ == Layout::compare || layout_ == Layout::all;
    const auto type = event->type();
    if (view_.picking() || !several ||
        (type != QEvent::MouseButtonPress && type != QEvent::MouseButtonDblClick && type != QEvent::KeyPress))
        return QWidget::eventFilter(watched, event);
    for (const Side side : session_.sides()) {
        if (watched != &pane(roleOf(side))) continue;
        if (type == QEvent::MouseButtonPress) session_.pipeline().setActive(side);
        else if (choosesFromSheet(*event)) return adoptSteps(session_.pipeline(), side), true;
    }
    return QWidget::eventFilter(watched, event);
}

bool CompareView::choosesFromSheet(const QEvent& event) const {
    if (session_.pipeline().setup().beforeSheet.empty()) return false;
    if (event.type() == QEvent::MouseButtonDblClick) return static_cast<const QMouseEvent&>(event).button() == Qt::LeftButton;
    const int key = static_cast<const QKeyEvent&>(event).key();
    return key == Qt::Key_Return || key == Qt::Key_Enter;
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
    int sides = 0;
    for (const PaneRole role : kAllPanes) {
        pane(role).setVisible(shown(role));
        header(role).setVisible(headersShown_ && shown(role));
        if (!shown(role)) continue;
        visible.push_back(role);
        sides += sideOf(role) ? 1 : 0;
    }
    for (const Side side : session_.sides()) pane(roleOf(side)).setActive(sides > 1 && side == session_.pipeline().active());
    const int count = static_cast<int>(visible.size());
    if (count == 0 || width() <= 0) return;
    const int above = headersShown_ ? header(PaneRole::a).sizeHint().height() : 0;
    // Choose the number of columns that shows the image largest.
    const double aspect = view_.imageSize().isEmpty() ? 1.5 : view_.imageSize().width() / view_.imageSize().height();
    int columns = 1;
    double best = 0;
    for (int c = 1; c <= count; ++c) {
        if (count == 3 && c == 2) continue;  // would leave a quarter of the view empty
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
        if (image && kindNotice(image).isEmpty())
            extent = extent.expandedTo(QSizeF(static_cast<double>(image->shape().width), static_cast<double>(image->shape().height)));
    };
    grow(session_.original());
    for (const Side side : session_.sides())
        if (const SideState& state = session_.side(side); state.first) grow(state.first->image);
        else if (state.result) grow(state.result->image);
    if (!extent.isEmpty()) view_.setExtent(extent);
}

void CompareView::updateOriginal() {
    PaneLabel label{.badge = tr("Original")};
    if (const ImagePtr& image = session_.original()) {
        const Shape& shape = image->shape();
        const ImagePtr picture = pictureOfVolume(session_);
        const Shape& seen = picture ? picture->shape() : shape;
        view_.setImageSize(QSizeF(static_cast<double>(seen.width), static_cast<double>(seen.height)));
        QStringList names;
        for (const std::string& name : image->channelNames()) names << QString::fromStdString(name);
        label.figure = formatExtent(shape.width, shape.height, shape.depth);
        label.details = tr("%1, %2").arg(label.figure, names.join(QLatin1Char(' ')));
        label.notice = kindNotice(image);
    }
    pane(PaneRole::original).setLabel(label);
    // Panes with an input of their own stay, but may be of another kind now.
    for (const PaneRole role : kAllPanes) pane(role).setPyramid(pyramidOf(role));
    updateSides();
    arrange();
    emit changed();
}

QString CompareView::verdictText(Side side, bool& alert) const {
    const Comparison& comparison = session_.comparison();
    const ReferenceCheck& check = comparison.referenceCheck(side);
    if (session_.side(side).target.backend == kReferenceBackend) return tr("reference");
    if (check.state == ReferenceCheck::State::known && check.metrics) return checkText(check, alert);
    if (check.state == ReferenceCheck::State::pending) return tr("checking against reference …");
    const Side reference = comparison.reference(), subject = comparison.subject();
    if (comparison.difference() && !comparison.comparing() && (side == reference || side == subject))
        return tr("error %1 against %2")
            .arg(ui::formatError(comparison.difference()->maxAbs), letterOf(side == subject ? reference : subject));
    return {};
}

QString CompareView::markOf(Side side) const {
    const ReferenceCheck& check = session_.comparison().referenceCheck(side);
    if (check.state != ReferenceCheck::State::known || !check.metrics) return {};
    switch (check.verification()) {
        case Verification::disagrees: return QStringLiteral("✗");
        case Verification::inconclusive: return QStringLiteral("?");
        default: return check.judged().mismatches() > 0 ? QStringLiteral("✗") : QStringLiteral("✓");
    }
}

QString CompareView::checkText(const ReferenceCheck& check, bool& alert) const {
    const DifferenceMetrics& m = check.judged();
    const double allowed = check.allowed();
    const Verification verification = check.verification();
    alert = verification == Verification::disagrees;
    const QString error = ui::formatError(m.maxAbs);
    if (m.mismatches() > 0) return tr("✗ %1 samples differ from the reference in NaN or infinity").arg(formatCount(m.mismatches()));
    if (verification == Verification::inconclusive)
        return tr("error %1 against reference, inconclusive: the tolerance allows any result").arg(error);
    if (!alert && m.maxAbs > allowed)
        return tr("✓ %1 ambiguous samples near a threshold differ from the reference, by up to %2")
            .arg(formatCount(m.beyond.value_or(0)), error);
    if (const auto& step = check.step) {
        const QString name = catalogText(session_.catalog().operation(step->step).title());
        return alert ? tr("✗ error %1 against reference in %2 alone (allowed %3)").arg(error, name, ui::formatError(allowed))
                     : tr("✓ error %1 against reference in %2 alone").arg(error, name);
    }
    return alert ? tr("✗ error %1 against reference (allowed %2)").arg(error, ui::formatError(allowed))
                 : tr("✓ error %1 against reference").arg(error);
}

QString CompareView::distinction(Side side) const {
    const CompareSetup& setup = session_.pipeline().setup();
    QStringList parts;
    const QString& input = setup.pane(side).input;
    if (!input.isEmpty() && input != session_.inputName()) parts << nameInWindow(input, session_.comparison().inputOf(side));
    if (setup.pane(side).encoded) parts << tr("encoded values");
    const bool sheet = !setup.beforeSheet.empty();
    const Pipeline& base = side != Side::a ? setup.stepsOf(Side::a) : sheet ? setup.stepsOf(Side::b) : setup.shared;
    if (const QString note = stepsNote(base, setup.stepsOf(side)); !note.isEmpty()) parts << note;
    return parts.join(QStringLiteral(" · "));
}

PaneLabel CompareView::sideLabel(Side side) const {
    const SideState& state = session_.side(side);
    PaneLabel label{.badge = letterOf(side), .title = targetText(session_.catalog(), state.target)};
    if (const QString text = distinction(side); !text.isEmpty()) label.title.prepend(text + QStringLiteral(" · "));
    label.hint = hintOf(side);
    if (state.error) {
        label.notice = state.error->plainText();
        label.alert = true;
        return label;
    }
    if (state.first) {
        describeFirst(*state.first, label);
        return label;
    }
    if (!state.result) {
        if (state.pending) label.notice = tr("Computing …");
        return label;
    }
    const SideResult& result = *state.result;
    label.notice = kindNotice(result.image);
    if (result.plan.empty()) {
        label.title = tr("all steps off (original)");
        if (const QString& input = session_.pipeline().setup().pane(side).input; !input.isEmpty()) label.title = distinction(side);
        return label;
    }
    if (!state.pending) {
        const std::string& variant = result.plan.back().variant;
        if (state.target.variant.empty() && !variant.empty()) label.title += QStringLiteral(" · ") + QString::fromStdString(variant);
        QString device = result.device;
        if (result.threads > 0) device += QStringLiteral(", ") + formatThreads(result.threads);
        // A single run: the Timing panel has the statistics of a benchmark.
        label.figure = formatDuration(static_cast<double>(result.times.compute()));
        QString times = tr("%1 compute, %2 end to end").arg(label.figure, formatDuration(static_cast<double>(result.times.endToEnd())));
        if (result.firstRun) {
            label.figure = tr("%1 (first run)").arg(label.figure);
            times += tr(", first run: includes loading and initialisation");
        }
        label.details = tr("this run: %1 · %2").arg(times, device);
        if (result.memory.scratch > 0)
            label.details += tr(" · %1 in scratch files").arg(formatBytes(static_cast<double>(result.memory.scratch)));
        if (const auto& m = result.againstOriginal) label.details += tr(" · PSNR %1 dB against the original").arg(formatPsnr(m->psnr));
        label.verdict = verdictText(side, label.alert);
        label.mark = markOf(side);
    } else {
        label.details = tr("computing …");
        label.figure = label.details;
    }
    return label;
}

void CompareView::describeFirst(const FirstPicture& picture, PaneLabel& label) const {
    const QString residual = picture.residual ? tr("residual %1").arg(ui::formatError(*picture.residual)) : QString();
    label.figure = picture.current ? tr("refining …") : tr("computing …");
    label.tag = residual.isEmpty() ? tr("First picture") : tr("First picture, %1").arg(residual);
    if (picture.current) label.tag = tr("%1, refining …").arg(label.tag);
    label.details = label.tag;
    label.notice = kindNotice(picture.image);
}

QString CompareView::hintOf(Side side) const {
    const Side reference = session_.comparison().reference(), subject = session_.comparison().subject();
    if (layout_ == Layout::single) return tr("[B] flips to %1").arg(letterOf(side == subject ? reference : subject));
    // Usually A, which needs no words.
    const bool usual = reference == Side::a && session_.sides().size() == 2;
    return side == reference && !usual ? tr("reference pane") : QString();
}

QString CompareView::sideTip(Side side) const {
    const SideState& state = session_.side(side);
    if (!state.result || state.pending || state.error) return {};
    const QStringList lines = choiceTexts(state.result->plan);
    if (lines.isEmpty()) return {};
    return QLatin1Char('\n') + tr("%1 ran %2").arg(letterOf(side), lines.join(QStringLiteral("\n→ "))) + QLatin1Char('\n') +
           memoryText(state.result->memory);
}

bool CompareView::waits(Side side) const {
    const SideState& state = session_.side(side);
    return state.pending && !(state.first && state.first->current);
}

bool CompareView::soonReplaced(Side side) const {
    const SideState& state = session_.side(side);
    if (!waits(side) || state.error || slow_) return false;
    return state.first ? state.first->target == state.target : state.result && state.result->target == state.target;
}

bool CompareView::saysPending(Side side) const {
    const SideState& state = session_.side(side);
    return waits(side) && (state.first || state.result) && !soonReplaced(side);
}

void CompareView::updateSides() {
    for (const Side side : session_.sides()) updateSide(side);
}

void CompareView::updateSide(Side side) {
    if (!session_.pipeline().setup().has(side)) return;
    const std::vector<Side> sides = session_.sides();
    if (std::none_of(sides.begin(), sides.end(), [this](Side each) { return waits(each); })) {
        notice_.stop();
        slow_ = false;
    } else if (!slow_ && !notice_.isActive()) {
        notice_.start();
    }
    // Keep picture and label of the old result: redrawing them would flicker while a slider moves, and delay the next result.
    if (soonReplaced(side)) return;
    ImagePane& target = pane(roleOf(side));
    target.setLabel(sideLabel(side));
    target.setOutdated(saysPending(side));
    updateExtent();
    updateWipe();
    emit changed();
}

void CompareView::updateDifference() {
    ImagePane& target = pane(PaneRole::difference);
    Comparison& comparison = session_.comparison();
    ShownDifference& shown = comparison.shown();
    // Switching to or from a map takes a moment: until then, use the colours of the image that is shown.
    DifferenceMode mode = view_.display().differenceMode;
    if (shown.isMap()) mode = shown.content();
    else if (mode != DifferenceMode::signedValue && mode != DifferenceMode::squared) mode = DifferenceMode::absolute;
    const QString reference = letterOf(comparison.reference()), subject = letterOf(comparison.subject());
    PaneLabel label{.badge = differenceName(mode, reference, subject)};
    target.setToolTip(tr("Difference of %1 and %2 in the channel where it is largest, displayed as chosen in the Inspector. "
                         "Signed: blue is negative, orange positive. Otherwise lighter means larger. Red or green: beyond the range.")
                          .arg(reference, subject));
    const auto& metrics = comparison.difference();
    double scale = 0;
    if (metrics) {
        scale = scaleOf(view_.display(), mode, shown.range());
        shown.countBeyond(mode == DifferenceMode::squared ? std::sqrt(scale) : scale);
        label.title = metrics->maxAbs == 0 && metrics->mismatches() == 0
                          ? tr("identical")
                          : tr("max %1").arg(ui::formatError(shown.isMap() ? shown.range().largest : metrics->maxAbs));
        const QString psnr = formatPsnr(metrics->psnr);
        if (metrics->maxAbs > 0) label.figure = tr("PSNR %1 dB").arg(psnr);
        label.details = tr("RMSE %1 · PSNR %2 dB").arg(ui::formatError(metrics->rmse), psnr);
        if (shown.beyond().value_or(0) > 0) label.details += QStringLiteral(" · ") + beyondText(*shown.beyond());
        if (metrics->mismatches() > 0) {
            label.verdict = tr("%1 samples differ in NaN or infinity").arg(formatCount(metrics->mismatches()));
            label.alert = true;
        }
    }
    label.notice = kindNotice(comparison.differenceImage());
    if (const QString reason = session_.original() ? comparison.noDifference() : QString(); !reason.isEmpty())
        label.notice = tr("No difference: %1").arg(reason);
    target.setOutdated(outdated(PaneRole::difference));
    target.setLabel(label);
    target.setDifferenceScale(scale, mode);
    differenceScale_ = scale;
    differenceMode_ = mode;
    emit changed();
}

}  // namespace parallax::ui
