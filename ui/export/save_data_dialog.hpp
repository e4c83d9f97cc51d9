// SPDX-License-Identifier: GPL-3.0-or-later
// Saves the samples of one image or of all panes: format, depth and encoding are chosen in sight, and what will be lost is
// said before. Existing files are named, and replaced only after that.
#pragma once

#include <QDialog>
#include <QStringList>
#include <vector>

#include "parallax/io/saver.hpp"
#include "parallax/ui/bridge/session.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace parallax::ui {

class SaveDataDialog : public QDialog {
    Q_OBJECT
public:
    /// Begins with one image, or with all panes.
    SaveDataDialog(Session& session, std::optional<PaneRole> role, QWidget* parent = nullptr);

    /// What will be written, in the order of roles().
    QStringList paths() const;
    std::vector<PaneRole> roles() const;

    void accept() override;

private:
    void formatChanged();
    void roleChanged();
    void refresh();
    void browse();
    bool all() const;
    const SavableFormat& format() const;
    StoredDepth depth() const;

    Session& session_;
    QComboBox *image_, *format_, *depth_;
    QLineEdit* path_;
    QLabel *pathLabel_, *note_, *warning_;
    QPushButton* save_;
};

/// "photo-openmp.exr" for result A of photo.exr, without a folder.
QString proposedImageName(const Session& session, PaneRole role, const QString& extension);

}  // namespace parallax::ui
