// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/preset_gallery.hpp"

#include <QGridLayout>
#include <QPainter>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>

#include "ui/canvas/display_transform.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

constexpr int kColumns = 3, kGap = 4, kLargestIcon = 112;

/// Writes the name of the backend along the lower edge.
void paintBackend(QPixmap& picture, const QString& backend) {
    QPainter painter(&picture);
    QFont font = painter.font();
    font.setPixelSize(std::clamp(picture.height() / 6, 9, 14));
    painter.setFont(font);
    const int height = QFontMetrics(font).height() + 2;
    const QRect strip(0, picture.height() - height, picture.width(), height);
    painter.fillRect(strip, QColor(18, 18, 20, 205));
    painter.setPen(QColor(255, 170, 120));
    painter.drawText(strip, Qt::AlignCenter, QFontMetrics(font).elidedText(backend, Qt::ElideRight, strip.width() - 4));
}

}  // namespace

PresetGallery::PresetGallery(Session& session, ViewState& view, QWidget* parent) : QWidget(parent), session_(session), view_(view) {
    setObjectName(QStringLiteral("presetGallery"));
    setAccessibleName(tr("Previews of the presets"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 4);
    grid->setSpacing(kGap);
    for (int i = 0; i < kColumns; ++i) grid->setColumnStretch(i, 1);
    hide();
    connect(&session_, &Session::originalChanged, this, [this] {
        for (QToolButton* button : buttons_) button->setIcon({});
        arrange();
        request();
    });
    connect(&session_.pipeline(), &PipelineModel::setupChanged, this, [this] {
        if (isEncoded() != encoded_) request();
    });
    connect(&session_.previews(), &Previews::changed, this, &PresetGallery::showPictures);
    connect(&view_, &ViewState::displayChanged, this, &PresetGallery::showPictures);
}

void PresetGallery::setChoices(int row, std::vector<PresetChoice> choices) {
    const bool sameButtons = row == row_ && std::equal(choices.begin(), choices.end(), choices_.begin(), choices_.end(),
                                                       [](const PresetChoice& a, const PresetChoice& b) { return a.title == b.title; });
    row_ = row;
    choices_ = std::move(choices);
    if (!sameButtons) {
        // Deleted later: one of them may be the clicked one.
        for (QToolButton* button : buttons_) {
            button->hide();
            button->deleteLater();
        }
        buttons_.clear();
        auto& grid = static_cast<QGridLayout&>(*layout());
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            auto* button = new QToolButton;
            button->setCheckable(true);
            button->setAutoRaise(true);
            button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
            button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
            button->setFocusPolicy(Qt::StrongFocus);
            button->setAccessibleName(tr("Preset %1").arg(choices_[i].title));
            connect(button, &QToolButton::clicked, this, [this, i] { emit chosen(static_cast<int>(i)); });
            grid.addWidget(button, static_cast<int>(i) / kColumns, static_cast<int>(i) % kColumns);
            buttons_.push_back(button);
        }
        arrange();
    }
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        buttons_[i]->setChecked(choices_[i].chosen);
        buttons_[i]->setToolTip(QStringLiteral("<qt>%1</qt>").arg(choices_[i].help.toHtmlEscaped()));
    }
    setVisible(!buttons_.empty() && session_.original());
    request();
}

bool PresetGallery::isEncoded() const { return session_.pipeline().setup().pane(session_.pipeline().active()).encoded; }

void PresetGallery::request() {
    setVisible(!buttons_.empty() && session_.original());
    std::vector<Pipeline> pipelines;
    const Pipeline& now = session_.pipeline().pipeline();
    const auto row = static_cast<std::size_t>(std::max(0, row_));
    if (session_.original() && row < now.steps.size())
        for (const PresetChoice& choice : choices_) {
            Pipeline pipeline = now;
            pipeline.steps[row].parameters = choice.values;
            pipeline.steps[row].enabled = true;
            pipelines.push_back(std::move(pipeline));
        }
    encoded_ = isEncoded();
    session_.previews().request(std::move(pipelines), encoded_);
}

void PresetGallery::showPictures() {
    const std::vector<Preview>& previews = session_.previews().list();
    if (previews.size() != buttons_.size()) return;  // of other choices
    DisplaySettings display = view_.display();
    display.clippingMarks = false;
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        QIcon icon;
        QString tip = choices_[i].help;
        if (previews[i].image) {
            const Shape& shape = previews[i].image->shape();
            const QRect whole(0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height));
            QPixmap picture = QPixmap::fromImage(renderTile(Pyramid(previews[i].image), 0, whole, {.display = display}));
            if (previews[i].otherBackend) {
                const QString backend = QString::fromStdString(previews[i].backend);
                paintBackend(picture, backend);
                tip += QLatin1Char('\n') + tr("Computed by the backend %1: %2").arg(backend, previews[i].reason);
            }
            icon.addPixmap(picture);
            if (previews[i].reduced)
                tip += QLatin1Char('\n') + tr("The picture is made from a smaller version of the image and may differ.");
        } else {
            tip += QLatin1Char('\n') + previews[i].error;
        }
        buttons_[i]->setIcon(icon);
        buttons_[i]->setToolTip(QStringLiteral("<qt>%1</qt>").arg(tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))));
    }
    arrange();
}

QString PresetGallery::inTwoLines(const QString& title, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(title) <= width) return title;
    for (qsizetype end = title.lastIndexOf(QLatin1Char(' ')); end > 0; end = title.lastIndexOf(QLatin1Char(' '), end - 1))
        if (metrics.horizontalAdvance(title.left(end)) <= width)
            return title.left(end) + QLatin1Char('\n') + metrics.elidedText(title.mid(end + 1), Qt::ElideRight, width);
    return metrics.elidedText(title, Qt::ElideRight, width);
}

void PresetGallery::resizeEvent(QResizeEvent*) { arrange(); }

void PresetGallery::arrange() {
    if (buttons_.empty()) return;
    const int each = std::max(40, (width() - (kColumns - 1) * kGap) / kColumns);
    const ImagePtr& original = session_.original();
    const double aspect = original ? static_cast<double>(original->shape().height) / static_cast<double>(original->shape().width) : 0.75;
    // Same height for all but extreme images, so that the form below does not move.
    const int wide = std::clamp(each - 10, 24, kLargestIcon), high = static_cast<int>(wide * std::clamp(aspect, 0.4, 0.8));
    qsizetype lines = 1;
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        buttons_[i]->setIconSize(QSize(wide, high));
        buttons_[i]->setText(inTwoLines(choices_[i].title, buttons_[i]->fontMetrics(), each - 8));
        lines = std::max(lines, 1 + buttons_[i]->text().count(QLatin1Char('\n')));
    }
    for (QToolButton* button : buttons_) button->setFixedHeight(high + static_cast<int>(lines) * button->fontMetrics().height() + 14);
}

}  // namespace parallax::ui
