// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave::io::dicom {

/// Teaches DCMTK the tags that this folder reads, where it has found no dictionary file.
///
/// Debian's DCMTK keeps its dictionary in /usr/share and finds it by an absolute path: an installed
/// folder on another machine has none, and without one nothing in implicit coding has a type.
/// Called once, by prepare_dcmtk.
void complete_dictionary();

}  // namespace seedwave::io::dicom
