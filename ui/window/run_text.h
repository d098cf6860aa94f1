// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/image/geometry.h"

#include <QString>

namespace seedwave::ui {

/// Returns "CPU, dijkstra: 412 ms".
[[nodiscard]] QString backend_text(const Run& run);
/// Returns the reason for the backend and the time of each stage.
[[nodiscard]] QString backend_tip(const Run& run);
/// Returns "0.70 × 0.67 × 0.67 mm", or the size in pixels.
[[nodiscard]] QString spacing_text(const Geometry& geometry);

}  // namespace seedwave::ui
