// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave::io::dicom {

/// Adds the tags that this folder reads to DCMTK's dictionary if DCMTK has found no dictionary
/// file.
///
/// Debian's DCMTK finds its dictionary in /usr/share by an absolute path. An installed folder on
/// another machine has none, and then no element in implicit coding has a type. Called once, by
/// prepare_dcmtk.
void complete_dictionary();

}  // namespace seedwave::io::dicom
