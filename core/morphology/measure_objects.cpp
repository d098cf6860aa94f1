// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/measure_objects.h"

#include "core/morphology/convex_hull.h"
#include "core/morphology/nearest_points.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace seedwave {
namespace {

constexpr std::uint32_t kNoObject = std::numeric_limits<std::uint32_t>::max();

/// A run of an object in a row.
struct ObjectRun {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t object = kNoObject;
  std::uint32_t part = 0;  // of its strip
};
using ObjectRow = std::vector<ObjectRun>;

/// Two objects that touch, as one number that orders pairs.
using TouchingPair = std::uint64_t;

void note_pair(std::uint32_t a, std::uint32_t b, std::vector<TouchingPair>& pairs) {
  const TouchingPair pair = TouchingPair{std::min(a, b)} << 32 | std::max(a, b);
  if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
}

void sort_pairs(std::vector<TouchingPair>& pairs) {
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// Number of cells of a run that have a cell of another, moved by `step`, above them.
std::int64_t cells_below(const ObjectRun& run, const ObjectRun& above, std::int64_t step) {
  return std::max<std::int64_t>(
      0, std::min(run.end, above.end + step) - std::max(run.begin, above.begin + step));
}

/// Calls meet(run, above) for runs of two rows that touch, also at corners.
template <typename Meet>
void for_meeting(std::span<const ObjectRun> row, std::span<const ObjectRun> above, Meet&& meet) {
  std::size_t first = 0;
  for (const ObjectRun& run : row) {
    while (first < above.size() && above[first].end < run.begin)
      ++first;
    for (std::size_t k = first; k < above.size() && above[k].begin <= run.end; ++k)
      meet(run, above[k]);
  }
}

/// The way back to a row that holds neighbours of a row's voxels.
struct RowStep {
  std::int64_t rows = 0;
  std::int64_t slices = 0;
  /// Voxels of both rows share faces.
  bool faces = false;
  /// The first of its three directions in line_directions(): straight, and to both sides.
  std::size_t directions = 0;
};

/// The first is that of the plane.
constexpr std::array<RowStep, 4> kRowSteps{
    {{1, 0, true, 1}, {0, 1, true, 4}, {1, 1, false, 7}, {-1, 1, false, 10}}};

/// Finds the neighbours of a row's runs in another row: pairs of objects that touch, and the pairs
/// of cells within objects, which are added to shape_of(run).
template <typename ShapeOf>
void join_rows(std::span<const ObjectRun> row, std::span<const ObjectRun> above,
               const RowStep& step, std::vector<TouchingPair>& touching, ShapeOf&& shape_of) {
  for_meeting(row, above, [&](const ObjectRun& run, const ObjectRun& other) {
    if (run.object != other.object) {
      if (step.faces && cells_below(run, other, 0) > 0)
        note_pair(run.object, other.object, touching);
    } else {
      const auto pairs = std::span(shape_of(run).pairs).subspan(step.directions, 3);
      pairs[0] += cells_below(run, other, 0);
      pairs[1] += cells_below(run, other, 1);
      pairs[2] += cells_below(run, other, -1);
    }
  });
}

/// The sums over the voxels of a part in a strip.
struct PartSums {
  std::uint32_t object = kNoObject;
  std::int64_t voxels = 0;
  ShapeSums shape;
  ObjectShape::Hull hull;       // if the part is a whole object
  std::vector<Corner> corners;  // else those of its hull
};

/// The cells between the first and last ones of a part in a row.
struct RowExtent {
  std::int64_t row = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The extents of a strip's parts: those of part i are firsts[i] .. ends[i] - 1, in order of rows.
struct PartExtents {
  std::vector<RowExtent> extents;
  std::vector<std::size_t> firsts;
  std::vector<std::size_t> ends;

  [[nodiscard]] std::span<const RowExtent> of(std::size_t part) const {
    return std::span(extents).subspan(firsts[part], ends[part] - firsts[part]);
  }
};

PartExtents extents_of(const PartStrip& strip) {
  PartExtents found;
  found.firsts.resize(strip.numbers.size() + 1);
  for (const PartRun& run : strip.runs)
    ++found.firsts[run.part + 1];
  for (std::size_t part = 0; part < strip.numbers.size(); ++part)
    found.firsts[part + 1] += found.firsts[part];
  found.extents.resize(strip.runs.size());
  found.ends = found.firsts;
  for (std::int64_t i = 0; i < strip.rows(); ++i) {
    const std::int64_t row = strip.first_row + i;
    for (const PartRun& run : strip.row(i)) {
      std::size_t& end = found.ends[run.part];
      if (end > found.firsts[run.part] && found.extents[end - 1].row == row) {
        found.extents[end - 1].end = run.end;
      } else {
        found.extents[end++] = {.row = row, .begin = run.begin, .end = run.end};
      }
    }
  }
  return found;
}

/// Overwrites `corners` with the corners of rows of cells, sorted as reduce_to_hull() likes them.
void list_corners(std::span<const RowExtent> extents, std::vector<Corner>& corners) {
  corners.clear();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const RowExtent& extent = extents[i];
    const bool follows = i > 0 && extents[i - 1].row + 1 == extent.row;
    const std::int64_t begin = follows ? extents[i - 1].begin : extent.begin;
    const std::int64_t end = follows ? extents[i - 1].end : extent.end;
    if (follows) corners.resize(corners.size() - 2);
    corners.push_back({std::min(begin, extent.begin), extent.row});
    corners.push_back({std::max(end, extent.end), extent.row});
    corners.push_back({extent.begin, extent.row + 1});
    corners.push_back({extent.end, extent.row + 1});
  }
}

struct StripSums {
  std::vector<PartSums> parts;
  std::vector<IntensitySums> intensities;  // by part, then channel
  std::vector<TouchingPair> touching;
  /// The rows that have neighbours in the strips before and behind: a row, or a slice of a volume.
  std::vector<ObjectRow> first_rows;
  std::vector<ObjectRow> last_rows;
};

/// Corners of an object whose strips have not all been visited.
struct OpenHull {
  std::int64_t voxels = 0;
  std::vector<Corner> corners;
  std::size_t reduced = 0;  // number of corners that are known to be those of a hull
};

/// Adds up the strips of a map.
class ObjectMeasurement {
 public:
  /// `channels` must outlive this.
  ObjectMeasurement(const Geometry& geometry, const MeasuredChannels& channels)
      : geometry_(geometry), channels_(channels) {}

  /// Numbers the objects of the parts.
  void begin(const std::vector<ConnectedPart>& parts, ObjectsAre are);
  /// Sums up a strip; any thread may do that.
  [[nodiscard]] StripSums sums_of(const PartStrip& strip) const;
  /// Adds the next strip.
  void append(StripSums& strip);
  [[nodiscard]] MeasuredObjects finish(Context& context);

 private:
  [[nodiscard]] std::int64_t outer_rows() const {
    return geometry_.is_2d() ? 1 : geometry_.size[1];
  }
  [[nodiscard]] std::span<const RowStep> row_steps() const {
    return std::span(kRowSteps).first(geometry_.is_2d() ? 1 : kRowSteps.size());
  }
  [[nodiscard]] ObjectRow object_row(const PartStrip& strip, std::int64_t row,
                                     std::span<const PartSums> parts) const;
  void add_row(std::int64_t row, const ObjectRow& runs, StripSums& strip) const;
  void join_within(std::int64_t first_row, std::span<const ObjectRow> rows, StripSums& sums) const;
  void join_with_strip_before(std::span<const ObjectRow> rows);
  void add_hulls(const PartStrip& strip, StripSums& sums) const;
  [[nodiscard]] bool is_whole(const PartSums& part) const {
    return part.voxels == result_.objects[part.object].voxels;
  }
  void extend_hull(const PartSums& part);
  void count_neighbours();

  Geometry geometry_;
  const MeasuredChannels& channels_;
  std::vector<std::uint32_t> object_of_;  // by part
  MeasuredObjects result_;
  std::vector<ShapeSums> shapes_;           // by object
  std::vector<IntensitySums> intensities_;  // by object, then channel
  std::vector<TouchingPair> touching_;
  std::unordered_map<std::uint32_t, OpenHull> open_;
  std::vector<ObjectRow> rows_before_;  // the last ones of the strip before
};

void ObjectMeasurement::begin(const std::vector<ConnectedPart>& parts, ObjectsAre are) {
  result_.objects = are == ObjectsAre::Labels ? joined_by_label(parts) : parts;
  object_of_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto object = [&] {
      return std::ranges::lower_bound(result_.objects, parts[i].label, {}, &ConnectedPart::label) -
             result_.objects.begin();
    };
    object_of_[i] = static_cast<std::uint32_t>(
        are == ObjectsAre::Labels ? object() : static_cast<std::ptrdiff_t>(i));
  }
  const std::size_t count = result_.objects.size();
  shapes_.resize(count);
  result_.shapes.resize(count);
  result_.channels = channels_.ids();
  intensities_.resize(count * channels_.ids().size());
}

/// Returns the runs of a row that belong to objects.
ObjectRow ObjectMeasurement::object_row(const PartStrip& strip, std::int64_t row,
                                        std::span<const PartSums> parts) const {
  ObjectRow runs;
  for (const PartRun& run : strip.row(row)) {
    const std::uint32_t object = parts[run.part].object;
    if (object != kNoObject)
      runs.push_back({.begin = run.begin, .end = run.end, .object = object, .part = run.part});
  }
  return runs;
}

StripSums ObjectMeasurement::sums_of(const PartStrip& strip) const {
  StripSums sums;
  sums.parts.resize(strip.numbers.size());
  for (std::size_t part = 0; part < strip.numbers.size(); ++part) {
    if (strip.numbers[part] != 0) sums.parts[part].object = object_of_[strip.numbers[part] - 1];
  }
  sums.intensities.resize(sums.parts.size() * channels_.ids().size());
  std::vector<ObjectRow> rows;
  for (std::int64_t row = 0; row < strip.rows(); ++row) {
    rows.push_back(object_row(strip, row, sums.parts));
    add_row(strip.first_row + row, rows.back(), sums);
  }
  join_within(strip.first_row, rows, sums);
  sort_pairs(sums.touching);
  if (geometry_.is_2d()) add_hulls(strip, sums);
  const std::ptrdiff_t outer = outer_rows();
  sums.first_rows.assign(rows.begin(), rows.begin() + outer);
  sums.last_rows.assign(rows.end() - outer, rows.end());
  return sums;
}

/// Joins the rows of a strip, the first of which is `first_row` of the map.
void ObjectMeasurement::join_within(std::int64_t first_row, std::span<const ObjectRow> rows,
                                    StripSums& sums) const {
  const std::int64_t height = geometry_.size[1];
  const auto shape_of = [&](const ObjectRun& run) -> ShapeSums& {
    return sums.parts[run.part].shape;
  };
  for (std::int64_t row = 0; row < std::ssize(rows); ++row) {
    for (const RowStep& step : row_steps()) {
      const std::int64_t above = row - step.rows - step.slices * height;
      const std::int64_t y = (first_row + row) % height - step.rows;
      if (above >= 0 && y >= 0 && y < height)
        join_rows(rows[row], rows[above], step, sums.touching, shape_of);
    }
  }
}

/// Joins the first rows of a strip, of which a volume has a slice, with the last ones of the strip
/// before.
void ObjectMeasurement::join_with_strip_before(std::span<const ObjectRow> rows) {
  const auto shape_of = [this](const ObjectRun& run) -> ShapeSums& { return shapes_[run.object]; };
  const auto count = std::ssize(rows_before_);
  for (const RowStep& step : row_steps()) {
    const std::int64_t back = geometry_.is_2d() ? 0 : step.rows;
    if (!geometry_.is_2d() && step.slices == 0) continue;
    for (std::int64_t above = 0; above < count; ++above) {
      const std::int64_t row = above + back;
      if (row >= 0 && row < count)
        join_rows(rows[row], rows_before_[above], step, touching_, shape_of);
    }
  }
}

/// Adds the runs of a row themselves, and their neighbours in it.
void ObjectMeasurement::add_row(std::int64_t row, const ObjectRow& runs, StripSums& strip) const {
  const std::int64_t y = row % geometry_.size[1];
  const std::int64_t z = row / geometry_.size[1];
  const std::size_t channels = channels_.ids().size();
  const ObjectRun* before = nullptr;
  for (const ObjectRun& run : runs) {
    PartSums& part = strip.parts[run.part];
    const Index3& corner = result_.objects[run.object].box.lo;
    part.voxels += run.end - run.begin;
    part.shape.add_run(run.begin - corner[0], run.end - corner[0], y - corner[1], z - corner[2]);
    if (channels > 0) {
      const std::int64_t offset = row * geometry_.size[0];
      channels_.add(offset + run.begin, offset + run.end,
                    std::span(strip.intensities).subspan(run.part * channels, channels));
    }
    if (before != nullptr && before->end == run.begin && before->object != run.object)
      note_pair(before->object, run.object, strip.touching);
    before = &run;
  }
}

/// Finds the hulls of the parts of a strip.
void ObjectMeasurement::add_hulls(const PartStrip& strip, StripSums& sums) const {
  const PartExtents extents = extents_of(strip);
  std::vector<Corner> corners;
  std::vector<Corner> work;
  for (std::size_t i = 0; i < sums.parts.size(); ++i) {
    PartSums& part = sums.parts[i];
    if (part.object == kNoObject) continue;
    list_corners(extents.of(i), corners);
    reduce_to_hull(corners, work);
    if (is_whole(part)) {
      part.hull = hull_shape(corners, result_.objects[part.object], geometry_);
    } else {
      part.corners = corners;
    }
  }
}

void ObjectMeasurement::append(StripSums& strip) {
  const std::size_t channels = channels_.ids().size();
  for (std::size_t i = 0; i < strip.parts.size(); ++i) {
    const PartSums& part = strip.parts[i];
    if (part.object == kNoObject) continue;
    shapes_[part.object].add(part.shape);
    for (std::size_t c = 0; c < channels; ++c)
      intensities_[part.object * channels + c].add(strip.intensities[i * channels + c]);
    if (geometry_.is_2d()) extend_hull(part);
  }
  join_with_strip_before(strip.first_rows);
  touching_.insert(touching_.end(), strip.touching.begin(), strip.touching.end());
  rows_before_ = std::move(strip.last_rows);
}

/// Adds the hull of a part, and sets that of its object when it was the last.
void ObjectMeasurement::extend_hull(const PartSums& part) {
  const ConnectedPart& object = result_.objects[part.object];
  ObjectShape::Hull& hull = result_.shapes[part.object].hull;
  if (is_whole(part)) {
    hull = part.hull;
    return;
  }
  OpenHull& open = open_[part.object];
  open.voxels += part.voxels;
  open.corners.insert(open.corners.end(), part.corners.begin(), part.corners.end());
  const bool is_last = open.voxels == object.voxels;
  constexpr std::size_t kFew = 256;
  if (!is_last && open.corners.size() < 2 * open.reduced + kFew) return;
  std::vector<Corner> work;
  reduce_to_hull(open.corners, work);
  open.reduced = open.corners.size();
  if (!is_last) return;
  hull = hull_shape(open.corners, object, geometry_);
  open_.erase(part.object);
}

void ObjectMeasurement::count_neighbours() {
  sort_pairs(touching_);
  result_.neighbours.assign(result_.objects.size(), 0);
  for (const TouchingPair pair : touching_) {
    ++result_.neighbours[pair >> 32];
    ++result_.neighbours[pair & std::numeric_limits<std::uint32_t>::max()];
  }
}

MeasuredObjects ObjectMeasurement::finish(Context& context) {
  const std::size_t count = result_.objects.size();
  const std::size_t channels = channels_.ids().size();
  result_.intensities.resize(intensities_.size());
  std::vector<Vec3> centres(count);
  const SurfaceWeights weights =
      geometry_.is_2d() ? SurfaceWeights{} : surface_weights(geometry_.spacing);
  constexpr std::int64_t kObjectsAtOnce = 1024;
  parallel_for(context, static_cast<std::int64_t>(count), kObjectsAtOnce,
               [&](std::int64_t begin, std::int64_t end) {
                 for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end);
                      ++i) {
                   const ConnectedPart& object = result_.objects[i];
                   set_shape(object, shapes_[i], geometry_, weights, result_.shapes[i]);
                   centres[i] = geometry_.to_world(object.centre());
                   for (std::size_t c = i * channels; c < (i + 1) * channels; ++c)
                     result_.intensities[c] = intensities_[c].statistics(object.voxels);
                 }
               });
  count_neighbours();
  result_.nearest = distances_to_nearest(centres, context);
  return std::move(result_);
}

}  // namespace

MeasuredObjects measure_objects(const LabelMap& labels, const ObjectRules& rules,
                                const MeasuredChannels& channels, Context& context) {
  ObjectMeasurement measurement(labels.geometry(), channels);
  const auto begin = [&](const std::vector<ConnectedPart>& parts) -> VisitPartStrip {
    measurement.begin(parts, rules.are);
    return [&measurement](const PartStrip& strip) -> std::function<void()> {
      const auto sums = std::make_shared<StripSums>(measurement.sums_of(strip));
      return [&measurement, sums] { measurement.append(*sums); };
    };
  };
  visit_connected_parts(labels, rules.connectivity, rules.smallest, begin, context);
  return measurement.finish(context);
}

}  // namespace seedwave
