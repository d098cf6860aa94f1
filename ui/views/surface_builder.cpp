// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_builder.h"

#include "core/parallel/label_boxes.h"
#include "ui/views/surface_mesh.h"

#include <vtkPolyData.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace seedwave::ui {
namespace {

bool apart(const Box& a, const Box& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.hi[axis] <= b.lo[axis] || b.hi[axis] <= a.lo[axis]) return true;
  }
  return false;
}

/// Returns the smallest box that holds both.
Box united(const Box& a, const Box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = std::min(a.lo[axis], b.lo[axis]);
    box.hi[axis] = std::max(a.hi[axis], b.hi[axis]);
  }
  return box;
}

/// More labels look like a cloud, and each would be drawn separately: they share one surface.
constexpr std::size_t kMostSurfaces = 64;

LabelMap as_one(const LabelMap& map) {
  std::vector<std::uint8_t> labels(map.labels().size());
  visit_labels(map.labels(), [&](auto from) {
    std::transform(from.begin(), from.end(), labels.begin(),
                   [](auto label) { return static_cast<std::uint8_t>(label != 0 ? 1 : 0); });
  });
  return {map.geometry(), std::move(labels)};
}

}  // namespace

SurfaceBuilder::SurfaceBuilder(Done done)
    : done_(std::move(done)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

SurfaceBuilder::~SurfaceBuilder() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  current_stop_.request_stop();
}

void SurfaceBuilder::request(const LabelMap& map) {
  const std::lock_guard lock(mutex_);
  current_stop_.request_stop();
  waiting_ = map;
  changed_ = map.empty() ? Box{} : united(changed_, map.changed());
  wake_.notify_one();
}

void SurfaceBuilder::skip(const LabelMap& map) {
  const std::lock_guard lock(mutex_);
  changed_ = united(changed_, map.changed());
}

bool SurfaceBuilder::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_.has_value();
}

void SurfaceBuilder::work(const std::stop_token& stop) {
  while (true) {
    std::stop_token current;
    LabelMap map;
    {
      std::unique_lock lock(mutex_);
      running_ = false;
      if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
      map = *std::exchange(waiting_, std::nullopt);
      changed_since_last_ = united(changed_since_last_, std::exchange(changed_, Box{}));
      current_stop_ = std::stop_source();
      current = current_stop_.get_token();
      running_ = true;
    }
    if (stop.stop_requested()) return;
    if (std::optional<Surfaces> surfaces = build(map, current)) done_(*std::move(surfaces));
  }
}

std::optional<Surfaces> SurfaceBuilder::build(LabelMap map, const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  Surfaces surfaces;
  surfaces.map = map;
  std::map<Label, Box> boxes;
  Context context;
  if (!map.empty()) {
    boxes = label_boxes(map, context);
    if (boxes.size() > kMostSurfaces) {
      map = as_one(map);
      boxes = label_boxes(map, context);
    }
    const bool follows = !last_.map.empty() && same_grid(last_.map.geometry(), map.geometry());
    for (const auto& [label, box] : boxes) {
      const auto before = last_boxes_.find(label);
      if (follows && before != last_boxes_.end() && apart(box, changed_since_last_) &&
          apart(before->second, changed_since_last_)) {
        surfaces.of_label.insert(*last_.of_label.find(label));
        continue;
      }
      auto mesh = make_surface(map, label, box, stop);
      if (mesh == nullptr || stop.stop_requested()) return std::nullopt;
      surfaces.of_label.emplace(label, std::move(mesh));
    }
  }
  surfaces.ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  last_ = surfaces;
  last_boxes_ = std::move(boxes);
  changed_since_last_ = {};
  return surfaces;
}

}  // namespace seedwave::ui
