// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"
#include "core/image/vec3.h"
#include "core/io/formats/axes.h"
#include "core/io/formats/gzip_writer.h"
#include "core/io/formats/nrrd.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

std::string_view type_name(VoxelType type) {
  switch (type) {
    case VoxelType::U8:
      return "unsigned char";
    case VoxelType::I16:
      return "short";
    case VoxelType::U16:
      return "unsigned short";
    case VoxelType::I32:
      return "int";
    case VoxelType::U32:
      return "unsigned int";
    case VoxelType::F32:
      break;
  }
  return "float";
}

/// Returns the first numbers of a vector: "(1,0,0)".
std::string text_of(const Vec3& vector, int numbers) {
  std::string text;
  for (int i = 0; i < numbers; ++i)
    text += (i == 0 ? "(" : ",") + number_text(vector[static_cast<std::size_t>(i)]);
  return text + ")";
}

/// Returns key and value pairs, one per line; the format escapes backslashes and line ends.
std::string fields_of(const std::vector<NrrdSegment>& segments) {
  std::string text;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const NrrdSegment& segment = segments[i];
    const std::string key = "Segment" + std::to_string(i) + "_";
    std::string color;
    for (const std::uint8_t part : segment.color)
      color += (color.empty() ? "" : " ") + number_text(part / 255.0);
    std::string extent;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      extent += (axis == 0 ? "" : " ") + std::to_string(segment.extent.lo[axis]) + " " +
                std::to_string(segment.extent.hi[axis] - 1);
    }
    std::string name = printable(segment.name);
    std::replace(name.begin(), name.end(), '\\', '/');
    const std::string label = std::to_string(segment.label);
    text += key + "ID:=Segment_" + label + "\n";
    text += key + "Name:=" + name + "\n";
    text += key + "Color:=" + color + "\n";
    text += key + "LabelValue:=" + label + "\n";
    text += key + "Layer:=0\n";
    text += key + "Extent:=" + extent + "\n";
  }
  if (!segments.empty()) {
    text += "Segmentation_ContainedRepresentationNames:=Binary labelmap|\n";
    text += "Segmentation_MasterRepresentation:=Binary labelmap\n";
    text += "Segmentation_ReferenceImageExtentOffset:=0 0 0\n";
  }
  return text;
}

}  // namespace

void write_nrrd(OutputSet& outputs, const fs::path& path, const Volume& volume) {
  write_nrrd(outputs, path, volume, {});
}

void write_nrrd(OutputSet& outputs, const fs::path& path, const Volume& volume,
                const std::vector<NrrdSegment>& segments) {
  const Geometry& geometry = volume.geometry();
  const bool color = volume.components() == 3;
  const int axes = geometry.has_two_axes() ? 2 : 3;
  // An image without scale states none, so that it is read back as such.
  const bool picture = axes == 2 && geometry.unit == LengthUnit::Pixel;
  const IndexToWorld placed = index_to_world(geometry);
  std::string sizes = color ? " 3" : "";
  std::string kinds = color ? " RGB-color" : "";
  std::string directions = color ? " none" : "";
  for (int axis = 0; axis < axes; ++axis) {
    sizes += " " + std::to_string(geometry.size[axis]);
    kinds += " domain";
    directions +=
        " " + text_of({placed.steps[axis], placed.steps[3 + axis], placed.steps[6 + axis]}, axes);
  }
  std::string header = "NRRD0005\n# written by Seedwave\ntype: ";
  header += type_name(volume.type());
  header += "\ndimension: " + std::to_string(axes + (color ? 1 : 0));
  if (axes == 3) header += "\nspace: left-posterior-superior";
  if (axes == 2 && !picture) header += "\nspace dimension: 2";
  header += "\nsizes:" + sizes;
  if (!picture) header += "\nspace directions:" + directions;
  header += "\nkinds:" + kinds + "\nendian: little\nencoding: gzip";
  if (!picture) header += "\nspace origin: " + text_of(geometry.origin, axes);
  header += "\n" + fields_of(segments) + "\n";

  AtomicFile& file = outputs.create(path);
  file.write(header);
  GzipWriter packer(file);
  packer.write(volume.bytes());
  packer.finish();
}

}  // namespace seedwave::io
