// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/sweep_grid.h"

#include "core/base/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace seedwave {

SweepGrid::SweepGrid(std::vector<SweepAxis> axes) : axes_(std::move(axes)), size_(1) {
  if (axes_.empty()) throw UsageError("a sweep needs a parameter to vary");
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (axes_[i].parameter == axes_[j].parameter) {
        throw UsageError(axes_[i].parameter + " is varied twice");
      }
    }
    const std::size_t count = axes_[i].values.size();
    require(count > 0);  // axis_of() refuses an axis without values
    if (size_ > kMostSweepRuns / count) {
      throw UsageError("these are more than the " + std::to_string(kMostSweepRuns) +
                       " runs that a sweep may have");
    }
    size_ *= count;
  }
}

std::vector<std::size_t> SweepGrid::place_of(std::size_t run) const {
  require(run < size_);
  std::vector<std::size_t> place(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    place[i] = run % axes_[i].values.size();
    run /= axes_[i].values.size();
  }
  return place;
}

std::size_t SweepGrid::run_at(const std::vector<std::size_t>& place) const {
  require(place.size() == axes_.size());
  std::size_t run = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i)
    run = run * axes_[i].values.size() + place[i];
  return run;
}

Values SweepGrid::values_of(std::size_t run) const {
  const std::vector<std::size_t> place = place_of(run);
  Values values;
  for (std::size_t i = 0; i < axes_.size(); ++i)
    values.set(axes_[i].parameter, axes_[i].values[place[i]]);
  return values;
}

std::vector<std::size_t> SweepGrid::neighbours_of(std::size_t run) const {
  const std::vector<std::size_t> place = place_of(run);
  std::vector<std::size_t> neighbours;
  std::size_t stride = size_;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    stride /= axes_[i].values.size();
    if (place[i] > 0) neighbours.push_back(run - stride);
    if (place[i] + 1 < axes_[i].values.size()) neighbours.push_back(run + stride);
  }
  std::sort(neighbours.begin(), neighbours.end());
  return neighbours;
}

}  // namespace seedwave
