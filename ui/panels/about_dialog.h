// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

class QWidget;

namespace seedwave::ui {

/// Version, purpose, licences, and what it computes and draws on, to copy into a report.
void show_about(const OperationTable& table, QWidget* parent);

}  // namespace seedwave::ui
