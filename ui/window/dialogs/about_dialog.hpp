// SPDX-License-Identifier: GPL-3.0-or-later
// Version, libraries with their licences, backends with their devices: text to copy into bug reports.
#pragma once

#include <QDialog>

namespace parallax {
class Catalog;
}

namespace parallax::ui {

/// The text that the dialog shows and copies.
QString aboutText(const Catalog& catalog);

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    AboutDialog(const Catalog& catalog, QWidget* parent);
};

}  // namespace parallax::ui
