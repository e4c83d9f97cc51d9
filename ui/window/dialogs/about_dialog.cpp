// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/about_dialog.hpp"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/io/library_versions.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

QString line(const QString& name, const QString& value, const QString& remark = {}) {
    const QString text = QStringLiteral("  %1 %2").arg(name, -14).arg(value);
    return remark.isEmpty() ? text + QLatin1Char('\n') : QStringLiteral("%1 %2\n").arg(text, -34).arg(remark);
}

}  // namespace

QString aboutText(const Catalog& catalog) {
    const BuildInfo& build = buildInfo();
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    QString about = QStringLiteral("Parallax %1 (%2)\n").arg(text(build.version), text(build.git));
    about += line(QObject::tr("Compiler"), text(build.compiler));
    about += line(QObject::tr("Build"),
                  text(build.buildType) + (build.sanitizers.empty() ? QString() : QLatin1Char(' ') + text(build.sanitizers)));
    about += line(
        QObject::tr("System"),
        QStringLiteral("%1, %2, %3").arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture()));
    about += line(QObject::tr("Platform"), QGuiApplication::platformName());
    about += QLatin1Char('\n') + QObject::tr("Libraries") + QLatin1Char('\n');
    about += line(QStringLiteral("Qt"), QLatin1String(qVersion()), QStringLiteral("LGPL-3.0"));
    about += line(QStringLiteral("QCustomPlot"), chartLibraryVersion(), QStringLiteral("GPL-3.0-or-later"));
    for (const LibraryVersion& library : libraryVersions()) about += line(text(library.name), text(library.version), text(library.licence));
    about += QLatin1Char('\n') + QObject::tr("Backends") + QLatin1Char('\n');
    for (const auto& backend : catalog.backends()) {
        const Availability availability = backend->availability();
        about += line(text(backend->id()),
                      availability.yes ? text(backend->title()) : QObject::tr("not available: %1").arg(text(availability.reason)));
        if (!availability.yes) continue;
        for (const DeviceInfo& device : backend->devices()) {
            about += QStringLiteral("    ") + text(device.name) + QLatin1Char('\n');
            for (const auto& [key, value] : device.details) about += QStringLiteral("    %1: %2\n").arg(text(key), text(value));
        }
    }
    return about;
}

AboutDialog::AboutDialog(const Catalog& catalog, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About Parallax"));
    setObjectName(QStringLiteral("aboutDialog"));
    auto* heading = new QLabel(tr("<h3>Parallax %1</h3><p>Compares and measures image operations on interchangeable backends.</p>"
                                  "<p>Free software under the GNU General Public License, version 3 or later. Not for clinical use.</p>")
                                   .arg(QString::fromStdString(buildInfo().version)));
    heading->setWordWrap(true);
    selectable(heading);
    auto* text = new QPlainTextEdit(aboutText(catalog));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    described(text, tr("Versions, licences and devices"), tr("Versions, licences and devices. Include this text in bug reports."));
    text->setTabChangesFocus(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy versions, licences and devices as text"));
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close this window (Esc)"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(heading);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    connect(copy, &QPushButton::clicked, this, [text] { QGuiApplication::clipboard()->setText(text->toPlainText()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    buttons->button(QDialogButtonBox::Close)->setFocus();
    resize(640, 560);
}

}  // namespace parallax::ui
