// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures of inputs, made in a background thread one after another and kept.
#pragma once

#include <QHash>
#include <QIcon>
#include <QImage>
#include <QObject>
#include <QSize>
#include <QStringList>

#include "core/image/image.hpp"
#include "ui/session/background.hpp"

namespace parallax::ui {

struct Thumbnail {
    QImage picture;  ///< null if it could not be made
    QString extent;  ///< "2048 x 1024"
    bool medical = false;
    QString problem;  ///< why there is no picture
};

/// Centres a picture in an icon of a fixed size, so that the texts beside icons are aligned. A null picture leaves it empty. Selected items
/// have the same colours.
QIcon thumbnailIcon(const QImage& picture, QSize size, double ratio);

class Thumbnails : public QObject {
    Q_OBJECT
public:
    static constexpr int kSize = 96;  ///< longest side, pixels

    using QObject::QObject;
    /// Null until it is made.
    const Thumbnail* find(const QString& input) const;
    /// Makes the missing thumbnails of these inputs, and forgets those of all others.
    void use(const QStringList& inputs);
    /// Makes the thumbnail of an input from its image, which is already open.
    void makeFrom(const QString& input, const ImagePtr& image);

signals:
    void thumbnailMade(const QString& input);

private:
    void take(const QString& input, Thumbnail thumbnail);

    QHash<QString, Thumbnail> made_;
    QStringList used_, waiting_;
    Background background_{19};  // last: its thread ends before what it uses is destroyed
};

}  // namespace parallax::ui
