// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/stacks.h"

#include "core/image/vec3.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace seedwave::io::dicom {
namespace {

/// Tolerance of direction cosines in one stack (files round to four digits or more).
constexpr double kSameCosine = 1e-3;
/// Tolerance of pixel spacings, as a share.
constexpr double kSameSpacing = 1e-4;
/// Slices closer than this share of a pixel are at one position.
constexpr double kSamePlace = 1e-2;

auto order_of(const Slice& slice) {
  const Header& h = *slice.header;
  return std::tie(h.study_uid, h.series_number, h.series_uid, slice.get().instance, slice.frame,
                  h.instance_uid, h.file);
}

bool has_geometry(const Frame& frame) {
  return frame.position && frame.orientation && frame.pixel_spacing;
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

bool same_orientation(const Frame& a, const Frame& b) {
  for (int axis = 0; axis < 2; ++axis) {
    for (int i = 0; i < 3; ++i) {
      if (!near((*a.orientation)[axis][i], (*b.orientation)[axis][i], kSameCosine)) return false;
    }
  }
  return true;
}

bool same_spacing(const Frame& a, const Frame& b) {
  for (int i = 0; i < 2; ++i) {
    const double x = (*a.pixel_spacing)[i];
    if (!near(x, (*b.pixel_spacing)[i], kSameSpacing * x)) return false;
  }
  return true;
}

bool belongs(const Slice& slice, const Slice& first) {
  const Header& a = *slice.header;
  const Header& b = *first.header;
  return a.study_uid == b.study_uid && a.series_uid == b.series_uid && a.modality == b.modality &&
         a.layout.columns == b.layout.columns && a.layout.rows == b.layout.rows &&
         a.layout.components() == b.layout.components() &&
         (a.layout.photometric == Photometric::Monochrome1) ==
             (b.layout.photometric == Photometric::Monochrome1) &&
         slice.get().kind == first.get().kind && same_orientation(slice.get(), first.get()) &&
         same_spacing(slice.get(), first.get());
}

/// Returns how many slices of a sorted stack share the most crowded position.
std::size_t crowding(const std::vector<Slice>& slices, const Vec3& normal) {
  const auto& spacing = *slices.front().get().pixel_spacing;
  const double tolerance = kSamePlace * std::min(spacing[0], spacing[1]);
  std::size_t most = 0;
  std::size_t here = 0;
  double last = 0;
  for (const Slice& slice : slices) {
    const double place = place_along(slice.get(), normal);
    here = here > 0 && near(place, last, tolerance) ? here + 1 : 1;
    last = place;
    most = std::max(most, here);
  }
  return most;
}

void sort_by_place(std::vector<Slice>& slices, const Vec3& normal) {
  // Already in canonical order, which equal positions keep.
  std::stable_sort(slices.begin(), slices.end(), [&](const Slice& a, const Slice& b) {
    return place_along(a.get(), normal) < place_along(b.get(), normal);
  });
}

using Parts = std::map<std::string, std::vector<Slice>>;

Parts split_by(const std::vector<Slice>& slices, std::size_t discriminator) {
  Parts parts;
  for (const Slice& slice : slices) {
    parts[slice.get().discriminators[discriminator].value].push_back(slice);
  }
  return parts;
}

bool clears(const Parts& parts, const Vec3& normal) {
  return parts.size() > 1 && std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
           return crowding(part.second, normal) == 1;
         });
}

/// Returns the parts in the order in which they are listed: by their first slice's canonical order
/// (mostly time).
std::vector<std::vector<Slice>> in_order(Parts parts) {
  std::vector<std::vector<Slice>> ordered;
  for (auto& part : parts)
    ordered.push_back(std::move(part.second));
  const auto first = [](const std::vector<Slice>& part) {
    return *std::min_element(part.begin(), part.end(), [](const Slice& a, const Slice& b) {
      return order_of(a) < order_of(b);
    });
  };
  std::sort(ordered.begin(), ordered.end(),
            [&](const auto& a, const auto& b) { return order_of(first(a)) < order_of(first(b)); });
  return ordered;
}

std::string numbered(const std::string& what, std::size_t number, std::size_t count) {
  return what + " " + std::to_string(number) + " of " + std::to_string(count);
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + ", " + b;
}

/// Returns the first discriminator that puts every slice at one position into another part. One
/// that gives exactly as many parts as slices share a position is preferred to one that gives more.
std::optional<std::size_t> clearing_discriminator(const std::vector<Slice>& slices,
                                                  const Vec3& normal, std::size_t most) {
  const std::size_t count = slices.front().get().discriminators.size();
  for (const bool exact : {true, false}) {
    for (std::size_t d = 0; d < count; ++d) {
      const Parts parts = split_by(slices, d);
      const bool plausible = exact ? parts.size() == most : 2 * parts.size() <= slices.size();
      if (plausible && clears(parts, normal)) return d;
    }
  }
  return std::nullopt;
}

/// Returns the first discriminator that at least reduces the crowding, for a second round.
std::optional<std::size_t> thinning_discriminator(const std::vector<Slice>& slices,
                                                  const Vec3& normal, std::size_t most) {
  for (std::size_t d = 0; d < slices.front().get().discriminators.size(); ++d) {
    const Parts parts = split_by(slices, d);
    if (parts.size() < 2 || 2 * parts.size() > slices.size()) continue;
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const auto& part) { return crowding(part.second, normal) < most; })) {
      return d;
    }
  }
  return std::nullopt;
}

/// The last resort: one part for the first slices at every position, one for the second ones, and
/// so on.
void split_by_occurrence(const Stack& stack, const Vec3& normal, std::size_t most,
                         std::vector<Stack>& result) {
  const auto& spacing = *stack.slices.front().get().pixel_spacing;
  const double tolerance = kSamePlace * std::min(spacing[0], spacing[1]);
  std::vector<Stack> parts(most);
  std::size_t here = 0;
  double last = 0;
  for (std::size_t i = 0; i < stack.slices.size(); ++i) {
    const double place = place_along(stack.slices[i].get(), normal);
    here = i > 0 && near(place, last, tolerance) ? here + 1 : 0;
    last = place;
    parts[here].slices.push_back(stack.slices[i]);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].has_geometry = true;
    parts[i].name = joined(stack.name, numbered("pass", i + 1, most));
    parts[i].warnings = {
        "up to " + std::to_string(most) +
        " slices lie at one position and differ only in their number: they are assumed to be " +
        std::to_string(most) + " successive passes"};
    result.push_back(std::move(parts[i]));
  }
}

void split_clashes(Stack stack, std::vector<Stack>& result) {
  const Vec3 normal = normal_of(stack.slices.front().get());
  sort_by_place(stack.slices, normal);
  const std::size_t most = crowding(stack.slices, normal);
  if (most == 1) {
    result.push_back(std::move(stack));
    return;
  }
  std::optional<std::size_t> by = clearing_discriminator(stack.slices, normal, most);
  if (!by) by = thinning_discriminator(stack.slices, normal, most);
  if (!by) {
    split_by_occurrence(stack, normal, most, result);
    return;
  }
  const char* const name = stack.slices.front().get().discriminators[*by].name;
  std::vector<std::vector<Slice>> parts = in_order(split_by(stack.slices, *by));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Stack part;
    part.has_geometry = true;
    part.name = joined(stack.name, numbered(name, i + 1, parts.size()));
    part.slices = std::move(parts[i]);
    split_clashes(std::move(part), result);
  }
}

/// Returns all slices in canonical order, each image once.
std::vector<Slice> unique_slices(const std::vector<std::shared_ptr<const Header>>& headers,
                                 std::vector<Copy>& copies) {
  std::vector<std::shared_ptr<const Header>> sorted = headers;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return order_of(Slice{a, 0}) < order_of(Slice{b, 0});
  });
  // Some tools give one UID to many images: a copy also has the same number and position.
  using Identity = std::tuple<std::string, std::string, std::int64_t, Vec3, std::size_t, int, int>;
  std::map<Identity, std::filesystem::path> seen;
  std::vector<Slice> slices;
  for (const auto& header : sorted) {
    const Frame& frame = header->frames.front();
    const Identity identity{header->series_uid,    header->instance_uid,
                            frame.instance,        frame.position.value_or(Vec3{}),
                            header->frames.size(), header->layout.rows,
                            header->layout.columns};
    const auto [found, is_new] = seen.emplace(identity, header->file);
    if (!is_new && !header->instance_uid.empty()) {
      copies.push_back({header->file, found->second});
      continue;
    }
    for (int i = 0; i < static_cast<int>(header->frames.size()); ++i)
      slices.push_back({header, i});
  }
  return slices;
}

/// Names the parts of a series that differ in kind, size or orientation.
void name_parts(std::vector<Stack>& stacks) {
  std::map<std::pair<std::string, std::string>, std::vector<Stack*>> series;
  for (Stack& stack : stacks) {
    const Header& header = *stack.slices.front().header;
    if (!header.series_uid.empty()) series[{header.study_uid, header.series_uid}].push_back(&stack);
  }
  for (auto& [uid, parts] : series) {
    if (parts.size() < 2) continue;
    std::set<std::string> kinds;
    for (const Stack* part : parts)
      kinds.insert(part->slices.front().get().kind);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string& kind = parts[i]->slices.front().get().kind;
      parts[i]->name = kinds.size() == parts.size() && !kind.empty()
                           ? kind
                           : joined(kind, numbered("part", i + 1, parts.size()));
    }
  }
}

}  // namespace

Vec3 normal_of(const Frame& frame) {
  const auto& [row, column] = *frame.orientation;
  return cross(row, column);
}

double place_along(const Frame& frame, const Vec3& normal) {
  return dot(*frame.position, normal);
}

Grouping group_slices(const std::vector<std::shared_ptr<const Header>>& headers) {
  Grouping grouping;
  std::vector<Stack> whole;
  // Only the stacks of the same series are candidates, so that many series cost no more.
  std::map<std::tuple<std::string, std::string>, std::vector<std::size_t>> of_series;
  for (const Slice& slice : unique_slices(headers, grouping.copies)) {
    if (!has_geometry(slice.get())) {
      // Only the first frame is shown of a film, or of an enhanced file without positions.
      if (slice.frame == 0) whole.push_back({{slice}, false, {}, {}});
      continue;
    }
    auto& candidates = of_series[{slice.header->study_uid, slice.header->series_uid}];
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](std::size_t i) {
      return belongs(slice, whole[i].slices.front());
    });
    if (found != candidates.end()) {
      whole[*found].slices.push_back(slice);
    } else {
      candidates.push_back(whole.size());
      whole.push_back({{slice}, true, {}, {}});
    }
  }
  name_parts(whole);
  for (Stack& stack : whole) {
    if (stack.has_geometry) {
      split_clashes(std::move(stack), grouping.stacks);
    } else {
      grouping.stacks.push_back(std::move(stack));
    }
  }
  return grouping;
}

}  // namespace seedwave::io::dicom
