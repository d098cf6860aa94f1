// SPDX-License-Identifier: Apache-2.0
#include "core/image/edits.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace seedwave {
namespace {

/// Writes runs over labels; `none` stands for kFixedAsNone.
template <LabelType T>
void write(const FixedVoxels& fixed, T none, std::vector<T>& labels) {
  fixed.for_each([&](const LabelRun& run) {
    const T label = run.label == kFixedAsNone ? none : static_cast<T>(run.label);
    std::fill(labels.begin() + run.begin, labels.begin() + run.end, label);
  });
}

/// The label of a voxel below edits that drew `drawn` there.
Label label_at(const LabelMap& labels, const Edits& edits, Label drawn, std::int64_t offset) {
  for (const auto& [label, voxels] : edits.locked) {
    if (voxels.at(offset) != 0) return label;
  }
  if (drawn != 0) return drawn == kFixedAsNone ? 0 : drawn;
  const Label below = labels.labels()[static_cast<std::size_t>(offset)];
  return below != 0 && edits.is_locked(below) ? 0 : below;
}

/// Returns a copy of labels, in a type that holds `most` too, after write(labels).
template <typename Write>
LabelMap rewritten(const LabelMap& labels, Label most, const Write& write) {
  return visit_labels(labels.labels(), [&](auto from) {
    using T = std::remove_const_t<typename decltype(from)::element_type>;
    if (most > std::numeric_limits<T>::max()) {
      return make_labels(labels.geometry(), most, [&](auto& to) {
        std::copy(from.begin(), from.end(), to.begin());
        write(to);
      });
    }
    std::vector<T> to = large_copy(from);
    write(to);
    return LabelMap(labels.geometry(), std::move(to));
  });
}

/// Extends a box by the voxels of a run.
void include(const LabelRun& run, const Geometry& grid, Box& box) {
  const Index3 first = grid.index_of(run.begin);
  const Index3 last = grid.index_of(run.end - 1);
  box.include(first);
  box.include(last);
  // A run beyond the end of a row, or of a slice, holds parts of all rows or slices between.
  if (first[1] != last[1] || first[2] != last[2]) {
    box.lo[0] = 0;
    box.hi[0] = grid.size[0];
  }
  if (first[2] != last[2]) {
    box.lo[1] = 0;
    box.hi[1] = grid.size[1];
  }
}

Label largest_in(const FixedVoxels& fixed) {
  Label largest = 0;
  fixed.for_each([&largest](const LabelRun& run) {
    if (run.label != kFixedAsNone) largest = std::max(largest, run.label);
  });
  return largest;
}

/// Calls visit(LabelRun) with the runs of a map that are not 0.
template <typename Visit>
void for_each_run(const LabelMap& map, Visit&& visit) {
  visit_labels(map.labels(), [&](auto labels) {
    const std::int64_t size = std::ssize(labels);
    for (std::int64_t at = 0; at < size;) {
      const std::int64_t begin = at;
      const auto label = labels[static_cast<std::size_t>(at)];
      while (at < size && labels[static_cast<std::size_t>(at)] == label)
        ++at;
      if (label != 0) visit(LabelRun{begin, at, label});
    }
  });
}

FixedVoxels cropped(const FixedVoxels& fixed, const Index3& size, const Box& box) {
  Geometry from;
  from.size = size;
  Geometry to;
  for (int axis = 0; axis < 3; ++axis)
    to.size[axis] = box.hi[axis] - box.lo[axis];
  std::vector<LabelRun> kept;
  fixed.for_each([&](const LabelRun& run) {
    for (std::int64_t begin = run.begin; begin < run.end;) {
      // The part of the run in one row.
      const Index3 first = from.index_of(begin);
      const std::int64_t end = std::min(run.end, begin - first[0] + size[0]);
      const std::int64_t low = std::max(first[0], box.lo[0]);
      const std::int64_t high = std::min(first[0] + end - begin, box.hi[0]);
      const bool inside = low < high && first[1] >= box.lo[1] && first[1] < box.hi[1] &&
                          first[2] >= box.lo[2] && first[2] < box.hi[2];
      if (inside) {
        const std::int64_t at =
            to.offset({low - box.lo[0], first[1] - box.lo[1], first[2] - box.lo[2]});
        kept.push_back({at, at + high - low, run.label});
      }
      begin = end;
    }
  });
  return FixedVoxels(kept);
}

}  // namespace

LabelMap with_edits(const LabelMap& labels, const Edits& edits) {
  if (edits.empty() || labels.empty()) return labels;
  require(edits.size == labels.geometry().size);
  Label most = largest_in(edits.drawn);
  if (!edits.locked.empty()) most = std::max(most, edits.locked.rbegin()->first);
  const LabelMap edited = rewritten(labels, most, [&](auto& to) {
    using T = typename std::decay_t<decltype(to)>::value_type;
    if (!edits.locked.empty()) {
      std::replace_if(
          to.begin(), to.end(), [&](T label) { return label != 0 && edits.is_locked(label); },
          T{0});
    }
    write(edits.drawn, T{0}, to);
    for (const auto& [label, voxels] : edits.locked)
      write(voxels, T{0}, to);
  });
  return edited.with_changed(labels.changed());
}

std::optional<Label> LabelPatch::at(std::int64_t offset) const {
  const auto found =
      std::lower_bound(runs.begin(), runs.end(), offset,
                       [](const LabelRun& run, std::int64_t wanted) { return run.end <= wanted; });
  if (found == runs.end() || found->begin > offset) return {};
  return found->label;
}

std::optional<LabelPatch> patch_between(const LabelMap& labels, const Edits& before,
                                        const Edits& edits, std::int64_t most) {
  if (edits.locked != before.locked || labels.empty()) return {};
  LabelPatch patch;
  Box box{labels.geometry().size, {0, 0, 0}};
  for (const LabelRun& run : edits.drawn.differences_from(before.drawn)) {
    most -= run.end - run.begin;
    if (most < 0) return {};
    include(run, labels.geometry(), box);
    for (std::int64_t at = run.begin; at < run.end; ++at) {
      const Label label = label_at(labels, edits, run.label, at);
      std::vector<LabelRun>& runs = patch.runs;
      if (runs.empty() || runs.back().end != at || runs.back().label != label)
        runs.push_back({at, at, label});
      ++runs.back().end;
    }
  }
  if (!patch.runs.empty()) patch.box = box;
  return patch;
}

LabelMap with_patch(const LabelMap& map, const LabelPatch& patch) {
  Label most = 0;
  for (const LabelRun& run : patch.runs)
    most = std::max(most, run.label);
  const LabelMap patched = rewritten(map, most, [&patch](auto& to) {
    using T = typename std::decay_t<decltype(to)>::value_type;
    for (const LabelRun& run : patch.runs)
      std::fill(to.begin() + run.begin, to.begin() + run.end, static_cast<T>(run.label));
  });
  return patched.with_changed(patch.box);
}

LabelMap with_edits(const LabelMap& labels, const Edits& edits, const LabelMap& shown,
                    const Edits& before) {
  const std::optional<LabelPatch> patch = patch_between(labels, before, edits);
  if (patch) return with_patch(shown, *patch);
  return with_edits(labels, edits).with_changed(Box::whole(labels.geometry()));
}

FixedVoxels voxels_of(const LabelMap& labels, Label label) {
  std::vector<LabelRun> runs;
  for_each_run(labels, [&](const LabelRun& run) {
    if (run.label == label) runs.push_back(run);
  });
  return FixedVoxels(runs);
}

LabelMap as_labels(const Edits& edits, const Geometry& geometry) {
  require(edits.empty() || edits.size == geometry.size);
  std::vector<std::uint32_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  write(edits.drawn, kFixedAsNone, labels);
  for (const auto& [label, voxels] : edits.locked)
    write(voxels, kFixedAsNone, labels);
  return {geometry, std::move(labels)};
}

Edits edits_from(const LabelMap& labels, const std::set<Label>& locked, const std::string& what) {
  std::vector<LabelRun> drawn;
  std::map<Label, std::vector<LabelRun>> of_locked;
  for (const Label label : locked)
    of_locked[label];
  for_each_run(labels, [&](const LabelRun& run) {
    if (run.label > kLargestLabel && run.label != kFixedAsNone) {
      throw InputError(what + " holds label " + std::to_string(run.label) +
                       ": edits have labels up to " + std::to_string(kLargestLabel) + ", and " +
                       std::to_string(kFixedAsNone) + " for voxels fixed as none");
    }
    (locked.contains(run.label) ? of_locked[run.label] : drawn).push_back(run);
  });
  Edits edits{.size = labels.geometry().size, .drawn = FixedVoxels(drawn), .locked = {}};
  for (const auto& [label, runs] : of_locked)
    edits.locked[label] = FixedVoxels(runs);
  return edits;
}

Edits cropped(const Edits& edits, const Box& box) {
  if (edits.empty()) return edits;
  Edits part;
  for (int axis = 0; axis < 3; ++axis)
    part.size[axis] = box.hi[axis] - box.lo[axis];
  part.drawn = cropped(edits.drawn, edits.size, box);
  for (const auto& [label, voxels] : edits.locked)
    part.locked[label] = cropped(voxels, edits.size, box);
  return part;
}

}  // namespace seedwave
