// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave {

/// The places at which two label maps agree and differ, and how much there is of each kind.
struct Agreement {
  /// The kinds of place, as values of the map; 0 is none.
  enum Kind : std::uint8_t { Same = 1, OnlyA = 2, OnlyB = 3, Other = 4 };

  std::int64_t same = 0;
  std::int64_t only_a = 0;
  std::int64_t only_b = 0;
  std::int64_t other = 0;
  /// u8, the kind at each voxel.
  LabelMap map;
};

/// Compares labels by their numbers, and counts voxels: with the same label in both, a label only
/// in a or only in b, or different labels. Throws InputError if the sizes differ.
[[nodiscard]] Agreement agreement(const LabelMap& a, const LabelMap& b);

/// Compares objects that two maps number independently, and counts objects.
///
/// Same: an object of a that matches one of b, with an IoU above 0.5 (ObjectScores). Other: one of
/// a without a match that shares voxels with one of b without a match, because it is split, joined
/// with others or outlined differently. OnlyA: the remaining ones of a. OnlyB: those of b without a
/// match that share no voxels with such objects of a. A voxel has the kind of the matched object
/// there, or else that of the object of a, or else that of the object of b.
///
/// The result does not depend on the number of threads. Throws InputError if the sizes differ,
/// Cancelled.
[[nodiscard]] Agreement object_agreement(const LabelMap& a, const LabelMap& b, Context& context);

}  // namespace seedwave
