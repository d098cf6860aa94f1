// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

class QWidget;

namespace seedwave::ui {

/// Shows version, purpose, licences, and the processors and OpenGL in use, to copy into a report.
void show_about(const OperationTable& table, QWidget* parent);

}  // namespace seedwave::ui
