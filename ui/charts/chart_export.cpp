// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.hpp"

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "ui/charts/plot.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/save_as.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

constexpr int kPictureScale = 2;  // resolution for slides and papers

void askAndSave(QCustomPlot& plot, Session& session, const QString& name, const std::function<QString()>& csv) {
    const QStringList filters{QStringLiteral("SVG (*.svg)"), QStringLiteral("PDF (*.pdf)"), QStringLiteral("PNG (*.png)"),
                              QStringLiteral("CSV (*.csv)")};
    askWhereToSave({QCustomPlot::tr("Save chart"), exportFolder(), name + QStringLiteral(".svg"), filters}, session, &plot,
                   [&plot, &session, csv](const QString& path, bool overwrite) {
                       setExportFolder(QFileInfo(path).absolutePath());
                       const QString extension = QFileInfo(path).suffix().toLower();
                       const bool known = QStringList{"svg", "pdf", "png", "csv"}.contains(extension);
                       if (!known)
                           return session.tasks().raise({Message::Kind::error, QCustomPlot::tr("The chart was not saved"),
                                                         QCustomPlot::tr("'.%1' is not a format of charts").arg(extension),
                                                         QCustomPlot::tr("Use svg, pdf, png or csv"), QStringLiteral("save")});
                       const QByteArray bytes = extension == QLatin1String("csv") ? csv().toUtf8() : chartAs(plot, extension);
                       session.saver().saveBytes(path, overwrite, [bytes] { return bytes; });
                   });
}

}  // namespace

QByteArray chartAs(QCustomPlot& plot, const QString& extension) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    const int width = plot.width(), height = plot.height();
    if (extension == QLatin1String("png")) {
        if (!plot.toPixmap(width, height, kPictureScale).save(&buffer, "PNG")) return {};
    } else if (extension == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setTitle(plot.accessibleName());
        svg.setDescription(QStringLiteral("Parallax ") + QCoreApplication::applicationVersion());
        svg.setSize(QSize(width, height));
        svg.setViewBox(QRect(0, 0, width, height));
        QCPPainter painter(&svg);
        painter.setMode(QCPPainter::pmVectorized);
        painter.fillRect(QRect(0, 0, width, height), plot.palette().base());
        plot.toPainter(&painter, width, height);
    } else if (extension == QLatin1String("pdf")) {
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter pdf(&buffer);
        pdf.setTitle(plot.accessibleName());
        constexpr int kDotsPerInch = 96;
        pdf.setResolution(kDotsPerInch);
        pdf.setPageSize(QPageSize(QSizeF(width, height) * 72.0 / kDotsPerInch, QPageSize::Point));
        pdf.setPageMargins(QMarginsF());
        QCPPainter painter(&pdf);
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        painter.fillRect(QRect(0, 0, width, height), plot.palette().base());
        plot.toPainter(&painter, width, height);
    }
    return bytes;
}

void addChartMenu(QCustomPlot& plot, Session& session, const QString& name, std::function<QString()> csv) {
    plot.setContextMenuPolicy(Qt::ActionsContextMenu);
    plot.setFocusPolicy(Qt::StrongFocus);  // receives the menu key
    auto* copy = new QAction(QCustomPlot::tr("&Copy the picture"), &plot);
    copy->setToolTip(QCustomPlot::tr("Copy the chart to the clipboard as a picture"));
    QObject::connect(copy, &QAction::triggered, &plot,
                     [&plot] { QGuiApplication::clipboard()->setPixmap(plot.toPixmap(plot.width(), plot.height(), kPictureScale)); });
    auto* numbers = new QAction(QCustomPlot::tr("Copy the &data"), &plot);
    numbers->setToolTip(QCustomPlot::tr("Copy the data of the chart to the clipboard as comma-separated values"));
    QObject::connect(numbers, &QAction::triggered, &plot, [csv] { QGuiApplication::clipboard()->setText(csv()); });
    auto* save = new QAction(QCustomPlot::tr("&Save the chart …"), &plot);
    save->setToolTip(QCustomPlot::tr("Save the chart as SVG, PDF or PNG, or its data as CSV"));
    QObject::connect(save, &QAction::triggered, &plot, [&plot, &session, name, csv] { askAndSave(plot, session, name, csv); });
    plot.addActions({copy, numbers, save});
}

}  // namespace parallax::ui
