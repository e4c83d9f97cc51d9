// SPDX-License-Identifier: GPL-3.0-or-later
// The compared panes with undo, and the steps of the active one as a list. Every change goes through here; the session listens and runs
// the pipelines. Undo covers some changes of the view as well.
#pragma once

#include <QAbstractListModel>
#include <QElapsedTimer>
#include <functional>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "ui/models/pipeline/compare_setup.hpp"

namespace parallax::ui {

class PipelineModel : public QAbstractListModel {
    Q_OBJECT
public:
    explicit PipelineModel(const Catalog& catalog, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    // Steps are reordered by dragging them within the list.
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int destination) override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

    const Catalog& catalog() const { return *catalog_; }
    const CompareSetup& setup() const { return setup_; }
    /// Replaces everything and clears the history.
    void restore(CompareSetup setup);
    /// Replaces everything as one edit with this name.
    void replaceSetup(CompareSetup setup, const QString& name);
    /// Sets a target that is chosen for the user, or makes it the user's choice. Neither is an edit.
    void setTargetSilently(Side side, const Target& target, bool automatic);

    /// The pane whose steps the list shows and edits. Not part of the history.
    Side active() const { return active_; }
    void setActive(Side side);
    /// Differences are subject - reference. The subject is the pane that was active last besides the reference.
    Side reference() const { return setup_.reference; }
    Side subject() const { return subject_; }

    /// Steps of the active pane.
    const Pipeline& pipeline() const { return setup_.stepsOf(active_); }
    const Step& step(int row) const { return pipeline().steps.at(static_cast<std::size_t>(row)); }

    /// Replaces the shared steps, which all panes then have, and clears the history.
    void setPipeline(Pipeline pipeline);
    /// Replaces the steps of the active pane as one edit with this name.
    void replacePipeline(Pipeline pipeline, const QString& name);
    void addStep(const Operation& operation);
    void duplicateStep(int row);
    void removeStep(int row);
    /// Moves a step to `to`, counted after its removal.
    void moveStep(int row, int to);
    void setEnabled(int row, bool enabled);
    /// Throws Error(usage) for an invalid value and leaves the step unchanged.
    void setParameter(int row, const std::string& key, const ParameterValue& value);
    void resetParameter(int row, const std::string& key);
    void resetStep(int row);
    /// Sets all values of a step as one edit with this name. The block must belong to the operation of the step.
    void setParameters(int row, const ParameterBlock& values, const QString& name);

    /// Changes of one parameter between these calls form one edit, such as a drag or a dialog with live preview; no edit remains if the
    /// value returns to its start. Elsewhere, quick changes of the same parameter are merged.
    void beginMerge();
    void endMerge();

    bool canUndo() const { return position_ > 0; }
    bool canRedo() const { return position_ < history_.size(); }
    QString undoText() const { return canUndo() ? history_[position_ - 1].name : QString(); }
    QString redoText() const { return canRedo() ? history_[position_].name : QString(); }
    void undo();
    void redo();
    /// Adds an edit of the view, which has been made, with functions that revert and repeat it.
    void recordView(const QString& name, std::function<void()> undo, std::function<void()> redo);
    /// Removes edits of the view from the history, for instance when another file brings its own view.
    void forgetViewEdits();
    /// Without a signal about the setup: for what was set before the user could edit.
    void clearHistory();

signals:
    /// Inputs, steps, targets or the reference have changed.
    void setupChanged();
    /// The steps of a pane have changed. Comes after setupChanged().
    void pipelineChanged();
    /// Another pane is active.
    void activeChanged();
    /// Other panes are the reference and the subject of differences.
    void pairChanged();
    /// Values of one step changed other than by a form.
    void parametersChanged(int row);
    void historyChanged();

private:
    struct Edit {
        QString name, mergeKey;
        CompareSetup before, after;
        std::size_t bytes = 0;
        std::function<void()> undo, redo;  ///< of the view, instead of the setups
    };
    void record(const QString& name, const QString& mergeKey, CompareSetup before);
    /// Returns whether a change of this key joins the last edit.
    bool joins(const QString& mergeKey) const;
    void trim();
    /// Shows another setup in the list.
    void take(CompareSetup setup);
    void goTo(const CompareSetup& setup);
    /// Makes a side active, chooses the subject, and says what is new. `rows`: the model is being reset.
    void activate(Side side, bool rows, Side referenceBefore);
    void announce(bool steps);
    Pipeline& edited() { return setup_.stepsOf(active_); }
    bool valid(int row) const { return row >= 0 && row < rowCount(); }

    const Catalog* catalog_;
    CompareSetup setup_;
    Side active_ = Side::a, subject_ = Side::b;
    std::vector<Edit> history_;  // setups are small values: snapshots are simpler than commands and cannot drift
    std::size_t position_ = 0;
    bool merging_ = false;   // between beginMerge() and endMerge()
    bool joinable_ = false;  // the last edit may still grow
    QElapsedTimer sinceEdit_;
};

}  // namespace parallax::ui
