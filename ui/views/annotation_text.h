// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>

class QPainter;

namespace seedwave::ui {

/// From the edge of a view to what is written there, in logical pixels.
inline constexpr double kAnnotationMargin = 8.0;
inline const QColor kAnnotationText(0xE8, 0xE8, 0xE8);
/// What is read first: sides of the patient, thresholds.
inline const QColor kAnnotationAccent(0xFF, 0xD1, 0x66);
inline const QColor kAnnotationHalo(0, 0, 0, 220);
/// Below numbers and bars: read on a bright slide as on black air.
inline const QColor kAnnotationGround(0, 0, 0, 150);

/// Text with a dark rim, so that it can be read on bright bone as on black air.
void draw_text(QPainter& painter, const QPointF& baseline, const QString& text,
               const QColor& color);

}  // namespace seedwave::ui
