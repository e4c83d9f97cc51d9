// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of volume rendering. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"

namespace parallax {

enum class RenderMode { maximum, minimum, mean, surface, transfer };
/// The axes of the volume that point to the right and up (xy: down) in the picture before the camera is turned.
enum class RenderView { xy, xz, yz };

struct RenderParameters {
    RenderMode mode = RenderMode::maximum;
    double threshold = 0.5;                           ///< of surface
    std::string curve = "0:0:#000000 1:0.1:#ffffff";  ///< of transfer: see transfer_curve.hpp
    bool shading = true;                              ///< of transfer
    RenderView view = RenderView::xy;
    double azimuth = 0, elevation = 0, roll = 0;  ///< degrees
    double zoom = 1;
    double panX = 0, panY = 0;      ///< shares of the picture's width and height
    double fieldOfView = 0;         ///< degrees; 0: parallel rays
    double step = 1;                ///< in units of the finest spacing
    int width = 0, height = 0;      ///< pixels; 0: from the volume
    double clipX0 = 0, clipX1 = 1;  ///< shares of the volume's extent
    double clipY0 = 0, clipY1 = 1;
    double clipZ0 = 0, clipZ1 = 1;
};

const ParameterTable<RenderParameters>& renderParameterTable();

}  // namespace parallax
