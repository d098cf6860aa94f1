// SPDX-License-Identifier: Apache-2.0
#include "ui/models/path_text.h"

namespace seedwave::ui {

std::filesystem::path to_path(const QString& text) {
  return {text.toStdString()};
}

QString to_text(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace seedwave::ui
