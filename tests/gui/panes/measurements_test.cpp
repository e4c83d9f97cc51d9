// SPDX-License-Identifier: GPL-3.0-or-later
// Samples that are measurements, in single slices as in volumes: shown by the window of their file, in their unit, with a histogram that
// has both.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QSettings>
#include <cmath>

#include "tests/gui/gui_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/volume/volume_state.hpp"

using namespace parallax;
using namespace parallax::ui;
using parallax::test::MadeDicom;

namespace {

/// 40 x 30, from -1024 HU on, 100 more each row and 1 more each column, with a window of centre 35 and width 380.
MadeDicom ctSlice(int number) {
    MadeDicom d;
    d.width = 40;
    d.height = 30;
    d.instance = number;
    d.position = {-10, -20, 5.0 * number};
    d.texts[0x00281050] = {"DS", "35"};
    d.texts[0x00281051] = {"DS", "380"};
    return d;
}

/// Grey of the pixel of a pane that shows a place of the image, by what the window says.
int greyOf(double value, double centre, double width) {
    return static_cast<int>(std::lround(255 * std::clamp((value - (centre - width / 2)) / width, 0.0, 1.0)));
}

}  // namespace

class MeasurementsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString slice() const {
        const QString path = folder_.filePath("one.dcm");
        ctSlice(1).write(path.toStdString());
        return path;
    }
    static std::unique_ptr<MainWindow> window() {
        auto window = shownWindow({1300, 1000});
        window->session().pipeline().setEnabled(0, false);
        return window;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
    }
    void aSliceIsShownByTheWindowOfItsFile() {
        auto window = this->window();
        QVERIFY(openAndWait(*window, slice()));
        const Image& image = *window->session().original();
        QVERIFY(!image.isVolume() && holdsMeasurements(image));
        const auto is = [&](double centre, double width) {
            const DisplaySettings& display = window->view().display();
            return display.encoding == DisplayEncoding::linear && std::fabs(windowCentre(display) - centre) < 1e-6 &&
                   std::fabs(windowWidth(display) - width) < 1e-6;
        };
        QVERIFY(is(35, 380));
        // In the picture, too: of a row in the middle of the window, by its value.
        window->setViewName("single");
        window->view().setScale(16);
        QVERIFY(waitForIdle(*window));
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        const QImage picture = pane.grab().toImage();
        window->view().setPixelGrid(false);
        window->view().lookAt({20, 10});
        QVERIFY(waitForIdle(*window));
        const QColor middle = pane.grab().toImage().pixelColor(pane.rect().center() + QPoint(3, 3));
        const double value = static_cast<double>(image.view().at(20, 10));
        QCOMPARE(value, -4.0);
        QVERIFY2(std::abs(middle.red() - greyOf(value, 35, 380)) <= 1, qPrintable(middle.name()));
        QCOMPARE(middle.red(), middle.blue());
        // Presets and numbers as for volumes; what belongs to planes is not there.
        auto* level = window->findChild<QDoubleSpinBox*>("windowLevel");
        auto* preset = window->findChild<QComboBox*>("windowPreset");
        QVERIFY(level->isVisible() && preset->isVisible() && !window->findChild<QComboBox*>("planes")->isVisible());
        QCOMPARE(level->suffix().trimmed(), QStringLiteral("HU"));
        QCOMPARE(level->value(), 35.0);
        QCOMPARE(preset->currentText(), QStringLiteral("From file (W 380, L 35)"));
        QAction* bone = window->findChild<QAction*>("window-bone");
        QVERIFY(bone && window->findChild<QAction*>("window-file-1"));
        for (const QObject* menu : bone->associatedObjects())
            if (const auto* of = qobject_cast<const QMenu*>(menu)) QVERIFY(of->isEnabled());
        bone->trigger();
        QVERIFY(is(300, 1500));
        // Read again it stays, and reset brings the file's back.
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(is(300, 1500));
        window->findChild<QAction*>("reset-view")->trigger();
        QVERIFY(is(35, 380));
        // The unit beside the place under the mouse.
        window->view().setCursor(PixelPosition{3, 4});
        QVERIFY2(window->findChild<QLabel*>("pixelPosition")->text().contains("HU"),
                 qPrintable(window->findChild<QLabel*>("pixelPosition")->text()));
    }
    void lightIsShownAsBefore() {
        auto window = this->window();
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        window->view().setExposure(1.5);
        const DisplaySettings ofLight = window->view().display();
        QVERIFY(openAndWait(*window, slice()));
        QVERIFY(window->view().display().encoding == DisplayEncoding::linear);
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QCOMPARE(window->view().display(), ofLight);
        QVERIFY(!window->findChild<QDoubleSpinBox*>("windowLevel")->isVisible());
        window->view().setCursor(PixelPosition{3, 4});
        QVERIFY(!window->findChild<QLabel*>("pixelPosition")->text().contains("HU"));
        QVERIFY(!window->findChild<QLabel*>("histogramWindow")->isVisible());
    }
    void withoutAWindowItsValuesDecide() {
        MadeDicom d = ctSlice(1);
        d.texts.clear();
        const QString path = folder_.filePath("none.dcm");
        d.write(path.toStdString());
        auto window = this->window();
        QVERIFY(openAndWait(*window, path));
        const DisplaySettings& display = window->view().display();
        const Image& image = *window->session().original();
        const double least = static_cast<double>(image.view().at(0, 0)), largest = static_cast<double>(image.view().at(39, 29));
        const double black = windowCentre(display) - windowWidth(display) / 2, white = windowCentre(display) + windowWidth(display) / 2;
        QVERIFY(black > least - 1 && black < least + 200 && white < largest + 1 && white > largest - 200);
    }
    void theHistogramHasUnitAndWindow_data() {
        QTest::addColumn<bool>("volume");
        QTest::newRow("slice") << false;
        QTest::newRow("volume") << true;
    }
    void theHistogramHasUnitAndWindow() {
        QFETCH(const bool, volume);
        QString input = slice();
        if (volume) {
            input = folder_.filePath("series");
            QVERIFY(QDir().mkpath(input));
            for (int i = 1; i <= 4; ++i) ctSlice(i).write((input + QStringLiteral("/%1.dcm").arg(i)).toStdString());
        }
        auto window = this->window();
        QVERIFY(openAndWait(*window, input));
        auto* plot = window->findChild<QCustomPlot*>("histogramPlot");
        auto* text = window->findChild<QLabel*>("histogramWindow");
        QVERIFY(plot && text);
        QVERIFY(QTest::qWaitFor([&] { return text->isVisible(); }, kPatience));
        const QCPAxis& values = *plot->axisRect(0)->axis(QCPAxis::atBottom);
        QVERIFY2(values.label().endsWith("HU"), qPrintable(values.label()));
        const auto ticks = [&] { return values.tickVectorLabels().join(QLatin1Char('|')); };
        QTRY_VERIFY_WITH_TIMEOUT(ticks().startsWith(QChar(0x2212)), kPatience);
        QVERIFY2(!ticks().contains(QLatin1String("|-")), qPrintable(ticks()));
        QCOMPARE(window->findChild<QAction*>("window-lung")->toolTip().section('(', 0, 0).trimmed(),
                 QStringLiteral("Window width 1,400, level −500"));
        const auto band = [&]() -> const QCPItemRect* {
            for (int i = 0; i < plot->itemCount(); ++i)
                if (auto* rect = qobject_cast<QCPItemRect*>(plot->item(i)); rect && rect->layer()->name() == "background") return rect;
            return nullptr;
        };
        QVERIFY(band());
        QVERIFY(std::fabs(band()->topLeft->coords().x() - (35 - 190)) < 1e-6);
        QVERIFY(std::fabs(band()->bottomRight->coords().x() - (35 + 190)) < 1e-6);
        QCOMPARE(text->text(), QStringLiteral("Level 35 HU, width 380 HU: from −155 HU to 225 HU"));
        // It follows the view.
        window->view().setDisplay(withWindow(window->view().display(), -500, 800));
        QCOMPARE(text->text(), QStringLiteral("Level −500 HU, width 800 HU: from −900 HU to −100 HU"));
        QVERIFY(std::fabs(band()->topLeft->coords().x() + 900) < 1e-6);
    }
};

QTEST_MAIN(MeasurementsTest)
#include "measurements_test.moc"
