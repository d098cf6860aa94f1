// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/nrrd.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/vec3.h"
#include "core/io/formats/axes.h"
#include "core/io/formats/gzip_writer.h"
#include "core/io/formats/nrrd_header.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Time points or layers; the study list cannot show more.

/// An NRRD file as voxels in space.
struct Nrrd {
  RawVoxels raw;  // of the first part
  /// Unset for a 2-D image in a plane of its own.
  bool in_patient = true;
  std::string content;
  std::int64_t parts = 1;
  /// The meaning of the axis of the parts: "time", "layer", "part".
  std::string part_word;
  std::vector<std::string> warnings;
};

/// The axes of space, in the order of the file; another axis is colour, time or layers.
struct AxisRoles {
  std::vector<NrrdAxis> space;
  std::optional<NrrdAxis> other;
  bool other_is_fastest = false;
};

AxisRoles roles_of(const NrrdHeader& header, const std::string& file) {
  AxisRoles roles;
  std::vector<NrrdAxis> axes = header.axes;
  const auto outside = [](const NrrdAxis& axis) { return axis.outside_space; };
  // Four axes without further information: the last is time.
  if (axes.size() == 4 && std::none_of(axes.begin(), axes.end(), outside))
    axes.back().outside_space = true;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].outside_space) {
      roles.space.push_back(axes[i]);
    } else if (axes[i].size > 1) {
      if (roles.other || (i != 0 && i + 1 != axes.size())) {
        throw InputError(file +
                         " has an unsupported order of axes: those of space must be adjacent, with "
                         "one further axis before or after them");
      }
      roles.other = axes[i];
      roles.other_is_fastest = i == 0;
    }
  }
  if (roles.space.size() < 2 || roles.space.size() > 3) {
    throw InputError(file + " has " + std::to_string(roles.space.size()) +
                     " axes of space: images with 2 and volumes with 3 are supported");
  }
  return roles;
}

/// Returns true for two axes without position and spacing.
bool is_picture(const NrrdHeader& header, const AxisRoles& roles) {
  return roles.space.size() == 2 && header.space_dimension < 3 && !header.origin &&
         std::none_of(roles.space.begin(), roles.space.end(),
                      [](const NrrdAxis& axis) { return axis.direction || axis.spacing; });
}

/// Returns the point of a vector; two numbers lie in the plane of the first two axes.
Vec3 in_space(const NrrdVector& vector) {
  Vec3 point{0, 0, 0};
  std::copy_n(vector.begin(), std::min<std::size_t>(3, vector.size()), point.begin());
  return point;
}

/// Returns a grid from voxel sizes without directions.
Geometry geometry_of_spacings(const NrrdHeader& header, const AxisRoles& roles,
                              std::vector<std::string>& warnings) {
  Geometry geometry;
  for (std::size_t i = 0; i < roles.space.size(); ++i) {
    const double spacing = roles.space[i].spacing.value_or(1.0);
    geometry.spacing[i] = std::abs(spacing);
    if (spacing < 0.0) {
      warnings.emplace_back(
          "has a negative spacing in its NRRD header: its absolute value is used");
    }
  }
  if (header.origin) geometry.origin = in_space(*header.origin);
  // A 2-D image needs no position in the patient.
  if (roles.space.size() == 3 || header.space_dimension >= 3)
    warnings.emplace_back("has no axes in its NRRD header: left, posterior, superior are assumed");
  return geometry;
}

/// Returns the axes that the directions state, in LPS.
IndexToWorld stated_axes(const NrrdHeader& header, const AxisRoles& roles,
                         std::vector<std::string>& warnings) {
  std::array<Vec3, 3> steps{in_space(*roles.space[0].direction),
                            in_space(*roles.space[1].direction), Vec3{0, 0, 1}};
  if (roles.space.size() == 3) {
    steps[2] = in_space(*roles.space[2].direction);
  } else if (header.space_dimension >= 3) {
    // A single slice in space has no third step: a unit along its normal.
    steps[2] = cross(steps[0], steps[1]);
    const double length = norm(steps[2]);
    for (double& part : steps[2])
      part /= length;
  }
  IndexToWorld axes;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      axes.steps[3 * row + column] = steps[column][row];
  }
  if (header.origin) axes.origin = in_space(*header.origin);
  if (header.space == "ras") return swap_ras_lps(axes);
  if (header.space == "las") {
    for (int column = 0; column < 3; ++column)
      axes.steps[3 + column] = 0.0 - axes.steps[3 + column];
    axes.origin[1] = 0.0 - axes.origin[1];
  } else if (header.space != "lps" && roles.space.size() == 3) {
    warnings.push_back("does not state the directions of its axes" +
                       (header.space.empty() ? std::string() : " (space '" + header.space + "')") +
                       ": left, posterior, superior are assumed");
  }
  return axes;
}

Geometry geometry_of(const NrrdHeader& header, const AxisRoles& roles, const std::string& file,
                     std::vector<std::string>& warnings) {
  Index3 size{1, 1, 1};
  for (std::size_t i = 0; i < roles.space.size(); ++i)
    size[i] = roles.space[i].size;
  Geometry geometry;
  if (is_picture(header, roles)) {
    geometry.unit = LengthUnit::Pixel;
  } else if (std::all_of(roles.space.begin(), roles.space.end(),
                         [](const NrrdAxis& axis) { return axis.direction.has_value(); })) {
    const IndexToWorld axes = stated_axes(header, roles, warnings);
    if (!is_usable(axes)) {
      throw InputError(file +
                       " cannot be placed: the space directions of its NRRD header span no volume");
    }
    geometry = fit_geometry(axes, size, warnings);
    geometry.planar = roles.space.size() == 2;
  } else {
    geometry = geometry_of_spacings(header, roles, warnings);
    geometry.planar = roles.space.size() == 2;
  }
  geometry.size = size;
  geometry.validate(file);
  return geometry;
}

/// Returns the offset at which a line ends that is so many lines further on.
std::int64_t offset_after_lines(const fs::path& file, std::int64_t offset, std::int64_t lines) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(offset);
  for (std::int64_t i = 0; i < lines && stream; ++i)
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  if (!stream) throw InputError(file.string() + " is cut short before its voxels begin");
  return stream.tellg();
}

void set_place(Nrrd& nrrd, const NrrdHeader& header, const fs::path& file) {
  RawVoxels& raw = nrrd.raw;
  const bool attached = header.voxel_file.empty();
  if (!attached &&
      (header.voxel_file.starts_with("LIST") || header.voxel_file.find('%') != std::string::npos)) {
    throw InputError(file.string() + " keeps its voxels in several files: save it as one");
  }
  raw.file = attached ? file : companion_of(file, header.voxel_file);
  raw.file_offset = attached ? header.length : 0;
  if (header.line_skip > 0)
    raw.file_offset = offset_after_lines(raw.file, raw.file_offset, header.line_skip);
  if (header.byte_skip == -1 && header.packing == Packing::None) {
    // The voxels are the last bytes of the file, whatever comes before.
    const std::int64_t least = raw.file_offset;
    place_at_end(raw, nrrd.parts);
    if (raw.file_offset < least) {
      throw InputError(file.string() + " is cut short: its header reaches into its voxels");
    }
  } else if (header.byte_skip > 0) {
    raw.stream_offset = header.byte_skip;
  } else if (header.byte_skip != 0) {
    throw InputError(file.string() +
                     " has a damaged NRRD header: 'byte skip' must not be negative here");
  }
}

Nrrd read_nrrd(const fs::path& file) {
  const std::string name = file.string();
  const auto head = read_head(file, kMostTextHeader);
  const NrrdHeader header =
      parse_nrrd_header({reinterpret_cast<const char*>(head.data()), head.size()}, name);
  const AxisRoles roles = roles_of(header, name);
  Nrrd nrrd;
  nrrd.content = header.content;
  RawVoxels& raw = nrrd.raw;
  raw.stored = header.type;
  raw.order = header.order;
  raw.packing = header.packing;
  raw.geometry = geometry_of(header, roles, name, nrrd.warnings);
  nrrd.in_patient = roles.space.size() == 3 || header.space_dimension >= 3;
  if (roles.other) {
    const NrrdAxis& other = *roles.other;
    const bool color =
        roles.other_is_fastest && other.size == 3 && other.kind != "list" && other.kind != "time";
    const std::int64_t parts = checked_parts(other.size, name);
    if (color) {
      raw.components = 3;
    } else {
      nrrd.parts = parts;
      nrrd.part_word = other.kind == "time" ? "time" : other.kind == "list" ? "layer" : "part";
      if (roles.other_is_fastest) raw.values_per_voxel = parts;
    }
  }
  set_place(nrrd, header, file);
  check_raw_size(raw);
  return nrrd;
}

bool is_nrrd(std::span<const std::byte> head) {
  return has_mark(head, "NRRD000");
}

std::vector<Item> scan_nrrd(const fs::path& file) {
  const Nrrd nrrd = read_nrrd(file);
  Item item;
  item.format = "nrrd";
  item.kind = nrrd.in_patient ? ItemKind::Volume : ItemKind::Image;
  item.files = {file};
  if (nrrd.raw.file != file) item.files.push_back(nrrd.raw.file);
  item.geometry = nrrd.raw.geometry;
  item.type = type_of(nrrd.raw);
  item.components = nrrd.raw.components;
  item.warnings = nrrd.warnings;
  item.hints.description = nrrd.content;
  return items_of_parts(item, nrrd.parts, nrrd.part_word,
                        [&](std::int64_t part) { check_raw_size(part_of(nrrd.raw, part)); });
}

LoadedImage load_nrrd(const Item& item, const LoadOptions& options, Context& context) {
  const Nrrd nrrd = read_nrrd(item.files.at(0));
  return load_part(item, nrrd.raw, nrrd.parts, nrrd.warnings, options, context);
}

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

Format nrrd_format() {
  return {.name = "nrrd", .recognises = is_nrrd, .scan = scan_nrrd, .load = load_nrrd};
}

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
