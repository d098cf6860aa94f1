// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>

#include <filesystem>

namespace seedwave::ui {

/// The longer side of the picture that is kept beside a session which was saved aside.
inline constexpr int kSessionPictureSide = 192;

/// Where that picture lies: removed with the session's other files, because its name begins alike.
[[nodiscard]] std::filesystem::path picture_beside(const std::filesystem::path& session);

/// Writes it small, as PNG, whole or not at all. A picture that cannot be written is no loss.
void keep_picture(const std::filesystem::path& session, const QImage& picture);
/// Null where there is none that can be read.
[[nodiscard]] QImage kept_picture(const std::filesystem::path& session);

}  // namespace seedwave::ui
