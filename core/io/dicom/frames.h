// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <string>
#include <vector>

class DcmItem;

namespace seedwave::io::dicom {

/// Returns the `count` frames of a data set: position, rescale, windows and distinguishing
/// attributes, from the functional groups if there are any (PS3.3, C.7.6.16), else from the data
/// set itself. Many frames without functional groups give one frame, without a position.
/// Throws InputError if the groups describe fewer frames.
[[nodiscard]] std::vector<Frame> read_frames(DcmItem& dataset, int count,
                                             const std::string& modality,
                                             std::vector<std::string>& warnings);

}  // namespace seedwave::io::dicom
