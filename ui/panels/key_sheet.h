// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/keymap.h"
#include "ui/tools/bindings.h"

#include <QDialog>

namespace seedwave::ui {

/// The F1 sheet of mouse and keys, the current tool first.
class KeySheet : public QDialog {
  Q_OBJECT

 public:
  KeySheet(const Keymap& keymap, const Bindings& bindings, Tool tool, const QString& tool_name,
           QWidget* parent = nullptr);
};

/// Returns the sheet as HTML, for tests and printing.
[[nodiscard]] QString key_sheet_html(const Keymap& keymap, const Bindings& bindings, Tool tool,
                                     const QString& tool_name);

}  // namespace seedwave::ui
