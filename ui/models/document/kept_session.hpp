// SPDX-License-Identifier: GPL-3.0-or-later
// What one was doing, in the form in which it is kept on disk for the case that the program ends badly.
#pragma once

#include <QDateTime>
#include <QPointF>
#include <QStringList>
#include <optional>

#include "core/engine/pipeline/pipeline.hpp"
#include "ui/models/view/view_state.hpp"

namespace parallax::ui {

struct KeptSession {
    QStringList inputs;
    int current = 0;  ///< the one of `inputs` that is shown
    Pipeline pipeline;
    QString a, b;  ///< labels of the targets
    QString view;  ///< a name of MainWindow::viewNames()
    bool originalShown = true;
    bool fitting = true;
    double scale = 1;
    QPointF centre;
    DisplaySettings display;
    QDateTime saved;  ///< when; set by the reader
};

QByteArray toJson(const KeptSession& session);
/// Nothing if it is damaged, of another version, or names operations that are not there.
std::optional<KeptSession> keptSessionFromJson(const Catalog& catalog, const QByteArray& text);

}  // namespace parallax::ui
