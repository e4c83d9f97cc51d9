// SPDX-License-Identifier: GPL-3.0-or-later
// Form for the parameters of one step, generated from the table of its operation.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/pipeline/value_scale.hpp"

class QGridLayout;

namespace parallax::ui {

/// Editor of one parameter: shows a value and reports edits.
class ParameterEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void setValue(const ParameterValue& value) = 0;
    /// Reports pending edits immediately.
    virtual void commit() {}
    /// Steps skip values that this refuses, such as even kernel sizes. Typed values are not changed.
    virtual void setAccepts(std::function<bool(const ParameterValue&)>) {}
    /// Places the name and the reset button in a line of its own; returns false if it has none.
    virtual bool takeLine(QWidget* /*label*/, QWidget* /*reset*/) { return false; }
    /// Sets the magnitudes of the open image, which bound sliders.
    virtual void setValueScale(const ValueScale&) {}
    /// Sets the open image, whose values the parameter refers to.
    virtual void setImage(const ImagePtr&) {}
    /// Sets the operation, whose presets an editor may offer.
    virtual void setOperation(const Operation&) {}
    /// Shows whether a pixel is being picked.
    virtual void setPicking(bool) {}
signals:
    /// Starts or ends picking the value from a pixel.
    void pickRequested(bool wanted);
    void valueEdited(const parallax::ParameterValue& value);
    /// Edits from here until editingEnded() are one change: a drag, a dialog.
    void editingBegun();
    void editingEnded();
    /// Asks for the default value.
    void resetRequested();
};

/// Creates the editor of a parameter; its object name is the key.
ParameterEditor* makeParameterEditor(const ParameterInfo& info, QWidget* parent);

class ParameterForm : public QWidget {
    Q_OBJECT
public:
    explicit ParameterForm(PipelineModel& model, QWidget* parent = nullptr);
    /// -1: nothing.
    void setRow(int row);
    int row() const { return row_; }
    ParameterEditor* editor(const std::string& key) const;
    void setValueScale(const ValueScale& image);
    void setImage(const ImagePtr& image);

signals:
    /// A value was refused.
    void refused(const QString& what);
    /// Starts or ends picking this parameter from a pixel.
    void pickRequested(const std::string& key, bool wanted);
    /// Asks for a contact sheet of a parameter.
    void sheetRequested(int row, const std::string& key);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

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
    /// Whether the shown step exists. While the model takes steps away, editors may still ask about one.
    bool hasStep() const;
    /// Returns whether the operation accepts the value.
    bool accepts(const std::string& key, const ParameterValue& value) const;

    PipelineModel& model_;
    QGridLayout* grid_;
    const Operation* operation_ = nullptr;
    std::vector<Line> lines_;
    ValueScale scale_;
    ImagePtr image_;
    int row_ = -1;
};

}  // namespace parallax::ui
