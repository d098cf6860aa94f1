// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>

class QPainter;

namespace seedwave::ui {

/// Margin between the edge of a view and its texts, in logical pixels.
inline constexpr double kAnnotationMargin = 8.0;
inline const QColor kAnnotationText(0xE8, 0xE8, 0xE8);
/// Colour of the texts to read first: sides of the patient, thresholds.
inline const QColor kAnnotationAccent(0xFF, 0xD1, 0x66);
inline const QColor kAnnotationHalo(0, 0, 0, 220);
/// Background of numbers and bars: readable on a bright slide and on black air.
inline const QColor kAnnotationGround(0, 0, 0, 150);

/// Draws text with a dark outline, readable on bright bone and on black air.
void draw_text(QPainter& painter, const QPointF& baseline, const QString& text,
               const QColor& color);

}  // namespace seedwave::ui
