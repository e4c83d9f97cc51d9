// SPDX-License-Identifier: GPL-3.0-or-later
// Saves the samples of one image or of all panes, with format, depth and encoding. Shows beforehand what will be lost and which files will
// be replaced.
#pragma once

#include <QDialog>
#include <QHash>
#include <QImage>
#include <QSet>
#include <QStringList>
#include <QTimer>
#include <QVariant>
#include <functional>
#include <optional>
#include <vector>

#include "core/io/saver.hpp"
#include "ui/session/session.hpp"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;

namespace parallax::ui {

class SaveDataDialog : public QDialog {
    Q_OBJECT
public:
    /// Starts with one image or with all panes. `view` returns the picture of a pane, null if it is hidden.
    SaveDataDialog(Session& session, std::optional<PaneRole> role, std::function<QImage(PaneRole)> view, QWidget* parent = nullptr);

    /// What will be written.
    QStringList paths() const;
    std::vector<PaneRole> roles() const;

    /// Saves; closes when everything is saved. If a file fails, the dialog stays, or opens again, with the error.
    void accept() override;
    /// Also stops what is being saved.
    void reject() override;

protected:
    bool event(QEvent* event) override;

private:
    struct Item {
        QString path;
        std::function<void(bool overwrite)> save;
    };
    std::vector<Item> items() const;
    QImage pictureOf(PaneRole role) const;
    /// The file that is named, with an extension.
    QString typedPath() const;
    /// Switches to the format whose extension was typed.
    void nameTyped(const QString& name);
    void formatChanged();
    void fillDepths();
    void depthChanged();
    void roleChanged();
    void refresh();
    void browse();
    /// Closes when all is saved, or shows the errors.
    void followSaves();
    bool all() const;
    const SavableFormat& format() const;
    StoredDepth depth() const;
    StoredEncoding encoding() const;

    Session& session_;
    std::function<QImage(PaneRole)> view_;
    mutable QHash<PaneRole, QImage> pictures_;  ///< as of the first request
    QComboBox *image_, *format_, *depth_, *encoding_;
    QLineEdit *path_, *pattern_;
    QCheckBox *alpha_, *regular_, *patient_, *views_, *report_;
    QLabel *pathLabel_, *note_, *warning_, *error_;
    QFormLayout* form_ = nullptr;
    QLayout* also_ = nullptr;
    QVariant chosenEncoding_;  ///< by the user; else the first of each format
    QSet<QString> agreed_;     ///< existing files that were listed as replaced
    QPushButton* save_;
    QSet<QString> saving_;  ///< paths
    QStringList errors_;
    QTimer patience_;  ///< hides the dialog while a large file is being saved
};

/// "Save result A".
QString saveTitle(const Session& session, PaneRole role);
/// "photo" for photo.exr; does not identify a patient.
QString proposedBaseName(const Session& session);
/// "photo_convolve_2026-11-25".
QString proposedReportName(const Session& session);
/// "photo-openmp.exr" for result A of photo.exr, without a folder.
QString proposedImageName(const Session& session, PaneRole role, const QString& extension);

}  // namespace parallax::ui
