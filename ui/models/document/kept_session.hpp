// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a session, as kept on disk for the case of a crash.
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
    int current = 0;  ///< index of the shown input
    Pipeline pipeline;
    QString a, b;  ///< labels of the targets
    QString view;  ///< a name of MainWindow::viewNames()
    bool originalShown = true;
    bool fitting = true;
    double scale = 1;
    QPointF centre;
    DisplaySettings display;
    QDateTime saved;  ///< time of saving, set by the reader
};

QByteArray toJson(const KeptSession& session);
/// Returns nothing if the text is damaged, of another version, or names unknown operations.
std::optional<KeptSession> keptSessionFromJson(const Catalog& catalog, const QByteArray& text);

}  // namespace parallax::ui
