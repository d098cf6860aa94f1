// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

class QWidget;

namespace seedwave::ui {

/// Version, purpose, licences, and what it computes and draws on, to copy into a report.
void show_about(const OperationTable& table, QWidget* parent);

/// What the program holds in memory, by part.
struct MemoryUse {
  double image_mb = 0.0;
  double result_mb = 0.0;
  double history_mb = 0.0;
  double process_mb = 0.0;
};
void show_memory(const MemoryUse& use, QWidget* parent);

}  // namespace seedwave::ui
