// SPDX-License-Identifier: GPL-3.0-or-later
// Windows (ranges of values) that the user saved under a name, some of them with a number key. The settings keep them.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

namespace parallax::ui {

struct OwnWindow {
    QString name;
    double centre = 0, width = 1;
    int key = 0;  ///< from OwnWindows::kFirstKey to kLastKey; 0: none
    friend bool operator==(const OwnWindow&, const OwnWindow&) = default;
};

class OwnWindows : public QObject {
    Q_OBJECT
public:
    static constexpr int kFirstKey = 2, kLastKey = 9;  ///< 1 shows actual pixels
    static constexpr int kLongestName = 40;

    static OwnWindows& instance();
    /// Those with a key in the order of the keys, then the others by name. Damaged entries of the settings are left out.
    std::vector<OwnWindow> all() const;
    /// Adds a window, or replaces the one named `replaced` and any of the same name. Another window with its key loses the key. Throws
    /// Error(usage) for an empty or too long name, and for a width that is not positive.
    void save(OwnWindow window, const QString& replaced = {});
    void remove(const QString& name);

signals:
    void changed();

private:
    OwnWindows() = default;
    void store(const std::vector<OwnWindow>& windows);
};

}  // namespace parallax::ui
