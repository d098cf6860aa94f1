// SPDX-License-Identifier: Apache-2.0
#include "ui/models/scored_note.h"

#include <QCoreApplication>

namespace seedwave::ui {

QString scored_note(Scored scored) {
  return scored == Scored::Everywhere
             ? QString()
             : QCoreApplication::translate("Scored", ", where the reference has a label");
}

}  // namespace seedwave::ui
