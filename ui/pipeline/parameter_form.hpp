// SPDX-License-Identifier: GPL-3.0-or-later
// Controls for one step, made from the table of its parameters: whatever an operation describes appears here.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/models/pipeline/pipeline_model.hpp"

class QGridLayout;

namespace parallax::ui {

/// One parameter: shows a value, reports changes by a person.
class ParameterEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void setValue(const ParameterValue& value) = 0;
    /// Reports at once what was typed and not yet reported.
    virtual void commit() {}
    /// Steps go past values that this refuses, as even sizes of a kernel that needs a centre. Typed ones are taken as they are.
    virtual void setAccepts(std::function<bool(const ParameterValue&)>) {}
    /// Is a pixel waited for that gives the value?
    virtual void setPicking(bool) {}
signals:
    /// A pixel should give the value, or no longer.
    void pickRequested(bool wanted);
    void valueEdited(const parallax::ParameterValue& value);
    /// Edits from here until editingEnded() are one change: a drag, a dialog.
    void editingBegun();
    void editingEnded();
};

/// The editor for a kind of parameter; its object name is the parameter's key.
ParameterEditor* makeParameterEditor(const ParameterInfo& info, QWidget* parent);

class ParameterForm : public QWidget {
    Q_OBJECT
public:
    explicit ParameterForm(PipelineModel& model, QWidget* parent = nullptr);
    /// -1: nothing.
    void setRow(int row);
    int row() const { return row_; }
    ParameterEditor* editor(const std::string& key) const;

signals:
    /// A value was refused.
    void refused(const QString& what);
    /// A pixel should give the value of this parameter, or no longer.
    void pickRequested(const std::string& key, bool wanted);

private:
    struct Line {
        std::string key;
        QWidget* label;
        ParameterEditor* editor;
        QWidget* reset;
    };
    void rebuild();
    void refresh();
    void edit(const std::string& key, const ParameterValue& value);
    /// Would the operation take it?
    bool accepts(const std::string& key, const ParameterValue& value) const;

    PipelineModel& model_;
    QGridLayout* grid_;
    const Operation* operation_ = nullptr;
    std::vector<Line> lines_;
    int row_ = -1;
};

}  // namespace parallax::ui
