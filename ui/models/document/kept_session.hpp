// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a session: saved as a .parallax file, kept on disk while the window is open, and restored at the next start. The format is
// described in resources/manual/sessions.md.
#pragma once

#include <QDateTime>
#include <QHash>
#include <QPointF>
#include <QRect>
#include <QStringList>
#include <optional>

#include "ui/models/pipeline/compare_setup.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_state.hpp"

namespace parallax::ui {

/// View settings of a volume, see VolumeState.
struct KeptVolumeView {
    Voxel crosshair{0, 0, 0};
    PlaneChoice planes = PlaneChoice::all;
    SlabMode slabMode = SlabMode::slice;
    double slabThickness = 10;
    bool radiological = true, smooth = true, crosshairShown = true, inverted = false, fitting = true;
    double scale = 1;
    std::array<double, 3> centre{};
    QString rendering = {};  ///< step with the parameters of the rendering beside the planes; empty: hidden
};

/// A panel at an edge of the window.
struct KeptPanel {
    bool shown = true;
    Qt::DockWidgetArea area = Qt::LeftDockWidgetArea;
    int size = 0;  ///< width at the left and right, height at the top and bottom; 0: unknown
};

struct KeptSession {
    QStringList inputs;
    int current = 0;  ///< index of the shown input
    CompareSetup setup;
    Side active = Side::a, subject = Side::b;  ///< see PipelineModel
    QString view;                              ///< a name of MainWindow::viewNames()
    bool originalShown = true;
    bool fitting = true;
    double scale = 1;
    QPointF centre;
    QRect selection;
    bool pixelGrid = true;
    bool linked = true;  ///< do all panes pan and zoom together?
    DisplaySettings display;
    std::optional<KeptVolumeView> volume;  ///< only if a volume is shown
    QHash<QString, KeptPanel> panels;      ///< by object name
    QString file;                          ///< session file that this session was opened from or saved to; empty if none
    bool modified = false;                 ///< does it differ from that file?
    QDateTime saved;                       ///< time of saving, set by the reader
};

/// ".parallax" at the end.
bool isSessionFile(const QString& path);
inline const QString kSessionExtension = QStringLiteral("parallax");

/// Paths are relative to `folder`, unless it is empty or they have no common folder but the root.
QByteArray toJson(const KeptSession& session, const QString& folder = {});
/// Values out of range are clamped. Throws Error(input) if the text is damaged, of another version, or names unknown operations; `name`
/// is that of the file.
KeptSession sessionFromJson(const Catalog& catalog, const QByteArray& text, const QString& name, const QString& folder = {});
/// Throws Error(input).
KeptSession readSession(const Catalog& catalog, const QString& path);
/// Removes inputs whose file does not exist, and returns them and the missing inputs of panes, which keep them. `current` stays at its
/// input or moves to the next one.
QStringList removeMissingInputs(KeptSession& session);

}  // namespace parallax::ui
