// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/slice_picture.h"
#include "ui/views/slice_state.h"

#include <QImage>
#include <QSize>

#include <cstddef>
#include <map>

namespace seedwave::ui {

/// Returns the whole of a 2-D image with its other channels, fitted into `size` device pixels, as a
/// view with that display shows it.
[[nodiscard]] QImage whole_picture(const PictureVolumes& image,
                                   const std::map<std::size_t, PictureVolumes>& channels,
                                   const DisplayState& display, const QSize& size, double ratio);

}  // namespace seedwave::ui
