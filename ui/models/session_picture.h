// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>

#include <filesystem>

namespace seedwave::ui {

/// The longer side of the thumbnail beside an autosaved session.
inline constexpr int kSessionPictureSide = 192;

/// Returns the path of the thumbnail. Its name has the same prefix, so that it is removed with the
/// session's other files.
[[nodiscard]] std::filesystem::path picture_beside(const std::filesystem::path& session);

/// Writes a reduced PNG, completely or not at all. A thumbnail that cannot be written is no loss.
void keep_picture(const std::filesystem::path& session, const QImage& picture);
/// Reads the thumbnail; null if there is none.
[[nodiscard]] QImage kept_picture(const std::filesystem::path& session);

}  // namespace seedwave::ui
