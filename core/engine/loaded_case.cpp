// SPDX-License-Identifier: Apache-2.0
#include "core/engine/loaded_case.h"

#include "core/base/error.h"
#include "core/image/channel.h"
#include "core/image/crop.h"
#include "core/io/labels.h"
#include "core/io/region_file.h"

namespace seedwave {

LoadedCase whole_case(const Volume& image) {
  return {.image = image, .whole = image.geometry(), .box = Box::whole(image.geometry())};
}

LoadedCase cut_case(const LoadedCase& of, const Box& box) {
  LoadedCase part = of;
  part.image = crop(of.image, box);
  if (!of.channel_image.empty()) part.channel_image = crop(of.channel_image, box);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    part.box.lo[axis] = of.box.lo[axis] + box.lo[axis];
    part.box.hi[axis] = of.box.lo[axis] + box.hi[axis];
  }
  return part;
}

Volume image_of(const LoadedCase& of, const std::string& channel) {
  if (channel.empty() || of.image.components() == 1) return of.image;
  if (channel == of.channel && !of.channel_image.empty()) return of.channel_image;
  return channel_of(of.image, channel);
}

LabelMap load_labels(const std::filesystem::path& path, const LoadedCase& of, Context& context) {
  if (io::is_region_file(path))
    return io::load_regions(path, of.image.geometry(), of.level0, context).labels;
  const LabelMap labels = io::read_labels(path, context, of.whole);
  if (auto fitted = io::fit_labels(labels, of.whole)) return crop(*fitted, of.box);
  if (auto fitted = io::fit_labels(labels, of.image.geometry())) return *std::move(fitted);
  throw InputError(path.string() + " is on a different grid from the image: labels " +
                   io::describe_placement(labels.geometry()) + "; image " +
                   io::describe_placement(of.whole));
}

}  // namespace seedwave
