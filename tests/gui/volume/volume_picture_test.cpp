// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of volumes in the window: shown in place of the planes while result A is one.
#include <QAction>
#include <QComboBox>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/canvas/image_pane.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

class VolumePictureTest : public QObject {
    Q_OBJECT
private slots:
    void aRenderedVolumeTakesThePlaceOfThePlanes() {
        auto window = shownWindow({1300, 900});
        setSteps(*window, {"render:mode=surface,threshold=0.1,view=xz,width=60"});
        QVERIFY(openAndWait(*window, QStringLiteral("synthetic:shepp-logan:24x20x16")));
        auto* compare = window->findChild<CompareView*>();
        QVERIFY(compare);
        QTRY_VERIFY_WITH_TIMEOUT(compare->isVisible(), kPatience);
        QVERIFY(!window->volumeView().isVisible());
        const PyramidPtr shown = window->session().panes().pyramid(PaneRole::a);
        QVERIFY(shown && shown->image());
        QCOMPARE(shown->image()->shape(), (Shape{60, 40, 1, 3}));
        // Light for the display, not the window of the volume's values.
        QVERIFY(window->view().display().encoding == DisplaySettings{}.encoding);
        QVERIFY(!compare->pane(PaneRole::original).label().notice.isEmpty());
        QVERIFY(compare->pane(PaneRole::a).label().notice.isEmpty());
        QVERIFY(!window->findChild<QAction*>("planes-all")->isEnabled());
        // It can be saved as an image, the volume as a volume.
        const SaveDataDialog dialog(window->session(), PaneRole::a, {}, window.get());
        auto* formats = dialog.findChild<QComboBox*>("format");
        QVERIFY(formats->findData(QStringLiteral("png")) >= 0 && formats->findData(QStringLiteral("nii.gz")) >= 0);
        // And back.
        setSteps(*window, {"convolve:kernel=box,size=3"});
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(window->volumeView().isVisible(), kPatience);
        QVERIFY(!compare->isVisible());
        QVERIFY(window->findChild<QAction*>("planes-all")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(window->volumeView().pane(PaneRole::a, PlaneKind::axial).isVisible(), kPatience);
    }
    void aProjectionKeepsTheWindowOfTheValues() {
        auto window = shownWindow({1300, 900});
        QVERIFY(openAndWait(*window, kVolume));
        setSteps(*window, {"convolve:kernel=box,size=3"});
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->volumeView().isVisible());
        const DisplaySettings before = window->view().display();
        setSteps(*window, {"render:mode=mean"});
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(!window->volumeView().isVisible(), kPatience);
        QVERIFY(window->view().display() == before);
        // Another file, which is an image.
        QVERIFY(openAndWait(*window, QStringLiteral("synthetic:gradient:40x30")));
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<CompareView*>()->isVisible(), kPatience);
        QVERIFY(window->findChild<CompareView*>()->pane(PaneRole::original).label().notice.isEmpty());
    }
};

QTEST_MAIN(VolumePictureTest)
#include "volume_picture_test.moc"
