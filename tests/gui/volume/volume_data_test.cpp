// SPDX-License-Identifier: GPL-3.0-or-later
// Known facts of real CT series.
#include <QComboBox>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/view/pixel_model.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QString dataFolder() { return qEnvironmentVariable("PARALLAX_TEST_DATA", PARALLAX_TEST_DATA_DEFAULT); }

}  // namespace

class VolumeDataTest : public QObject {
    Q_OBJECT
private slots:
    void factsOfRealSeries() {
        QFile facts(dataFolder() + "/facts.json");
        if (!facts.open(QIODevice::ReadOnly)) QSKIP(qPrintable("The test data are absent: no facts.json in " + dataFolder()));
        auto window = volumeWindow();
        VolumeState& state = window->volume();
        int volumes = 0, voxels = 0;
        for (const QJsonValue& value : QJsonDocument::fromJson(facts.readAll()).object().value("entries").toArray()) {
            const QJsonObject entry = value.toObject();
            const QString path = dataFolder() + '/' + entry.value("path").toString();
            const QJsonArray series = entry.value("facts").toObject().value("series").toArray();
            if (entry.value("kind").toString() != "dicom_series" || series.size() != 1 || !QFileInfo::exists(path)) continue;
            const QJsonObject fact = series[0].toObject();
            const QJsonArray dims = fact.value("volume_dims_xyz").toArray(), spacing = fact.value("spacing_zyx").toArray();
            if (dims.size() != 3 || dims[2].toInt() < 2) continue;
            QVERIFY2(openAndWait(*window, path) && window->session().inputName() == path, qPrintable(path));
            ++volumes;
            QVERIFY(window->volumeView().isVisible());
            // The title never shows the folder's name.
            QVERIFY(!window->windowTitle().contains(QFileInfo(path).fileName().isEmpty() ? "S2010" : QFileInfo(path).fileName()));
            QVERIFY(window->windowTitle().contains(fact.value("modality").toString()));
            for (const PlaneKind kind : kAllPlanes)
                QVERIFY(state.frame().letters(state.axes(kind).v, state.axes(kind).flipV).startsWith(kind == PlaneKind::axial ? 'A' : 'S'));
            QCOMPARE(state.frame().letters(state.axes(PlaneKind::axial).u, state.axes(PlaneKind::axial).flipU), QStringLiteral("R"));
            for (int a = 0; a < 3; ++a) {
                QCOMPARE(state.frame().counts()[static_cast<std::size_t>(a)], std::int64_t{dims[a].toInt()});
                // For tilted slices the expected spacing is along the normal.
                if (fact.value("even_spacing").toBool() && std::fabs(fact.value("tilt_deg").toDouble()) < 0.1)
                    QVERIFY(std::fabs(state.frame().axis(a).extent() / dims[a].toInt() - spacing[2 - a].toDouble()) <
                            1e-4 * spacing[2 - a].toDouble());
            }
            const QJsonArray origin = fact.value("origin").toArray();
            const auto corner = state.frame().patientOf({0, 0, 0});
            for (int a = 0; a < 3; ++a) QVERIFY(std::fabs(corner[static_cast<std::size_t>(a)] - origin[a].toDouble()) < 1e-3);
            for (const QJsonValue& each : fact.value("voxels").toArray()) {
                const QJsonObject voxel = each.toObject();
                const Voxel at{voxel.value("x").toInt(), voxel.value("y").toInt(), voxel.value("z").toInt()};
                state.setCrosshair(at);
                window->view().setCursor(std::nullopt);
                const QString probe = window->volumeView().probeText();
                const QString shown = QStringLiteral(" A %1 ").arg(formatSample(voxel.value("hu").toDouble()));
                QVERIFY2(probe.contains(shown), qPrintable(probe + " | " + shown));
                QVERIFY(probe.contains(QStringLiteral("x %1, y %2, z %3").arg(at[0]).arg(at[1]).arg(at[2])));
                // The Inspector's table shows the value under the mouse in every plane.
                for (const PlaneKind kind : kAllPlanes) {
                    VolumePane& pane = window->volumeView().pane(PaneRole::a, kind);
                    state.setScale(8 / state.frame().finestSpacing());  // voxels large enough to hit
                    state.panBy(kind, QPointF(pane.rect().center()) - pane.placeOf(at));
                    const QPointF place = pane.placeOf(at);
                    QMouseEvent move(QEvent::MouseMove, place, pane.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
                    QApplication::sendEvent(&pane, &move);
                    if (!pane.rect().contains(place.toPoint())) continue;  // pans stop at the edge
                    const auto sample = window->inspectorPanel().pixels().sample(0, PixelModel::aColumn);
                    QVERIFY(sample.has_value());
                    QCOMPARE(*sample, voxel.value("hu").toDouble());
                    ++voxels;
                }
                state.fit();
            }
            if (path.contains("philips_S21570")) {
                state.setCrosshair({255, 255, 13});
                window->view().setCursor(std::nullopt);
                QVERIFY2(window->volumeView().probeText().contains(QStringLiteral("S 761.2 mm")),
                         qPrintable(window->volumeView().probeText()));
                QVERIFY(window->findChild<QComboBox*>("windowPreset")->count() >= 7);
            }
        }
        qInfo("%d series, %d voxels under the mouse", volumes, voxels);
        QVERIFY(volumes >= 4 && voxels >= 50);
    }
};

QTEST_MAIN(VolumeDataTest)
#include "volume_data_test.moc"
