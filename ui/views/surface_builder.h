// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <vtkSmartPointer.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

class vtkPolyData;

namespace seedwave::ui {

/// The surfaces of all labels of one map.
struct Surfaces {
  LabelMap map;
  std::map<Label, vtkSmartPointer<vtkPolyData>> of_label;
  double ms = 0.0;
};

/// Computes surfaces on its own thread. A new request stops and replaces the current one.
///
/// If the map follows the previous one, labels whose voxels lie entirely outside its `changed()`
/// box keep their surface. Very many labels share one surface, as label 1. The destructor stops and
/// joins.
class SurfaceBuilder {
 public:
  /// Called on the builder's thread for requests that were not replaced.
  using Done = std::function<void(Surfaces surfaces)>;

  explicit SurfaceBuilder(Done done);
  ~SurfaceBuilder();
  SurfaceBuilder(const SurfaceBuilder&) = delete;
  SurfaceBuilder& operator=(const SurfaceBuilder&) = delete;

  void request(const LabelMap& map);
  /// Notes what changed in a map of which no surface is needed: the next one replaces it.
  void skip(const LabelMap& map);
  /// Returns true from request() until its Done returned.
  [[nodiscard]] bool busy() const;

 private:
  void work(const std::stop_token& stop);
  [[nodiscard]] std::optional<Surfaces> build(LabelMap map, const std::stop_token& stop);

  Done done_;
  mutable std::mutex mutex_;  // guards waiting_, changed_, current_stop_, running_
  std::condition_variable_any wake_;
  std::optional<LabelMap> waiting_;
  /// The box that changed since the last request that was started.
  Box changed_;
  std::stop_source current_stop_;
  bool running_ = false;
  // Used by the builder's thread only: the last surfaces, and what changed since.
  Surfaces last_;
  std::map<Label, Box> last_boxes_;
  Box changed_since_last_;
  std::jthread thread_;  // last: joined first
};

}  // namespace seedwave::ui
