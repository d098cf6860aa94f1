// SPDX-License-Identifier: Apache-2.0
//
// Binary STL: 80 bytes of text, the number of triangles (u32), and 50 bytes each: the normal, three
// points (f32), and two bytes without meaning. PLY: a text header, then points with their colours,
// then triangles. Both little endian.
#include "core/io/surfaces.h"

#include "core/base/error.h"
#include "core/image/label_color.h"
#include "core/image/vec3.h"
#include "core/io/formats/text_fields.h"
#include "core/io/label_table.h"
#include "core/mesh/label_surface.h"
#include "core/parallel/label_boxes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

struct LabelSurface {
  LabelName label;
  Surface surface;
};

/// Collects small values, and writes them to the file in larger pieces.
class PiecewiseWriter {
 public:
  explicit PiecewiseWriter(AtomicFile& file) : file_(file) { piece_.reserve(2 * kPiece); }

  template <typename T>
  void put(const T& value) {
    std::array<char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    piece_.append(bytes.data(), bytes.size());
    if (piece_.size() >= kPiece) flush();
  }
  void put_text(std::string_view text) { piece_.append(text); }
  void flush() {
    file_.write(std::string_view(piece_));
    piece_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  AtomicFile& file_;
  std::string piece_;
};

bool is_ply(const fs::path& path) {
  return lower_case(path.extension().string()) == ".ply";
}

Vec3 vector_from(const Surface::Point& point) {
  return {point[0], point[1], point[2]};
}

Surface::Point normal_of(const Surface& surface, const Surface::Triangle& triangle) {
  const Vec3 from = vector_from(surface.points[triangle[0]]);
  const Vec3 normal = cross(minus(vector_from(surface.points[triangle[1]]), from),
                            minus(vector_from(surface.points[triangle[2]]), from));
  const double length = norm(normal);
  if (!(length > 0)) return {0, 0, 0};
  return {static_cast<float>(normal[0] / length), static_cast<float>(normal[1] / length),
          static_cast<float>(normal[2] / length)};
}

void write_stl(AtomicFile& file, const std::vector<LabelSurface>& surfaces) {
  constexpr std::size_t kHeader = 80;
  std::string header = "Seedwave surface in mm. SPACE=LPS";  // a text file would begin with "solid"
  header.resize(kHeader, ' ');
  std::size_t triangles = 0;
  for (const LabelSurface& each : surfaces)
    triangles += each.surface.triangles.size();
  PiecewiseWriter writer(file);
  writer.put_text(header);
  writer.put(static_cast<std::uint32_t>(triangles));
  for (const LabelSurface& each : surfaces) {
    for (const Surface::Triangle& triangle : each.surface.triangles) {
      writer.put(normal_of(each.surface, triangle));
      for (const std::uint32_t point : triangle)
        writer.put(each.surface.points[point]);
      writer.put(std::uint16_t{0});
    }
  }
  writer.flush();
}

std::string ply_header(const std::vector<LabelSurface>& surfaces) {
  std::size_t points = 0;
  std::size_t triangles = 0;
  std::string text =
      "ply\nformat binary_little_endian 1.0\ncomment Seedwave surface in mm. SPACE=LPS\n";
  for (const LabelSurface& each : surfaces) {
    points += each.surface.points.size();
    triangles += each.surface.triangles.size();
    text += "comment label " + std::to_string(each.label.id) + " " + each.label.color + " " +
            each.label.name + "\n";
  }
  text += "element vertex " + std::to_string(points) +
          "\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
          "property uchar green\nproperty uchar blue\nelement face " +
          std::to_string(triangles) + "\nproperty list uchar int vertex_indices\nend_header\n";
  return text;
}

void write_ply(AtomicFile& file, const std::vector<LabelSurface>& surfaces) {
  PiecewiseWriter writer(file);
  writer.put_text(ply_header(surfaces));
  for (const LabelSurface& each : surfaces) {
    const Rgb color = rgb_of(each.label.color).value_or(Rgb{});
    for (const Surface::Point& point : each.surface.points) {
      writer.put(point);
      writer.put(color);
    }
  }
  std::uint32_t first = 0;
  for (const LabelSurface& each : surfaces) {
    for (const auto& [a, b, c] : each.surface.triangles) {
      writer.put(std::uint8_t{3});
      writer.put(std::array<std::uint32_t, 3>{first + a, first + b, first + c});
    }
    first += static_cast<std::uint32_t>(each.surface.points.size());
  }
  writer.flush();
}

void write_surfaces(OutputSet& outputs, const fs::path& path,
                    const std::vector<LabelSurface>& surfaces) {
  AtomicFile& file = outputs.create(path);
  is_ply(path) ? write_ply(file, surfaces) : write_stl(file, surfaces);
}

/// Returns the chosen labels with their boxes. Throws InputError.
std::map<Label, Box> chosen_boxes(const LabelMap& labels, const std::vector<Label>& chosen,
                                  Context& context) {
  std::map<Label, Box> boxes = label_boxes(labels, context);
  if (boxes.empty()) throw InputError("there is no surface to write: no label has voxels");
  for (const Label label : chosen) {
    if (!boxes.contains(label))
      throw InputError("label " + std::to_string(label) + " has no voxels, so it has no surface");
  }
  if (!chosen.empty()) {
    std::erase_if(boxes, [&](const auto& each) {
      return std::find(chosen.begin(), chosen.end(), each.first) == chosen.end();
    });
  }
  return boxes;
}

/// Returns "a-3-liver.stl". Characters that some file system refuses become '_'.
fs::path path_for(const fs::path& path, const LabelName& label) {
  std::string name;
  for (const char c : label.name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool fits = byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.';
    name += fits ? c : '_';
  }
  constexpr std::size_t kMostLength = 60;
  if (name.size() > kMostLength) {
    name.resize(kMostLength);
    // Half a letter of several bytes is not kept.
    while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0x80U) != 0)
      name.pop_back();
  }
  return path.parent_path() / (path.stem().string() + "-" + std::to_string(label.id) + "-" + name +
                               path.extension().string());
}

}  // namespace

bool is_surface_file(const fs::path& path) {
  const std::string suffix = lower_case(path.extension().string());
  return suffix == ".stl" || suffix == ".ply";
}

void check_surface_grid(const fs::path& path, const Geometry& geometry) {
  if (!geometry.is_2d()) return;
  throw OutputError("cannot write " + path.string() +
                    ": a surface needs a volume, and this is a 2-D image");
}

std::vector<fs::path> save_surfaces(OutputSet& outputs, const fs::path& path,
                                    const LabelMap& labels, const std::vector<LabelName>& names,
                                    const SurfaceChoice& choice, Context& context) {
  check_surface_grid(path, labels.geometry());
  const auto stage = context.stage("surfaces");
  const std::map<Label, Box> boxes = chosen_boxes(labels, choice.labels, context);
  if (choice.files == SurfaceFiles::OnePerLabel && boxes.size() > kMostSurfaceFiles) {
    throw OutputError("cannot write " + path.string() + ": one file per label is possible for " +
                      std::to_string(kMostSurfaceFiles) + " labels at most, and there are " +
                      std::to_string(boxes.size()) + "; write one file");
  }
  std::vector<LabelSurface> surfaces;
  std::int64_t triangles = 0;
  for (const auto& [label, box] : boxes) {
    context.checkpoint(static_cast<double>(surfaces.size()) / static_cast<double>(boxes.size()));
    Surface surface = choice.shape == SurfaceShape::Smooth
                          ? smooth_surface(labels, label, box, {}, context.stop_token())
                          : voxel_faces(labels, label, box, context.stop_token());
    triangles += static_cast<std::int64_t>(surface.triangles.size());
    if (triangles > choice.most_triangles) {
      throw OutputError("cannot write " + path.string() + ": the surfaces have more than " +
                        std::to_string(choice.most_triangles) +
                        " triangles; choose fewer labels or a part of the image");
    }
    surfaces.push_back({completed_name(label, names), std::move(surface)});
  }
  if (choice.files == SurfaceFiles::One) {
    write_surfaces(outputs, path, surfaces);
    return {path};
  }
  std::vector<fs::path> paths;
  for (LabelSurface& each : surfaces) {
    paths.push_back(path_for(path, each.label));
    write_surfaces(outputs, paths.back(), {std::exchange(each, {})});
  }
  return paths;
}

}  // namespace seedwave::io
