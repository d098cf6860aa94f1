// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <string>
#include <vector>

class DcmItem;

namespace seedwave::io::dicom {

/// The `count` frames of a data set: place, rescale, windows and what tells each apart, from the
/// functional groups where there are any (PS3.3, C.7.6.16), else from the data set itself.
/// Many frames without functional groups give one, without a place.
/// Throws InputError when the groups describe fewer frames.
[[nodiscard]] std::vector<Frame> read_frames(DcmItem& dataset, int count,
                                             const std::string& modality,
                                             std::vector<std::string>& warnings);

}  // namespace seedwave::io::dicom
