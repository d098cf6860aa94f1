// SPDX-License-Identifier: Apache-2.0
#include "core/session/session_labels.h"

#include "core/base/error.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".nii.gz";
constexpr std::size_t kHashDigits = 16;
constexpr double kFarthest = 1e12;  // mm
constexpr std::int64_t kMostVoxels = std::int64_t{1} << 40;

/// The digits of a digest "xxh64:0123456789abcdef".
std::string hash_of(const std::string& digest) {
  const auto colon = digest.find(':');
  return colon == std::string::npos ? digest : digest.substr(colon + 1);
}

/// "study-0123456789abcdef.nii.gz" for labels of study.json with that digest.
std::string label_file_name(const fs::path& session, const std::string& digest) {
  return session.stem().string() + "-" + hash_of(digest) + std::string(kSuffix);
}

/// The hash in a name that label_file_name() gives for some session; empty for every other name. It
/// is the name of a file in the session's folder: no path and nothing hidden.
std::string hash_in(const std::string& name) {
  const std::size_t tail = 1 + kHashDigits + kSuffix.size();
  if (name.size() <= tail || !name.ends_with(kSuffix) || name.front() == '.') return {};
  if (name.find('/') != std::string::npos || name.find('\0') != std::string::npos) return {};
  const std::string hash = name.substr(name.size() - tail + 1, kHashDigits);
  const bool is_hash = hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_hash && name[name.size() - tail] == '-' ? hash : std::string();
}

const char* unit_name(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::Pixel:
      return "pixel";
    case LengthUnit::Micrometre:
      return "um";
    case LengthUnit::Millimetre:
      break;
  }
  return "mm";
}

json to_json(const Geometry& grid) {
  json text{{"size", grid.size},
            {"spacing", grid.spacing},
            {"origin", grid.origin},
            {"direction", grid.direction},
            {"unit", unit_name(grid.unit)}};
  if (grid.planar) text["planar"] = true;
  return text;
}

template <std::size_t N>
std::array<double, N> numbers_from_json(const JsonPlace& in) {
  const auto items = in.items();
  if (items.size() != N) in.fail("must be " + std::to_string(N) + " numbers");
  std::array<double, N> numbers{};
  for (std::size_t i = 0; i < N; ++i)
    numbers[i] = items[i].number(-kFarthest, kFarthest);
  return numbers;
}

Geometry grid_from_json(const JsonPlace& in) {
  Geometry grid;
  const auto sizes = in.at("size").items();
  if (sizes.size() != 3) in.at("size").fail("must be 3 numbers");
  for (std::size_t axis = 0; axis < 3; ++axis)
    grid.size[axis] = sizes[axis].integer(1, kMostVoxels);
  grid.spacing = numbers_from_json<3>(in.at("spacing"));
  grid.origin = numbers_from_json<3>(in.at("origin"));
  grid.direction = numbers_from_json<9>(in.at("direction"));
  const std::string unit = in.at("unit").text();
  for (const LengthUnit each : {LengthUnit::Pixel, LengthUnit::Micrometre}) {
    if (unit == unit_name(each)) grid.unit = each;
  }
  if (const auto planar = in.find("planar")) grid.planar = planar->flag() && grid.is_2d();
  grid.validate("labels_grid");
  return grid;
}

/// Returns whether the voxels of two grids coincide. A label file cannot store every unit; in that
/// case the sizes decide.
bool agree(const Geometry& a, const Geometry& b) {
  return a.size == b.size && (a.unit != b.unit || same_grid(a, b));
}

void refuse(const std::string& reason) {
  throw InputError(reason);
}

/// Returns the grid of the only image of a label file from its header, without reading voxels.
Geometry grid_in_header(const fs::path& file) {
  Context context;
  const io::Scan scan = io::scan(file, context);
  if (scan.items.size() != 1 || !scan.items.front().usable) refuse("it is not a label image");
  return scan.items.front().geometry;
}

PackedLabels read_checked(const fs::path& file, const std::string& hash,
                          const std::optional<Geometry>& stated) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) refuse("the file is missing");
  // Checked before memory is allocated for voxels.
  if (stated && !agree(grid_in_header(file), *stated)) {
    refuse("its grid differs from the one that the session states");
  }
  Context context;
  LabelMap labels = io::read_labels(file, context);
  if (stated) labels = labels.on_grid(*stated);
  PackedLabels packed(labels);
  if (hash_of(packed.digest()) != hash)
    refuse("its labels differ from those that the session was saved with");
  return packed;
}

}  // namespace

// ----------------------------------------------------------------------- writing

LabelFileWriter::~LabelFileWriter() {
  std::error_code ignored;
  for (const fs::path& file : new_)
    fs::remove(file, ignored);
}

bool LabelFileWriter::is_known(const std::string& name) const {
  std::error_code ignored;
  return (known_.contains(name) || written_.contains(name)) &&
         fs::exists(session_.parent_path() / name, ignored);
}

json LabelFileWriter::find(const PackedLabels& labels) const {
  const std::string name = label_file_name(session_, labels.digest());
  if (!is_known(name)) return nullptr;
  return {{"labels_file", name}, {"labels_grid", to_json(labels.geometry())}};
}

json LabelFileWriter::add(const PackedLabels& labels) {
  const std::string name = label_file_name(session_, labels.digest());
  if (!is_known(name)) {
    const fs::path file = session_.parent_path() / name;
    std::error_code ignored;
    const bool is_new = !fs::exists(file, ignored);
    io::save_labels(file, labels.unpack());
    if (is_new) new_.push_back(file);
    written_.insert(name);
  }
  return {{"labels_file", name}, {"labels_grid", to_json(labels.geometry())}};
}

void LabelFileWriter::keep() {
  known_.merge(written_);
  new_.clear();
}

// ----------------------------------------------------------------------- reading

void read_labels_of(Run& run, const JsonPlace& in, const fs::path& folder, KnownLabelFiles& known,
                    std::vector<std::string>& warnings) {
  const auto member = in.find("labels_file");
  if (!member) return;
  const std::string name = member->text();
  try {
    const std::string hash = hash_in(name);
    if (hash.empty()) refuse("this is not the name of a label file");
    std::optional<Geometry> stated;
    if (const auto grid = in.find("labels_grid")) stated = grid_from_json(*grid);
    run.labels = read_checked(folder / name, hash, stated);
    if (run.facts.voxels.empty()) run.facts.voxels = run.labels.counts();
    known.insert(name);
  } catch (const Error& error) {
    warnings.push_back("the labels of run " + std::to_string(run.id) +
                       " were left out and will be recomputed when needed (" + name + ": " +
                       error.what() + ")");
  }
}

void drop_labels_on_other_grids(std::vector<Run>& runs, const Geometry& image,
                                std::vector<std::string>& warnings) {
  std::size_t dropped = 0;
  for (Run& run : runs) {
    if (run.labels.empty() || agree(run.labels.geometry(), image)) continue;
    run.labels = {};
    ++dropped;
  }
  if (dropped == 0) return;
  warnings.push_back(std::to_string(dropped) + (dropped == 1 ? " result is" : " results are") +
                     " on a different grid than the image, which has changed since: " +
                     (dropped == 1 ? "it was" : "they were") +
                     " left out and will be recomputed when needed");
}

void remove_unused_labels(const fs::path& session, const std::string& text) {
  const std::string stem = session.stem().string() + "-";
  std::vector<fs::path> unused;
  std::error_code ignored;
  for (fs::directory_iterator entry(session.parent_path(), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    const bool is_ours = name.size() == stem.size() + kHashDigits + kSuffix.size() &&
                         name.starts_with(stem) && !hash_in(name).empty();
    if (is_ours && text.find(name) == std::string::npos) unused.push_back(entry->path());
  }
  for (const fs::path& file : unused)
    fs::remove(file, ignored);
}

}  // namespace seedwave
