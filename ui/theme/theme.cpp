// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QListView>
#include <QPainter>
#include <QProxyStyle>
#include <QStyle>
#include <QStyleHints>
#include <QStyleOption>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTreeView>
#include <algorithm>
#include <utility>

#include "ui/theme/narrow_tabs.hpp"

/// Q_INIT_RESOURCE must stand outside of every namespace.
static void initialiseIcons() { Q_INIT_RESOURCE(parallax_icons); }

namespace parallax::ui {
namespace {

/// Whether the desktop is dark, determined before our palette replaces its own; kept up to date by setSystemDark().
bool& systemIsDark() {
    static bool dark = QApplication::style()->standardPalette().color(QPalette::Window).lightness() < 128 ||
                       QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

/// Qt tells changes of the desktop's colours from version 6.5 on.
void followSystem() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    static const bool connected = [] {
        return static_cast<bool>(
            QObject::connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, qApp, [](Qt::ColorScheme scheme) {
                if (scheme != Qt::ColorScheme::Unknown) setSystemDark(scheme == Qt::ColorScheme::Dark);
            }));
    }();
    (void)connected;
#endif
}

Theme makeTheme(bool dark) {
    Theme t;
    t.dark = dark;
    const QColor window = dark ? QColor(0x2a, 0x2b, 0x2e) : QColor(0xf2, 0xf2, 0xf3);
    const QColor base = dark ? QColor(0x1f, 0x20, 0x22) : QColor(0xff, 0xff, 0xff);
    const QColor text = dark ? QColor(0xe4, 0xe5, 0xe8) : QColor(0x1d, 0x1e, 0x21);
    const QColor button = dark ? QColor(0x3a, 0x3b, 0x3f) : QColor(0xfb, 0xfb, 0xfc);
    t.accent = dark ? QColor(0x4d, 0x9d, 0xe0) : QColor(0x1f, 0x6f, 0xb8);
    t.subtle = dark ? QColor(0xa6, 0xa8, 0xae) : QColor(0x5c, 0x5f, 0x66);
    t.border = dark ? QColor(0x44, 0x46, 0x4b) : QColor(0xcd, 0xce, 0xd2);
    t.outline = dark ? QColor(0x85, 0x88, 0x8f) : QColor(0x7a, 0x7d, 0x83);
    t.card = dark ? QColor(0x33, 0x34, 0x38) : QColor(0xff, 0xff, 0xff);
    t.canvas = dark ? QColor(0x3a, 0x3a, 0x3a) : QColor(0x8c, 0x8c, 0x8c);
    t.warning = dark ? QColor(0xe5, 0xa5, 0x3d) : QColor(0x9a, 0x62, 0x00);
    t.error = dark ? QColor(0xf6, 0x92, 0x85) : QColor(0xb3, 0x26, 0x1e);
    t.success = dark ? QColor(0x56, 0xc2, 0x9b) : QColor(0x0b, 0x75, 0x55);
    t.chartText = text;
    t.chartGrid = dark ? QColor(0x45, 0x47, 0x4c) : QColor(0xdd, 0xde, 0xe2);
    t.series = {QColor(0x00, 0x72, 0xb2),
                QColor(0xe6, 0x9f, 0x00),
                QColor(0x00, 0x9e, 0x73),
                QColor(0xcc, 0x79, 0xa7),
                QColor(0x56, 0xb4, 0xe9),
                QColor(0xd5, 0x5e, 0x00),
                dark ? QColor(0xf0, 0xe4, 0x42) : QColor(0x8c, 0x80, 0x00)};
    QPalette& p = t.palette;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, dark ? QColor(0x26, 0x27, 0x2a) : QColor(0xf6, 0xf6, 0xf8));
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::ToolTipBase, dark ? QColor(0x3a, 0x3b, 0x3f) : QColor(0xff, 0xff, 0xff));
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::PlaceholderText, t.subtle);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, dark ? QColor(0x0d, 0x16, 0x20) : QColor(Qt::white));  // contrast of at least 4.5 : 1
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::Light, dark ? QColor(0x4a, 0x4b, 0x50) : QColor(0xff, 0xff, 0xff));
    p.setColor(QPalette::Midlight, dark ? QColor(0x40, 0x41, 0x45) : QColor(0xe8, 0xe8, 0xea));
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, dark ? QColor(0x1a, 0x1b, 0x1d) : QColor(0xae, 0xb0, 0xb5));
    p.setColor(QPalette::Shadow, dark ? QColor(0x10, 0x10, 0x11) : QColor(0x70, 0x72, 0x76));
    const QColor disabled = dark ? QColor(0x7a, 0x7c, 0x82) : QColor(0x9a, 0x9c, 0xa2);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, t.border);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, disabled);
    return t;
}

/// White on black: text of at least 7:1 on every background.
Theme makeHighContrast() {
    Theme t = makeTheme(true);
    t.highContrast = true;
    t.accent = QColor(0xff, 0xd4, 0x00);
    t.subtle = QColor(0xe2, 0xe2, 0xe2);
    t.border = QColor(0x9a, 0x9a, 0x9a);
    t.outline = QColor(0xff, 0xff, 0xff);
    t.card = QColor(0x0c, 0x0c, 0x0c);
    t.canvas = QColor(0x1a, 0x1a, 0x1a);
    t.warning = QColor(0xff, 0xbf, 0x50);
    t.error = QColor(0xff, 0xa0, 0x96);
    t.success = QColor(0x6a, 0xe6, 0xbc);
    t.chartText = Qt::white;
    t.chartGrid = QColor(0x60, 0x60, 0x60);
    QPalette& p = t.palette;
    const QColor raised(0x24, 0x24, 0x24);
    for (const auto role : {QPalette::Window, QPalette::Base}) p.setColor(role, Qt::black);
    for (const auto role : {QPalette::Button, QPalette::AlternateBase, QPalette::ToolTipBase}) p.setColor(role, QColor(0x14, 0x14, 0x14));
    for (const auto role : {QPalette::Light, QPalette::Midlight}) p.setColor(role, raised);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) p.setColor(role, Qt::white);
    p.setColor(QPalette::PlaceholderText, t.subtle);
    for (const auto role : {QPalette::Highlight, QPalette::Link}) p.setColor(role, t.accent);
    p.setColor(QPalette::HighlightedText, Qt::black);
    p.setColor(QPalette::Mid, t.border);
    const QColor disabled(0xb4, 0xb4, 0xb4);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, raised);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, disabled);
    return t;
}

/// Fusion derives outlines from the window colour, which leaves them invisible on dark ones.
class OutlinedStyle : public QProxyStyle {
public:
    OutlinedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        switch (element) {
            case PE_FrameLineEdit:
            case PE_IndicatorCheckBox:
            case PE_PanelButtonCommand: return outline(*option, *painter, false);
            case PE_IndicatorRadioButton: return outline(*option, *painter, true);
            case PE_FrameMenu:  // black on black
                if (currentTheme().highContrast) outline(*option, *painter, false);
                return;
            case PE_Frame:  // lists, trees, tables and long texts
                if (qobject_cast<const QAbstractScrollArea*>(widget)) outline(*option, *painter, false);
                return;
            default: return;
        }
    }
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override {
        QSize whole = QProxyStyle::sizeFromContents(type, option, size, widget);
        // Fusion's rows are as low as their check boxes. Those of tables follow their header.
        const bool rows = qobject_cast<const QListView*>(widget) || qobject_cast<const QTreeView*>(widget);
        if (type == CT_ItemViewItem && rows) whole.setHeight(std::max(whole.height(), option->fontMetrics.height() + kRowPadding));
        return whole;
    }
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override {
        QProxyStyle::drawControl(element, option, painter, widget);
        const auto* entry = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (element == CE_MenuItem && entry && entry->menuItemType == QStyleOptionMenuItem::Separator && currentTheme().dark) {
            // Behind the title of a section, as Fusion does.
            constexpr int kMargin = 5;
            const int title = entry->text.isEmpty() ? 0 : entry->fontMetrics.horizontalAdvance(entry->text) + kMargin;
            painter->setPen(currentTheme().border);
            painter->drawLine(entry->rect.left() + kMargin + title, entry->rect.center().y(), entry->rect.right() - kMargin,
                              entry->rect.center().y());
        }
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (element != CE_TabBarTabShape || !tab) return;
        constexpr int kLine = 2;
        const QRect& shape = tab->rect;
        if (currentTheme().highContrast) {  // Fusion's edges are nearly black
            painter->setPen(currentTheme().border);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(shape.adjusted(0, 0, -1, -1));
        }
        if (!(tab->state & State_Selected)) return;
        const int top = tab->shape == QTabBar::RoundedSouth ? shape.bottom() + 1 - kLine : shape.top();
        painter->fillRect(QRect(shape.left() + kLine, top, shape.width() - 2 * kLine, kLine), currentTheme().accent);
    }
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if ((control == CC_ComboBox && box && box->frame) || (control == CC_SpinBox && spin && spin->frame))
            outline(*option, *painter, false);
        if (control == CC_Slider) outlineSlider(*option, *painter, widget);
        if (control == CC_ScrollBar && currentTheme().highContrast) {
            QStyleOption slider = *option;
            slider.rect = subControlRect(control, option, SC_ScrollBarSlider, widget);
            outline(slider, *painter, false);
        }
    }
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr int kMany = 5, kNarrowSpace = 12;
        const auto* bar = qobject_cast<const QTabBar*>(widget);
        if (metric == PM_TabBarTabHSpace && bar && bar->count() > kMany && bar->property(kNarrowTabs).toBool()) return kNarrowSpace;
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const override {
        if (hint == SH_Table_GridLineColor && currentTheme().highContrast) return static_cast<int>(currentTheme().border.rgba());
        if (hint == SH_EtchDisabledText) return 0;  // the shadow of disabled entries of menus looks blurred
        return QProxyStyle::styleHint(hint, option, widget, data);
    }

private:
    /// The handle of a slider, and its groove where the theme leaves it in the dark.
    void outlineSlider(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(&option);
        if (!slider) return;
        QStyleOption part = option;
        const QRect handle = subControlRect(CC_Slider, &option, SC_SliderHandle, widget);
        if (currentTheme().dark && slider->orientation == Qt::Horizontal) {
            constexpr int kGroove = 5;
            const QRect groove = subControlRect(CC_Slider, &option, SC_SliderGroove, widget);
            part.rect = QRect(groove.left(), groove.center().y() - kGroove / 2, groove.width(), kGroove);
            part.state &= ~State_HasFocus;
            painter.save();
            painter.setClipRegion(QRegion(groove) - handle);
            outline(part, painter, false);
            painter.restore();
        }
        part.rect = handle.adjusted(1, 1, -1, -1);  // as Fusion draws it
        part.state = option.state;
        outline(part, painter, false);
    }
    static constexpr int kRowPadding = 7;
    static void outline(const QStyleOption& option, QPainter& painter, bool round);
};

QString styleSheet(const Theme& t) {
    return QStringLiteral(
               "QToolTip { color: %1; background: %2; border: 1px solid %3; padding: 4px; }"
               "QDockWidget { font-weight: 600; }"
               "QDockWidget::title { background: %4; padding: 6px 8px; border-bottom: 1px solid %3; }"
               "QToolBar { border: none; border-bottom: 1px solid %3; padding: 4px 6px; spacing: 4px; }"
               "QToolBar QToolButton { padding: 5px 8px; border: 1px solid transparent; border-radius: 4px; }"
               "QToolBar QToolButton:hover { background: %5; border-color: %3; }"
               "QToolBar QToolButton:checked { background: %5; border-color: %6; }"
               "QToolBar QToolButton#qt_toolbar_ext_button { padding: 0; border: none; }"  // its arrow has no room for more
               "QToolButton::menu-indicator { image: none; }"
               "QStatusBar { border-top: 1px solid %3; }"
               "QStatusBar::item { border: none; }"
               "QStatusBar QLabel { padding: 2px 8px; }"
               "QMainWindow::separator { background: %3; width: 1px; height: 1px; }"
               "QMainWindow::separator:hover { background: %6; }"
               "QSplitter::handle { background: %3; }"
               "QHeaderView::section { background: %4; color: %7; border: none; border-bottom: 1px solid %3; padding: 4px 6px; }")
        .arg(t.palette.color(QPalette::ToolTipText).name(), t.palette.color(QPalette::ToolTipBase).name(), t.border.name(),
             t.palette.color(QPalette::Window).name(), t.palette.color(QPalette::Midlight).name(), t.accent.name(), t.subtle.name());
}

Theme& theme() {
    static Theme instance = makeTheme(false);
    return instance;
}
ThemeChoice chosen = ThemeChoice::system;

void OutlinedStyle::outline(const QStyleOption& option, QPainter& painter, bool round) {
    QColor colour = option.state & State_HasFocus ? currentTheme().accent : currentTheme().outline;
    if (!(option.state & State_Enabled)) colour = currentTheme().border;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(Qt::NoBrush);
    const QRectF frame = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    round ? painter.drawEllipse(frame) : painter.drawRoundedRect(frame, 2, 2);
    painter.restore();
}

/// Renders the SVG for each size and colour, so that icons follow theme and scale.
class SvgIconEngine : public QIconEngine {
public:
    explicit SvgIconEngine(QString name) : name_(std::move(name)) {}
    QIconEngine* clone() const override { return new SvgIconEngine(name_); }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QFile file(QStringLiteral(":/icons/actions/%1.svg").arg(name_));
        if (!file.open(QIODevice::ReadOnly)) return;
        const QColor colour =
            currentTheme().palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        QSvgRenderer renderer(file.readAll().replace("currentColor", colour.name().toLatin1()));
        renderer.render(painter, QRectF(rect));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

private:
    QString name_;
};

}  // namespace

QColor Theme::badge(const QString& name) const {
    if (highContrast)  // white text of 7:1
        return name == QLatin1String("A")   ? QColor(0x00, 0x4f, 0x80)
               : name == QLatin1String("B") ? QColor(0x7a, 0x38, 0x00)
                                            : QColor(0x40, 0x40, 0x40);
    if (name == QLatin1String("A")) return QColor(0x00, 0x72, 0xb2);
    if (name == QLatin1String("B")) return QColor(0xb3, 0x54, 0x00);
    return QColor(0x5a, 0x5c, 0x62);
}

const Theme& currentTheme() { return theme(); }
ThemeChoice currentThemeChoice() { return chosen; }

void applyTheme(ThemeChoice choice) {
    const bool wantsDark = systemIsDark();
    chosen = choice;
    theme() = choice == ThemeChoice::highContrast ? makeHighContrast()
                                                  : makeTheme(choice == ThemeChoice::dark || (choice == ThemeChoice::system && wantsDark));
    QApplication::setStyle(new OutlinedStyle);
    QApplication::setPalette(theme().palette);
    qApp->setStyleSheet(styleSheet(theme()));
    followSystem();
    emit ThemeNotifier::instance().changed();
}

void setSystemDark(bool dark) {
    if (std::exchange(systemIsDark(), dark) != dark && chosen == ThemeChoice::system) applyTheme(chosen);
}

ThemeNotifier& ThemeNotifier::instance() {
    static ThemeNotifier notifier;
    return notifier;
}

QIcon actionIcon(const QString& name) {
    static const bool ready = (initialiseIcons(), true);
    (void)ready;
    return QIcon(new SvgIconEngine(name));
}

}  // namespace parallax::ui
