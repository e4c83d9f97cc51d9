// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that opens kernels of users.
#include <QAction>
#include <QMenu>

#include "core/kernels/kernel_text.hpp"
#include "ui/export/save_as.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/kernels/kernel_window.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {
namespace {

const QString kKernelFolderKey = QStringLiteral("kernels/folder");

QString kernelFilter() { return MainWindow::tr("Kernels in C++ or CUDA (*.cpp *.cc *.cxx *.cu)"); }

}  // namespace

KernelWindow& MainWindow::kernelWindow() {
    if (!kernels_) kernels_ = new KernelWindow(*session_, this);
    return *kernels_;
}

void MainWindow::makeKernelCommands() {
    makeCommand("open-kernel", tr("Open kernel …"), {}, {}, tr("Open a kernel of your own, which becomes a backend"), [this] {
        askForFiles(this, {tr("Open kernel"), kKernelFolderKey, QFileDialog::ExistingFile, {kernelFilter()}},
                    [this](const QStringList& paths) { kernelWindow().open(paths.front()); });
    });
    makeCommand("kernels", tr("Kernels"), {}, {}, tr("Show whether your kernels agree with the reference"), [this] {
        kernelWindow().show();
        kernelWindow().raise();
        kernelWindow().activateWindow();
    });
    connect(&session_->saver(), &FileSaver::saved, this, [this](const QString& path) {
        if (path != newKernel_) return;
        newKernel_.clear();
        kernelWindow().open(path);
    });
}

void MainWindow::askNewKernel(const Operation& operation) {
    const QString name = QStringLiteral("my-%1.cpp").arg(QString::fromStdString(operation.id()));
    askWhereToSave({tr("New kernel"), keptFolder(kKernelFolderKey), name, {tr("Kernels in C++ (*.cpp)"), tr("Kernels in CUDA (*.cu)")}},
                   *session_, this, [this, &operation](const QString& path, bool overwrite) {
                       keepFolderOf(path, kKernelFolderKey);
                       newKernel_ = path;
                       const bool inCuda = path.endsWith(QLatin1String(".cu"));
                       const std::string text =
                           user::newKernel(operation, {}, inCuda ? user::KernelLanguage::cuda : user::KernelLanguage::cpp);
                       session_->saver().saveBytes(path, overwrite, [text] { return QByteArray::fromStdString(text); });
                   });
}

QMenu* MainWindow::newKernelMenu(QWidget* parent) {
    auto* menu = new QMenu(tr("New kernel"), parent);
    menu->setToolTipsVisible(true);
    for (const auto& operation : session_->catalog().operations()) {
        QAction* create = menu->addAction(catalogText(operation->title()));
        create->setObjectName(QStringLiteral("new-kernel-") + QString::fromStdString(operation->id()));
        create->setToolTip(tr("Write a kernel that computes this operation, to begin with: %1").arg(catalogText(operation->title())));
        connect(create, &QAction::triggered, this, [this, op = operation.get()] { askNewKernel(*op); });
    }
    return menu;
}

}  // namespace parallax::ui
