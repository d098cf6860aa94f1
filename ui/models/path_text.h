// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <filesystem>

namespace seedwave::ui {

/// File system paths are UTF-8 bytes; QString is UTF-16.
[[nodiscard]] std::filesystem::path to_path(const QString& text);
[[nodiscard]] QString to_text(const std::filesystem::path& path);

}  // namespace seedwave::ui
