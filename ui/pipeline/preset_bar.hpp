// SPDX-License-Identifier: GPL-3.0-or-later
// Above the parameters: the presets of the chosen step's operation, and a menu that saves, renames and deletes them.
#pragma once

#include <QWidget>

#include "parallax/ui/models/pipeline_model.hpp"
#include "parallax/ui/models/preset_store.hpp"

class QAction;
class QComboBox;

namespace parallax::ui {

class PresetBar : public QWidget {
    Q_OBJECT
public:
    explicit PresetBar(PipelineModel& model, QWidget* parent = nullptr);
    /// -1: nothing.
    void setRow(int row);
    PresetStore& store() { return store_; }
    QComboBox& box() { return *box_; }

signals:
    /// Something could not be done.
    void refused(const QString& what);

private:
    const Operation* operation() const { return row_ < 0 || row_ >= model_.rowCount() ? nullptr : model_.step(row_).operation; }
    void refresh();
    void showChosen();
    void apply(const QString& name);
    void askSave();
    void askRename();
    void askRemove();
    void save(const QString& name, bool overwrite);
    /// Runs what may fail, tells if it does, and shows what is there then.
    template <class Work>
    void attempt(Work&& work);

    PipelineModel& model_;
    PresetStore store_;
    QComboBox* box_;
    QAction *rename_ = nullptr, *remove_ = nullptr;
    const Operation* listed_ = nullptr;  // whose presets the box holds
    QString applied_;                    // the preset chosen or saved last, which Rename and Delete mean
    ParameterBlock appliedValues_;
    int row_ = -1;
};

}  // namespace parallax::ui
