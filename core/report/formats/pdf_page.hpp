// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of a PDF filled from top to bottom. Private to the report library: the only header that knows cairo.
#pragma once

#include <cairo.h>

#include <string>
#include <vector>

#include "core/report/charts/drawing.hpp"
#include "core/report/charts/pictures.hpp"

namespace parallax {

/// How a piece of text looks.
struct PdfText {
    double size = 8.5;  ///< points
    bool bold = false, soft = false, bad = false, fixedWidth = false;
};

struct PdfCell {
    std::string text;
    PdfText look;
};

/// A4 upright, lengths in points, y down. Text is UTF-8; bytes that are not become '?'.
class PdfPages {
public:
    /// `pageCount`: shown as "page 1 of 3"; 0: not yet known, when they are made to be counted only. `output` is appended to.
    PdfPages(std::string* output, int pageCount, const std::string& footer);
    ~PdfPages();
    PdfPages(const PdfPages&) = delete;
    PdfPages& operator=(const PdfPages&) = delete;

    void metadata(const std::string& title, const std::string& creator, const std::string& when);
    void heading(const std::string& text, int level);  ///< 1 to 3; 1 and 2 stand in the outline
    void paragraph(const std::string& text, const PdfText& look);
    /// Columns share the width as `shares` says; a row is not broken over pages. The first row is a head, repeated on each page.
    void table(const std::vector<std::vector<PdfCell>>& rows, const std::vector<double>& shares);
    void drawing(const Drawing& drawing);
    struct Figure {
        const ReportPicture* picture;
        std::string below;
        double scale;  ///< of a difference: the bar under it; 0: none
    };
    void figures(const std::vector<Figure>& figures, int columns);
    void space(double points) { y_ += points; }

    /// Ends the document. Gives the number of its pages; throws Error(failed) when the library failed.
    int finish();

private:
    void need(double height);
    void newPage();
    void endPage();
    void use(const PdfText& look);
    double widthOf(const std::string& text);
    std::vector<std::string> wrapped(const std::string& text, double width);
    double rowHeight(const std::vector<PdfCell>& row, const std::vector<double>& widths);
    void drawRow(const std::vector<PdfCell>& row, const std::vector<double>& widths, double height);
    void show(const std::string& text, double x, double y);
    void draw(const DrawnRect& r);
    void draw(const DrawnLine& l);
    void draw(const DrawnText& t);
    double right() const;

    cairo_surface_t* surface_ = nullptr;
    cairo_t* cairo_ = nullptr;
    int pageCount_, page_ = 0;
    std::string footer_;
    double y_ = 0;
    bool finished_ = false;
};

}  // namespace parallax
