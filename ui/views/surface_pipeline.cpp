// SPDX-License-Identifier: Apache-2.0
#include "ui/views/surface_pipeline.h"

#include "core/image/label_map.h"
#include "ui/views/halved.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/vtk_image.h"

#include <vtkActor.h>
#include <vtkAnnotatedCubeActor.h>
#include <vtkAssembly.h>
#include <vtkCamera.h>
#include <vtkColorTransferFunction.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkLight.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace seedwave::ui {
namespace {

/// Size of the cube in its corner, as a share of the view.
constexpr double kCubeSize = 0.22;

void style_cube(vtkAnnotatedCubeActor* cube) {
  cube->SetFaceTextScale(0.66);
  cube->GetCubeProperty()->SetColor(0.29, 0.33, 0.38);
  cube->GetCubeProperty()->SetAmbient(0.35);
  cube->GetCubeProperty()->SetDiffuse(0.75);
  cube->SetTextEdgesVisibility(0);
  for (vtkProperty* face : {cube->GetXPlusFaceProperty(), cube->GetXMinusFaceProperty(),
                            cube->GetYPlusFaceProperty(), cube->GetYMinusFaceProperty(),
                            cube->GetZPlusFaceProperty(), cube->GetZMinusFaceProperty()}) {
    // The colour of the letters on the planes.
    face->SetColor(1.0, 0.82, 0.40);
    face->SetAmbient(0.7);
    face->SetDiffuse(0.3);
    face->SetInterpolationToFlat();
  }
  // Each letter is upright when its face is seen with the head up.
  cube->SetXFaceTextRotation(0);
  cube->SetYFaceTextRotation(0);
  cube->SetZFaceTextRotation(0);
}

/// A key light above the viewer's left shoulder and a weak one at the eye: shape is visible and
/// nothing is black. Each additional light would cost software OpenGL a fifth of its speed.
void add_lights(vtkRenderer* scene) {
  scene->AutomaticLightCreationOff();
  vtkNew<vtkLight> key;
  key->SetLightTypeToCameraLight();
  key->SetPosition(-0.45, 0.75, 1.0);
  key->SetFocalPoint(0, 0, 0);
  key->SetIntensity(0.80);
  key->SetColor(1.0, 0.98, 0.95);
  scene->AddLight(key);
  vtkNew<vtkLight> eye;
  eye->SetLightTypeToHeadlight();
  eye->SetIntensity(0.32);
  eye->SetColor(0.93, 0.96, 1.0);
  scene->AddLight(eye);
}

/// Larger volumes are halved before rendering: all of them without a graphics card. MR is halved
/// because its noise makes skin look like sand.
constexpr std::int64_t kMostSoftwareVoxels = 2'000'000;
constexpr std::int64_t kMostMrVoxels = 8'000'000;

/// Factor on the opacity of a volume shown with a result: enough to see where the surfaces lie in
/// the body.
constexpr double kVeil = 0.08;

/// A point of a transfer function.
struct Stop {
  double value;
  double opacity;
  std::array<double, 3> color;
};

/// In Hounsfield units: air and fat clear, skin and muscle faint, bone ivory.
std::vector<Stop> ct_stops() {
  return {{-1024, 0.0, {0, 0, 0}},         {-300, 0.0, {0.55, 0.25, 0.15}},
          {-20, 0.0, {0.62, 0.30, 0.20}},  {60, 0.03, {0.75, 0.38, 0.28}},
          {150, 0.10, {0.85, 0.48, 0.36}}, {250, 0.35, {0.93, 0.80, 0.62}},
          {600, 0.75, {0.98, 0.94, 0.84}}, {1800, 0.90, {1.0, 1.0, 0.97}}};
}

/// Relative to the window, because MR has no units: air clear, skin and deeper tissue ever denser.
std::vector<Stop> mr_stops(const GreyWindow& window) {
  const auto at = [&](double share) { return window.low() + share * window.width; };
  return {{at(0.00), 0.0, {0.30, 0.22, 0.18}},  {at(0.20), 0.0, {0.60, 0.44, 0.36}},
          {at(0.32), 0.30, {0.82, 0.64, 0.53}}, {at(0.60), 0.55, {0.93, 0.80, 0.70}},
          {at(0.90), 0.80, {0.99, 0.94, 0.88}}, {at(1.30), 0.90, {1.0, 1.0, 0.98}}};
}

}  // namespace

class SurfacePipeline::Private {
 public:
  explicit Private(vtkRenderWindow* window);

  void show_image(const Volume& image);
  void show_volume();
  void show_planes();
  void place_planes();
  void color_surfaces();
  /// Moves the camera along its view direction until everything shown fits, or the box of the image
  /// if nothing is shown.
  void frame_all();
  /// Returns how far a box of the world reaches from the middle of the view; 1: to its edge.
  [[nodiscard]] double reach_in_view(const std::array<double, 6>& bounds);
  /// Returns whether the camera is where frame_all() left it.
  [[nodiscard]] bool is_fitted() { return fitted_ == camera_place(); }
  [[nodiscard]] std::array<double, 6> camera_place() {
    std::array<double, 6> place{};
    scene_->GetActiveCamera()->GetPosition(place.data());
    scene_->GetActiveCamera()->GetFocalPoint(place.data() + 3);
    return place;
  }
  /// Returns the world box of the image in the order of VTK's bounds.
  [[nodiscard]] std::array<double, 6> image_bounds() const;

  vtkRenderWindow* window_;
  vtkNew<vtkRenderer> scene_;
  std::optional<std::array<double, 6>> fitted_;  // camera_place() after frame_all()
  vtkNew<vtkRenderer> cube_scene_;
  vtkNew<vtkAnnotatedCubeActor> cube_;
  std::map<Label, vtkSmartPointer<vtkActor>> actors_;
  vtkNew<vtkGPUVolumeRayCastMapper> volume_mapper_;
  vtkNew<vtkVolume> volume_;
  std::array<vtkSmartPointer<vtkImageSlice>, 3> planes_;
  std::array<vtkSmartPointer<vtkImageSliceMapper>, 3> plane_mappers_;
  vtkSmartPointer<vtkImageData> vtk_image_;
  Volume image_;
  Volume rendered_;  // the volume in the volume mapper
  bool rendered_halved_ = false;
  LabelPainter painter_;
  SurfaceDisplay display_;
  int triangles_ = 0;
  bool software_ = false;
};

SurfacePipeline::Private::Private(vtkRenderWindow* window) : window_(window) {
  scene_->SetLayer(0);
  scene_->GradientBackgroundOn();
  scene_->SetBackground(0.063, 0.071, 0.082);
  scene_->SetBackground2(0.165, 0.184, 0.208);
  // Otherwise edges are jagged: the framebuffers have one sample a pixel.
  scene_->SetUseFXAA(true);
  scene_->SetUseDepthPeeling(1);
  scene_->SetMaximumNumberOfPeels(6);
  scene_->SetOcclusionRatio(0.0);
  add_lights(scene_);

  cube_scene_->SetLayer(1);
  cube_scene_->InteractiveOff();
  cube_scene_->SetViewport(1 - kCubeSize, 0.0, 1.0, kCubeSize);
  cube_scene_->SetUseFXAA(true);
  style_cube(cube_);
  cube_scene_->AddActor(cube_);
  add_lights(cube_scene_);

  window_->SetNumberOfLayers(2);
  window_->AddRenderer(scene_);
  window_->AddRenderer(cube_scene_);

  vtkVolumeProperty* property = volume_->GetProperty();
  property->SetInterpolationTypeToLinear();
  property->ShadeOn();
  property->SetAmbient(0.25);
  property->SetDiffuse(0.8);
  property->SetSpecular(0.15);
  property->SetSpecularPower(12);
  volume_mapper_->SetAutoAdjustSampleDistances(1);
  // Otherwise the steps of the rays appear as rings where the volume is cut.
  volume_mapper_->UseJitteringOn();
  volume_->SetMapper(volume_mapper_);
  for (int axis = 0; axis < 3; ++axis) {
    plane_mappers_[axis] = vtkSmartPointer<vtkImageSliceMapper>::New();
    plane_mappers_[axis]->SetOrientation(axis);
    planes_[axis] = vtkSmartPointer<vtkImageSlice>::New();
    planes_[axis]->SetMapper(plane_mappers_[axis]);
    planes_[axis]->GetProperty()->SetInterpolationTypeToLinear();
  }
}

void SurfacePipeline::Private::show_image(const Volume& image) {
  image_ = image;
  scene_->RemoveVolume(volume_);
  for (const auto& plane : planes_)
    scene_->RemoveViewProp(plane);
  vtk_image_ = nullptr;
  rendered_ = {};
  volume_mapper_->RemoveAllInputs();
  if (image.empty()) return;
  const auto to_world = to_world_matrix(image.geometry());
  for (const auto& plane : planes_)
    plane->SetUserMatrix(to_world);
}

/// The VTK copy is made when first needed: a volume of floats costs nothing until then.
void SurfacePipeline::Private::show_volume() {
  const bool shown = display_.volume != VolumeRendering::Off && !image_.empty() &&
                     image_.components() == 1 && !image_.geometry().is_2d();
  if (!shown) {
    scene_->RemoveVolume(volume_);
    return;
  }
  const std::int64_t voxels = image_.geometry().voxel_count();
  const bool mr = display_.volume == VolumeRendering::Mr;
  const bool halve = (software_ && voxels > kMostSoftwareVoxels) || (mr && voxels > kMostMrVoxels);
  if (rendered_.empty() || halve != rendered_halved_) {
    rendered_ = halve ? halved(image_) : image_;
    rendered_halved_ = halve;
    volume_mapper_->SetInputData(to_vtk_image(rendered_));
    volume_->SetUserMatrix(to_world_matrix(rendered_.geometry()));
  }
  const std::vector<Stop> stops =
      display_.volume == VolumeRendering::Ct ? ct_stops() : mr_stops(display_.window);
  const bool veils = std::any_of(actors_.begin(), actors_.end(), [](const auto& actor) {
    return actor.second->GetVisibility() != 0;
  });
  vtkNew<vtkColorTransferFunction> color;
  vtkNew<vtkPiecewiseFunction> opacity;
  for (const Stop& stop : stops) {
    color->AddRGBPoint(stop.value, stop.color[0], stop.color[1], stop.color[2]);
    opacity->AddPoint(stop.value, veils ? stop.opacity * kVeil : stop.opacity);
  }
  vtkVolumeProperty* property = volume_->GetProperty();
  property->SetColor(color);
  property->SetScalarOpacity(opacity);
  // Opacities are per millimetre, whatever the voxel size.
  property->SetScalarOpacityUnitDistance(1.0);
  if (!scene_->HasViewProp(volume_)) scene_->AddVolume(volume_);
}

void SurfacePipeline::Private::show_planes() {
  const bool shown = display_.show_planes && !image_.empty() && image_.components() == 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (!shown) {
      scene_->RemoveViewProp(planes_[axis]);
      continue;
    }
    if (vtk_image_ == nullptr) vtk_image_ = to_vtk_image(image_);
    plane_mappers_[axis]->SetInputData(vtk_image_);
    planes_[axis]->GetProperty()->SetColorWindow(display_.window.width);
    planes_[axis]->GetProperty()->SetColorLevel(display_.window.centre);
    if (!scene_->HasViewProp(planes_[axis])) scene_->AddViewProp(planes_[axis]);
  }
  if (shown) place_planes();
}

void SurfacePipeline::Private::place_planes() {
  const Index3 index = image_.geometry().nearest_index(display_.cursor);
  for (int axis = 0; axis < 3; ++axis) {
    const auto last = image_.geometry().size[axis] - 1;
    plane_mappers_[axis]->SetSliceNumber(
        static_cast<int>(std::clamp<std::int64_t>(index[axis], 0, last)));
  }
}

void SurfacePipeline::Private::color_surfaces() {
  for (const auto& [label, actor] : actors_) {
    const QRgb color = painter_.color(label);
    actor->GetProperty()->SetColor(qRed(color) / 255.0, qGreen(color) / 255.0,
                                   qBlue(color) / 255.0);
    actor->GetProperty()->SetOpacity(qAlpha(color) / 255.0);
    actor->SetVisibility(display_.show_surfaces && qAlpha(color) > 0);
  }
}

std::array<double, 6> SurfacePipeline::Private::image_bounds() const {
  const Geometry& geometry = image_.geometry();
  std::array<double, 6> bounds{1, -1, 1, -1, 1, -1};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index{};
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = corner >> axis & 1 ? static_cast<double>(geometry.size[axis] - 1) : 0.0;
    const Vec3 world = geometry.to_world(index);
    for (int axis = 0; axis < 3; ++axis) {
      bounds[2 * axis] = corner == 0 ? world[axis] : std::min(bounds[2 * axis], world[axis]);
      bounds[2 * axis + 1] =
          corner == 0 ? world[axis] : std::max(bounds[2 * axis + 1], world[axis]);
    }
  }
  return bounds;
}

double SurfacePipeline::Private::reach_in_view(const std::array<double, 6>& bounds) {
  double most = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    scene_->SetWorldPoint(bounds[corner & 1], bounds[2 + (corner >> 1 & 1)],
                          bounds[4 + (corner >> 2 & 1)], 1.0);
    scene_->WorldToView();
    const double* at = scene_->GetViewPoint();
    most = std::max({most, std::abs(at[0]), std::abs(at[1])});
  }
  return most;
}

void SurfacePipeline::Private::frame_all() {
  std::array<double, 6> bounds{};
  scene_->ComputeVisiblePropBounds(bounds.data());
  if (bounds[0] > bounds[1]) {
    if (image_.empty()) return;
    bounds = image_bounds();
  }
  scene_->ResetCamera(bounds.data());
  // That leaves a wide margin, for any rotation.
  constexpr double kMostOfView = 0.95;
  constexpr double kNearest = 1.4;
  scene_->GetActiveCamera()->Dolly(std::clamp(kMostOfView / reach_in_view(bounds), 1.0, kNearest));
  scene_->ResetCameraClippingRange(bounds.data());
  fitted_ = camera_place();
}

SurfacePipeline::SurfacePipeline(vtkRenderWindow* window) : d_(std::make_unique<Private>(window)) {
  set_display({});
}

SurfacePipeline::~SurfacePipeline() {
  d_->window_->RemoveRenderer(d_->scene_);
  d_->window_->RemoveRenderer(d_->cube_scene_);
}

void SurfacePipeline::set_image(const Volume& image) {
  const bool moved =
      image.empty() || d_->image_.empty() || !same_grid(image.geometry(), d_->image_.geometry());
  d_->show_image(image);
  d_->cube_->SetVisibility(!image.empty() && image.geometry().unit == LengthUnit::Millimetre);
  d_->show_volume();
  d_->show_planes();
  if (moved) reset_camera();
}

void SurfacePipeline::set_surfaces(const Surfaces& surfaces) {
  const bool first = d_->actors_.empty();
  for (const auto& [label, actor] : d_->actors_)
    d_->scene_->RemoveActor(actor);
  d_->actors_.clear();
  d_->triangles_ = 0;
  if (!surfaces.map.empty()) {
    for (const auto& [label, mesh] : surfaces.of_label) {
      d_->triangles_ += static_cast<int>(mesh->GetNumberOfPolys());
      vtkNew<vtkPolyDataMapper> mapper;
      mapper->SetInputData(mesh);
      mapper->ScalarVisibilityOff();
      auto actor = vtkSmartPointer<vtkActor>::New();
      actor->SetMapper(mapper);
      vtkProperty* property = actor->GetProperty();
      property->SetInterpolationToGouraud();
      property->SetAmbient(0.12);
      property->SetDiffuse(0.85);
      property->SetSpecular(0.22);
      property->SetSpecularPower(24);
      d_->scene_->AddActor(actor);
      d_->actors_.emplace(label, actor);
    }
  }
  d_->color_surfaces();
  d_->show_volume();
  // Surfaces are fitted to the view until a person moves the camera.
  if ((first || d_->is_fitted()) && !d_->actors_.empty()) reset_camera();
  d_->scene_->ResetCameraClippingRange();
}

void SurfacePipeline::set_labels(const std::vector<LabelStyle>& labels) {
  d_->painter_ = LabelPainter(labels);
  d_->color_surfaces();
  d_->show_volume();
}

void SurfacePipeline::set_display(const SurfaceDisplay& display) {
  const bool letters = d_->display_.head_foot != display.head_foot;
  const bool more_shown =
      (d_->display_.volume == VolumeRendering::Off && display.volume != VolumeRendering::Off) ||
      (!d_->display_.show_planes && display.show_planes);
  d_->display_ = display;
  d_->cube_scene_->SetDraw(display.show_cube);
  d_->color_surfaces();
  d_->show_volume();
  d_->show_planes();
  // Keeps the direction of view, but shows everything.
  if (more_shown) d_->frame_all();
  if (letters || d_->cube_->GetXPlusFaceText() == nullptr ||
      d_->cube_->GetXPlusFaceText()[0] != 'L') {
    const bool head_foot = display.head_foot == HeadFootLetters::HeadFoot;
    d_->cube_->SetXPlusFaceText("L");
    d_->cube_->SetXMinusFaceText("R");
    d_->cube_->SetYPlusFaceText("P");
    d_->cube_->SetYMinusFaceText("A");
    d_->cube_->SetZPlusFaceText(head_foot ? "H" : "S");
    d_->cube_->SetZMinusFaceText(head_foot ? "F" : "I");
  }
}

const SurfaceDisplay& SurfacePipeline::display() const {
  return d_->display_;
}

void SurfacePipeline::reset_camera() {
  vtkCamera* camera = d_->scene_->GetActiveCamera();
  // From the front (anterior is -y), a little from the patient's left and above.
  camera->SetFocalPoint(0, 0, 0);
  camera->SetPosition(0.45, -1.0, 0.35);
  camera->SetViewUp(0, 0, 1);
  camera->SetViewAngle(25);
  d_->frame_all();
}

void SurfacePipeline::set_software_rendering(bool software) {
  d_->software_ = software;
  // With a graphics card, VTK keeps the frame rate.
  d_->volume_mapper_->SetAutoAdjustSampleDistances(software ? 0 : 1);
  d_->show_volume();
}

void SurfacePipeline::prepare(Quality quality) {
  if (d_->software_) {
    const bool moving = quality == Quality::Moving;
    d_->volume_mapper_->SetImageSampleDistance(moving ? 5.0F : 2.0F);
    const Vec3& spacing = d_->image_.geometry().spacing;
    const double voxel = std::min({spacing[0], spacing[1], spacing[2]});
    d_->volume_mapper_->SetSampleDistance(static_cast<float>(moving ? 2 * voxel : voxel));
  }
  vtkCamera* from = d_->scene_->GetActiveCamera();
  vtkCamera* to = d_->cube_scene_->GetActiveCamera();
  double direction[3];
  from->GetDirectionOfProjection(direction);
  constexpr double kDistance = 4.6;
  to->SetFocalPoint(0, 0, 0);
  to->SetPosition(-kDistance * direction[0], -kDistance * direction[1], -kDistance * direction[2]);
  to->SetViewUp(from->GetViewUp());
  to->SetViewAngle(25);
  d_->cube_scene_->ResetCameraClippingRange();
  // A square, whatever the shape of the view.
  const int* size = d_->window_->GetSize();
  if (size[0] <= 0 || size[1] <= 0) return;
  const double side = kCubeSize * std::min(size[0], size[1]);
  d_->cube_scene_->SetViewport(1 - side / size[0], 0.0, 1.0, side / size[1]);
}

bool SurfacePipeline::is_empty() const {
  return d_->actors_.empty() && d_->display_.volume == VolumeRendering::Off &&
         !d_->display_.show_planes;
}

int SurfacePipeline::triangles() const {
  return d_->triangles_;
}

}  // namespace seedwave::ui
