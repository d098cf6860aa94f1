// SPDX-License-Identifier: Apache-2.0
#include "app/cli/preview.h"

#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "core/io/save.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace seedwave::cli {
namespace {

constexpr auto kBetweenPictures = std::chrono::milliseconds(500);
/// Larger numbers, of objects, are told apart by what remains of them.
constexpr Label kMost = std::numeric_limits<std::uint16_t>::max();

std::uint16_t shown(Label label) {
  return static_cast<std::uint16_t>(label <= kMost ? label : label % kMost + 1);
}

}  // namespace

Preview::Preview(std::filesystem::path file, const Geometry& image)
    : file_(std::move(file)), size_(image.size) {
  if (!image.is_2d()) throw UsageError("--preview is for images, but this is a volume");
  step_ = std::max<std::int64_t>(1, (std::max(size_[0], size_[1]) + kLongest - 1) / kLongest);
  small_.size = {(size_[0] + step_ - 1) / step_, (size_[1] + step_ - 1) / step_, 1};
  small_.unit = LengthUnit::Pixel;
  labels_.resize(static_cast<std::size_t>(small_.voxel_count()));
  write();
}

void Preview::add(const Box& band, const LabelMap& labels) {
  const std::int64_t columns = size_[0];
  visit_labels(labels.labels(), [&](auto values) {
    // The first row of the band that is shown.
    for (std::int64_t y = (band.lo[1] + step_ - 1) / step_ * step_; y < band.hi[1]; y += step_) {
      const auto row = values.begin() + (y - band.lo[1]) * columns;
      auto to = labels_.begin() + y / step_ * small_.size[0];
      for (std::int64_t x = 0; x < columns; x += step_)
        *to++ = shown(row[x]);
    }
  });
  is_written_ = false;
  if (std::chrono::steady_clock::now() - written_ >= kBetweenPictures) write_unless_failed();
}

void Preview::finish() {
  if (!is_written_) write_unless_failed();
}

void Preview::write() {
  io::OutputSet outputs;
  io::save_labels(outputs, file_, LabelMap(small_, labels_));
  outputs.commit();
  written_ = std::chrono::steady_clock::now();
  is_written_ = true;
}

void Preview::write_unless_failed() {
  if (!failure_.empty()) return;
  try {
    write();
  } catch (const OutputError& error) {
    // The run goes on: its result is worth more than a picture of it.
    failure_ = error.what();
  }
}

}  // namespace seedwave::cli
