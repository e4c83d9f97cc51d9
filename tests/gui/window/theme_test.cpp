// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing in each theme: contrast of texts, outlines of controls, titles of sections.
#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QStyleOptionSlider>
#include <QTabBar>
#include <QTableWidget>
#include <QTreeWidget>
#include <cmath>

#include "tests/gui/gui_support.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

double luminance(const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// Contrast ratio of WCAG 2.
double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

class ThemeTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup() { applyTheme(ThemeChoice::light); }
    void titlesOfSectionsAreNotStruckThrough() {
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            QMenu menu;
            const QAction* section = menu.addSection(QStringLiteral("M                M"));
            menu.addAction(QStringLiteral("An entry that is much longer than the title of its section"));
            menu.resize(menu.sizeHint());
            const QImage picture = menu.grab().toImage();
            const QRect place = menu.actionGeometry(const_cast<QAction*>(section));
            const QFontMetrics metrics(menu.font());
            const int space = place.left() + 5 + metrics.horizontalAdvance(QStringLiteral("M  ")), y = place.center().y();
            const QRgb background = picture.pixel(space, place.top() + 1);
            for (int x = space; x < space + metrics.horizontalAdvance(QStringLiteral("          ")); ++x)
                QCOMPARE(picture.pixel(x, y), background);
            QVERIFY(picture.pixel(place.right() - 10, y) != background);
        }
    }
    void themesHaveContrast_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<double>("text");
        QTest::newRow("light") << static_cast<int>(ThemeChoice::light) << 4.5;
        QTest::newRow("dark") << static_cast<int>(ThemeChoice::dark) << 4.5;
        QTest::newRow("high contrast") << static_cast<int>(ThemeChoice::highContrast) << 7.0;
    }
    void themesHaveContrast() {
        QFETCH(const int, choice);
        QFETCH(const double, text);
        applyTheme(static_cast<ThemeChoice>(choice));
        const Theme& t = currentTheme();
        const auto colour = [&](QPalette::ColorRole role) { return t.palette.color(role); };
        const QList<QColor> grounds{colour(QPalette::Window), colour(QPalette::Base), colour(QPalette::AlternateBase),
                                    colour(QPalette::Button), t.card};
        for (const QColor& ground : grounds) {
            for (const QColor& ink : {colour(QPalette::Text), colour(QPalette::WindowText), colour(QPalette::ButtonText), t.subtle,
                                      t.warning, t.error, t.success, t.chartText, colour(QPalette::PlaceholderText)})
                QVERIFY2(contrast(ink, ground) >= text, qPrintable(ink.name() + " on " + ground.name()));
            for (const QColor& line : {t.outline, t.accent})
                QVERIFY2(contrast(line, ground) >= 3, qPrintable(line.name() + " on " + ground.name()));
        }
        QVERIFY(contrast(colour(QPalette::HighlightedText), colour(QPalette::Highlight)) >= text);
        QVERIFY(contrast(colour(QPalette::ToolTipText), colour(QPalette::ToolTipBase)) >= text);
        for (const char* badge : {"A", "B", "Original"}) QVERIFY(contrast(Qt::white, t.badge(badge)) >= text);
    }
    void fieldsAndBoxesAreOutlined_data() { themesHaveContrast_data(); }
    void fieldsAndBoxesAreOutlined() {
        QFETCH(const int, choice);
        applyTheme(static_cast<ThemeChoice>(choice));
        const auto hasOutline = [](QWidget& widget) {
            widget.resize(widget.sizeHint().expandedTo({24, 24}));
            const QImage picture = widget.grab().toImage();
            const QColor ground = currentTheme().palette.color(QPalette::Window);
            int outlined = 0;
            for (int x = 0; x < picture.width() / 2; ++x)
                for (int y = 0; y < picture.height(); ++y)
                    if (contrast(picture.pixelColor(x, y), ground) >= 3) {
                        ++outlined;
                    }
            return outlined >= 20;
        };
        QCheckBox box;
        QLineEdit field;
        QSpinBox number;
        number.setSpecialValueText(" ");
        for (QWidget* widget : std::initializer_list<QWidget*>{&box, &field, &number})
            QVERIFY2(hasOutline(*widget), widget->metaObject()->className());
    }
    void slidersAndScrollBarsAreOutlined_data() { themesHaveContrast_data(); }
    void slidersAndScrollBarsAreOutlined() {
        QFETCH(const int, choice);
        applyTheme(static_cast<ThemeChoice>(choice));
        // The accent does not count: it is on the left of the handle alone.
        const auto outlined = [](QWidget& widget, const QRect& part) {
            const QImage picture = widget.grab().toImage();
            int found = 0;
            for (int x = part.left(); x <= part.right(); ++x)
                for (int y = part.top(); y <= part.bottom(); ++y)
                    found += contrast(picture.pixelColor(x, y), currentTheme().palette.color(QPalette::Window)) >= 3 ? 1 : 0;
            return found;
        };
        QSlider slider(Qt::Horizontal);
        slider.resize(200, 24);
        slider.setValue(0);
        QStyleOptionSlider option;
        option.initFrom(&slider);
        option.maximum = slider.maximum();
        option.orientation = Qt::Horizontal;
        const QRect handle = slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider);
        QVERIFY(outlined(slider, handle) >= 20);
        if (!currentTheme().highContrast) return;
        QVERIFY(outlined(slider, QRect(handle.right() + 10, 0, 100, slider.height())) >= 100);
        QScrollBar bar(Qt::Vertical);
        bar.setRange(0, 100);
        bar.setPageStep(100);
        bar.resize(16, 200);
        QVERIFY(outlined(bar, QRect(0, 30, 16, 30)) >= 50);
    }
    void theSelectedTabIsMarked_data() { themesHaveContrast_data(); }
    void theSelectedTabIsMarked() {
        QFETCH(const int, choice);
        applyTheme(static_cast<ThemeChoice>(choice));
        QTabBar bar;
        for (const char* name : {"A", "B", "C"}) bar.addTab(QLatin1String(name));
        bar.setCurrentIndex(1);
        bar.resize(bar.sizeHint());
        const QImage picture = bar.grab().toImage();
        for (int tab = 0; tab < bar.count(); ++tab) {
            const QRect shape = bar.tabRect(tab);
            int marked = 0;
            for (int x = shape.left(); x <= shape.right(); ++x)
                for (int y = shape.top(); y <= shape.bottom(); ++y) marked += picture.pixelColor(x, y) == currentTheme().accent ? 1 : 0;
            QCOMPARE(marked >= shape.width(), tab == 1);
        }
    }
    void listsAndTablesAreOutlined_data() { themesHaveContrast_data(); }
    void listsAndTablesAreOutlined() {
        QFETCH(const int, choice);
        applyTheme(static_cast<ThemeChoice>(choice));
        QListWidget list;
        QTreeWidget tree;
        QTableWidget table(2, 2);
        QPlainTextEdit text;
        for (QAbstractScrollArea* area : std::initializer_list<QAbstractScrollArea*>{&list, &tree, &table, &text}) {
            area->resize(160, 120);
            const QImage picture = area->grab().toImage();
            const int right = picture.width() - 1, bottom = picture.height() - 1;
            for (const QPoint middle : {QPoint(0, bottom / 2), QPoint(right, bottom / 2), QPoint(right / 2, 0), QPoint(right / 2, bottom)})
                for (const auto ground : {QPalette::Window, QPalette::Base})
                    QVERIFY2(contrast(picture.pixelColor(middle), currentTheme().palette.color(ground)) >= 3,
                             qPrintable(QStringLiteral("%1 at %2, %3: %4")
                                            .arg(QLatin1String(area->metaObject()->className()))
                                            .arg(middle.x())
                                            .arg(middle.y())
                                            .arg(picture.pixelColor(middle).name())));
        }
        QListWidget bare;
        bare.setFrameShape(QFrame::NoFrame);
        bare.resize(160, 120);
        QCOMPARE(bare.grab().toImage().pixelColor(0, 60), currentTheme().palette.color(QPalette::Base));
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
