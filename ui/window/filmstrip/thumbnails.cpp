// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/filmstrip/thumbnails.hpp"

#include <QFileInfo>
#include <QPainter>
#include <QPixmap>

#include "core/io/loader.hpp"
#include "ui/canvas/display_transform.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/view/small_version.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {
namespace {

constexpr qint64 kLargestFile = qint64{512} << 20;  // bytes; larger ones are opened only when they are shown

Thumbnail thumbnailOf(const ImagePtr& image, const std::stop_token& stop) {
    const auto small = std::make_shared<const Image>(smallVersion(*image, Thumbnails::kSize, stop));
    const Shape &shape = image->shape(), &reduced = small->shape();
    const DisplaySettings display = holdsMeasurements(*image) ? firstDisplay(*image) : DisplaySettings{};
    const QRect whole(0, 0, static_cast<int>(reduced.width), static_cast<int>(reduced.height));
    return {.picture = renderTile(Pyramid(small), 0, whole, {.display = display}),
            .extent = formatExtent(shape.width, shape.height, shape.depth),
            .medical = image->source.medical,
            .problem = {}};
}

Thumbnail openThumbnail(const QString& input, const std::stop_token& stop) {
    if (QFileInfo(pathOnDisk(input)).size() > kLargestFile)
        return {.problem = Thumbnails::tr("Large file: the thumbnail appears when it is shown")};
    LoadOptions options;
    options.stop = stop;
    options.patientData = false;
    return thumbnailOf(std::make_shared<const Image>(openInput(input.toStdString(), options)), stop);
}

}  // namespace

QIcon thumbnailIcon(const QImage& picture, QSize size, double ratio) {
    QPixmap pixmap(size * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    if (!picture.isNull()) {
        const QImage scaled = picture.scaled(size * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        const QSizeF shown = QSizeF(scaled.size()) / ratio;
        QPainter(&pixmap).drawImage(QRectF(QPointF((size.width() - shown.width()) / 2, (size.height() - shown.height()) / 2), shown),
                                    scaled);
    }
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected}) icon.addPixmap(pixmap, mode);
    return icon;
}

const Thumbnail* Thumbnails::find(const QString& input) const {
    const auto found = made_.find(input);
    return found == made_.end() ? nullptr : &*found;
}

void Thumbnails::use(const QStringList& inputs) {
    used_ = inputs;
    for (const QString& input : QStringList(waiting_)) {
        if (inputs.contains(input)) continue;
        background_.cancel(input.toStdString());
        waiting_.removeAll(input);
    }
    made_.removeIf([&](const QHash<QString, Thumbnail>::iterator& entry) { return !inputs.contains(entry.key()); });
    for (const QString& input : inputs) {
        if (made_.contains(input) || waiting_.contains(input)) continue;
        waiting_ << input;
        background_.request(
            input.toStdString(),
            [input](const std::stop_token& stop) {
                Thumbnail made;
                guarded(
                    {}, [&] { made = openThumbnail(input, stop); },
                    [&](ErrorCode, const Message& message) { made.problem = message.plainText(); });
                return made;
            },
            [this, input](Thumbnail made) {
                made.problem = withoutMedicalPath(made.problem, input);
                take(input, std::move(made));
            });
    }
}

void Thumbnails::makeFrom(const QString& input, const ImagePtr& image) {
    if (!image || !used_.contains(input)) return;
    if (!waiting_.contains(input)) waiting_ << input;
    background_.request(
        input.toStdString(),
        [image](const std::stop_token& stop) {
            Thumbnail made;
            guarded(
                {}, [&] { made = thumbnailOf(image, stop); },
                [&](ErrorCode, const Message& message) { made.problem = message.plainText(); });
            return made;
        },
        [this, input](Thumbnail made) { take(input, std::move(made)); });
}

void Thumbnails::take(const QString& input, Thumbnail thumbnail) {
    waiting_.removeAll(input);
    if (!used_.contains(input)) return;
    made_[input] = std::move(thumbnail);
    emit thumbnailMade(input);
}

}  // namespace parallax::ui
