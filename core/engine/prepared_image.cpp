// SPDX-License-Identifier: Apache-2.0
#include "core/engine/prepared_image.h"

#include "core/image/channel.h"
#include "core/image/picture_levels.h"
#include "core/io/complete_hints.h"

#include <cmath>

namespace seedwave {

namespace {

double threshold_of(const Volume& volume, const Histogram& counts, const ValueRange& range) {
  const double exact = counts.otsu_threshold();
  if (volume.type() != VoxelType::F32) return std::ceil(exact);
  // At most a thousandth of the range, so that the number is short.
  const double step = std::pow(10.0, std::floor(std::log10(range.high - range.low)) - 3.0);
  return std::isfinite(step) && step > 0.0 ? std::round(exact / step) * step : exact;
}

}  // namespace

Scene make_scene(const Volume& image, const std::string& channel) {
  Scene scene;
  if (image.empty()) return scene;
  scene.volume = image.components() == 1 ? image : channel_of(image, channel);
  scene.range = value_range(scene.volume);
  scene.histogram = histogram(scene.volume);
  scene.threshold = threshold_of(scene.volume, scene.histogram, scene.range);
  return scene;
}

PreparedImage prepare(const io::LoadedImage& loaded, io::ItemKind kind,
                      const std::string& channel) {
  PreparedImage prepared;
  prepared.loaded = loaded;
  prepared.in_patient = kind == io::ItemKind::Volume;
  const Volume& image = loaded.volume;
  io::complete_hints(prepared.loaded.hints, image);
  if (image.components() == 3) {
    prepared.channel = channel.empty() ? channels().front().id : channel;
  }
  prepared.scene = make_scene(image, prepared.channel);
  if (image.components() == 1) {
    const bool is_mr = prepared.loaded.hints.modality == "MR";
    prepared.automatic_window =
        automatic_window(image, is_mr ? WindowRule::MagneticResonance : WindowRule::Percentiles);
  }
  prepared.levels = picture_levels(image);
  return prepared;
}

}  // namespace seedwave
