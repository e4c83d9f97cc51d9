// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of users: whether each compiles and agrees with the reference, again whenever its file is saved.
#pragma once

#include <QDialog>
#include <map>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace parallax::ui {

class FileWatch;
class Kernels;
class Session;
struct OpenKernelState;
class VersionTable;

class KernelWindow : public QDialog {
    Q_OBJECT
public:
    KernelWindow(Session& session, QWidget* parent);
    ~KernelWindow() override;
    /// Compiles a kernel and shows it.
    void open(const QString& path);

private:
    void watch(const QString& path);
    void showKernel();
    void showChanges();
    void restore(int number);
    void useIt();
    const OpenKernelState* shown() const;

    Session& session_;
    Kernels& kernels_;
    std::map<QString, std::unique_ptr<FileWatch>> watches_;
    QComboBox* files_;
    QCheckBox* sanitizes_;
    QLabel* verdict_;
    QLabel* details_;
    VersionTable* versions_;
    QTabWidget* tabs_;
    QPlainTextEdit *text_, *changes_;
    QPushButton *edit_, *use_, *again_;
};

}  // namespace parallax::ui
