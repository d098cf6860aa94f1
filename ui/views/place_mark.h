// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>

class QPainter;

namespace seedwave::ui {

/// A small cross that leaves its middle free, in logical pixels of a view: seen on any image, white
/// on black.
void draw_place_mark(QPainter& painter, const QPointF& place);

}  // namespace seedwave::ui
