// SPDX-License-Identifier: GPL-3.0-or-later
// Items beside each other that continue on the next line where the width ends.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace parallax::ui {

class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent) : QLayout(parent) { setContentsMargins(0, 0, 0, 0); }
    void addItem(QLayoutItem* item) override { items_.emplace_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override {
        return index < 0 || index >= count() ? nullptr : items_[static_cast<std::size_t>(index)].get();
    }
    QLayoutItem* takeAt(int index) override {
        if (!itemAt(index)) return nullptr;
        const auto place = items_.begin() + index;
        QLayoutItem* item = place->release();
        items_.erase(place);
        return item;
    }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
    QSize minimumSize() const override {
        QSize size;
        for (const auto& item : items_) size = size.expandedTo(item->minimumSize());
        return size;
    }
    QSize sizeHint() const override {
        QSize size;
        for (const auto& item : items_)
            if (!item->isEmpty())
                size = {size.width() + gap() + item->sizeHint().width(), std::max(size.height(), item->sizeHint().height())};
        return size - QSize(size.isEmpty() ? 0 : gap(), 0);
    }
    void setGeometry(const QRect& area) override {
        QLayout::setGeometry(area);
        (void)arrange(area, true);
    }

private:
    int gap() const { return std::max(0, spacing()); }
    /// Returns the height that the items need in this area, and places them there if asked to.
    int arrange(const QRect& area, bool places) const {
        std::vector<QLayoutItem*> line;
        int y = area.top(), width = 0, height = 0;
        const auto finishLine = [&] {
            int x = area.left();
            for (QLayoutItem* item : line) {
                const QSize size(std::min(item->sizeHint().width(), area.width()), item->sizeHint().height());
                if (places) item->setGeometry({QPoint(x, y + (height - size.height()) / 2), size});
                x += size.width() + gap();
            }
            if (!line.empty()) y += height + gap();
            line.clear();
            width = height = 0;
        };
        for (const auto& item : items_) {
            if (item->isEmpty()) continue;  // hidden
            const QSize size = item->sizeHint();
            if (!line.empty() && width + size.width() > area.width()) finishLine();
            line.push_back(item.get());
            width += size.width() + gap();
            height = std::max(height, size.height());
        }
        finishLine();
        return std::max(0, y - gap() - area.top());
    }

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace parallax::ui
