// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>

class QPainter;

namespace seedwave::ui {

/// Draws a small cross with an open centre, in logical pixels of a view: white on black, visible on
/// any image.
void draw_place_mark(QPainter& painter, const QPointF& place);

}  // namespace seedwave::ui
