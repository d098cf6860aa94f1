// SPDX-License-Identifier: Apache-2.0
#include "ui/views/whole_picture.h"

#include "ui/views/plane_axes.h"
#include "ui/views/slice_pipeline.h"
#include "ui/views/slice_transform.h"

namespace seedwave::ui {

QImage whole_picture(const PictureVolumes& image,
                     const std::map<std::size_t, PictureVolumes>& channels,
                     const DisplayState& display, const QSize& size, double ratio) {
  const PlaneAxes axes =
      PlaneAxes(image.image.geometry(), PlaneKind::Axial, display.convention, display.in_patient)
          .turned(display.turn);
  SlicePipeline pipeline;
  pipeline.set_image(image.image, image.levels);
  for (const auto& [channel, volumes] : channels)
    pipeline.set_channel(channel, volumes);
  pipeline.set_axes(axes);
  pipeline.set_display(display);
  pipeline.set_transform(SliceTransform(axes, {}, size), size, ratio);
  QImage picture = pipeline.render();
  picture.setDevicePixelRatio(ratio);
  return picture;
}

}  // namespace seedwave::ui
