// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcitem.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Returns whether a call of DCMTK succeeded. Throws std::bad_alloc if it ran out of memory, which
/// says nothing about the file.
[[nodiscard]] bool is_good(const OFCondition& condition);

/// Returns the value of a text element without padding, several values joined by '\'; "" if it is
/// absent.
[[nodiscard]] std::string text_of(DcmItem& item, const DcmTagKey& tag);

/// Returns the values of a text element.
[[nodiscard]] std::vector<std::string> texts_of(DcmItem& item, const DcmTagKey& tag);

/// Returns all values of a numeric element or decimal string. Returns nothing if one is not a
/// finite number or there are fewer than `least`.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(DcmItem& item, const DcmTagKey& tag,
                                                            std::size_t least);

/// Returns the first value, if it is a finite number.
[[nodiscard]] std::optional<double> number_of(DcmItem& item, const DcmTagKey& tag);

/// Returns the first value of an unsigned or signed 16-bit element or integer string.
[[nodiscard]] std::optional<std::int64_t> integer_of(DcmItem& item, const DcmTagKey& tag);

/// Returns the first item of a sequence, or null.
[[nodiscard]] DcmItem* first_item(DcmItem& item, const DcmTagKey& sequence);

/// Returns a text in the data set's character set as UTF-8.
[[nodiscard]] std::string utf8_of(DcmItem& item, const DcmTagKey& tag);

}  // namespace seedwave::io::dicom
