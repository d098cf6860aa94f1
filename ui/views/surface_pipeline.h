// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "ui/views/slice_state.h"
#include "ui/views/surface_builder.h"
#include "ui/views/surface_state.h"

#include <memory>
#include <vector>

class vtkRenderWindow;

namespace seedwave::ui {

/// The scene of the 3-D view: surfaces, volume, planes, orientation cube, lights and camera.
class SurfacePipeline {
 public:
  explicit SurfacePipeline(vtkRenderWindow* window);
  ~SurfacePipeline();

  void set_image(const Volume& image);
  void set_surfaces(const Surfaces& surfaces);
  void set_labels(const std::vector<LabelStyle>& labels);
  void set_display(const SurfaceDisplay& display);
  [[nodiscard]] const SurfaceDisplay& display() const;
  void reset_camera();
  /// Turns the orientation cube with the camera, and sets the sampling rate of the volume. Call
  /// before each rendering.
  enum class Quality { Still, Moving };
  void prepare(Quality quality);
  /// Without a graphics card the volume is sampled more coarsely: a second per frame would block
  /// the planes.
  void set_software_rendering(bool software);
  [[nodiscard]] bool is_empty() const;
  /// Returns the number of triangles of all visible surfaces.
  [[nodiscard]] int triangles() const;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
