// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/label_table.h"
#include "core/io/labels.h"
#include "core/parallel/label_boxes.h"
#include "core/session/session_file.h"
#include "ui/models/file_opener.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>

namespace seedwave::ui {

namespace fs = std::filesystem;

namespace {

/// An image with more distinct values than this is a label map only if it numbers objects.
constexpr std::size_t kMostLabelsOfMask = 100;

struct OpeningText {
  Q_DECLARE_TR_FUNCTIONS(OpenedTogether)
};

QString name_of(const QString& path) {
  return QFileInfo(path).fileName();
}

/// A path that contains images, and its scan.
struct ImagePath {
  QString path;
  io::Scan scan;

  [[nodiscard]] bool is_single_file() const {
    return scan.items.size() == 1 && scan.items.front().usable &&
           scan.items.front().format != "dicom";
  }
};

/// Returns whether each label has a place of its own, unlike the values of an image: together their
/// boxes are not much larger than the labels themselves, and more lies between them than in a ramp.
bool number_objects(const LabelMap& labels, std::int64_t labelled, Context& context) {
  constexpr std::int64_t kLargestBoxes = 4;
  constexpr double kMostLabelled = 0.95;
  const auto all = static_cast<double>(labels.geometry().voxel_count());
  if (static_cast<double>(labelled) > kMostLabelled * all) return false;
  std::int64_t in_boxes = 0;
  for (const auto& [label, box] : label_boxes(labels, context)) {
    std::int64_t voxels = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      voxels *= box.hi[axis] - box.lo[axis];
    in_boxes += voxels;
  }
  return in_boxes <= kLargestBoxes * labelled;
}

/// Reads the labels of a file; nothing if its values are not labels.
std::optional<LabelMap> labels_of(const ImagePath& image, Context& context) {
  if (image.scan.items.front().components != 1) return std::nullopt;
  try {
    LabelMap labels = io::read_labels(image.path.toStdString(), context);
    const auto counts = count_labels(labels);
    std::int64_t labelled = 0;
    for (const auto& [id, count] : counts)
      labelled += count;
    const bool has_background = labelled < labels.geometry().voxel_count();
    if (!has_background) return std::nullopt;
    if (counts.size() > kMostLabelsOfMask && !number_objects(labels, labelled, context))
      return std::nullopt;
    return labels;
  } catch (const InputError&) {
    return std::nullopt;  // fractions or negative values: an image
  }
}

void add(io::Scan& whole, io::Scan part) {
  std::move(part.items.begin(), part.items.end(), std::back_inserter(whole.items));
  std::move(part.skipped.begin(), part.skipped.end(), std::back_inserter(whole.skipped));
}

/// Assigns study and reference among several files with one image each.
void choose_study(std::vector<ImagePath> images, OpenedTogether& opened, Context& context) {
  const auto study = std::find_if(images.begin(), images.end(), [&](const ImagePath& image) {
    return !labels_of(image, context);
  });
  // If there are only label maps, the first is opened as an image.
  std::iter_swap(images.begin(), study == images.end() ? images.begin() : study);
  const Geometry& grid = images.front().scan.items.front().geometry;
  for (auto image = std::next(images.begin()); image != images.end(); ++image) {
    const bool same_size = image->scan.items.front().geometry.size == grid.size;
    const std::optional<LabelMap> labels =
        same_size && opened.reference.isEmpty() ? labels_of(*image, context) : std::nullopt;
    if (labels && io::fit_labels(*labels, grid)) {
      opened.reference = image->path;
    } else {
      opened.left_out
          << OpeningText::tr("%1: another image; open it separately").arg(name_of(image->path));
    }
  }
  opened.study = images.front().path;
  opened.scan = std::move(images.front().scan);
}

}  // namespace

bool is_label_table(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  return suffix == QLatin1String("ctbl") || suffix == QLatin1String("label") ||
         suffix == QLatin1String("txt");
}

int OpenedTogether::only_item() const {
  int found = -1;
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    if (!scan.items[i].usable) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

OpenedTogether sort_paths(const QStringList& paths, Context& context) {
  OpenedTogether opened;
  opened.several = paths.size() > 1;
  std::vector<ImagePath> images;
  for (const QString& path : paths) {
    const fs::path file = path.toStdString();
    const bool is_file = fs::is_regular_file(file);
    if (is_file && is_session_file(file)) {
      if (opened.session.isEmpty()) {
        opened.session = path;
      } else {
        opened.left_out << OpeningText::tr("%1: one session at a time").arg(name_of(path));
      }
    } else if (is_file && io::is_seed_file(file)) {
      if (opened.seeds.isEmpty()) {
        opened.seeds = path;
      } else {
        opened.left_out
            << OpeningText::tr("%1: only one file with strokes can be opened").arg(name_of(path));
      }
    } else if (is_file && is_label_table(path)) {
      if (opened.label_table.isEmpty()) {
        opened.label_table = path;
      } else {
        opened.left_out
            << OpeningText::tr("%1: only one label table can be opened").arg(name_of(path));
      }
    } else {
      images.push_back({path, io::scan(file, context)});
    }
  }
  if (!opened.session.isEmpty()) {
    for (const QString& path : paths) {
      if (path == opened.session) continue;
      opened.left_out
          << OpeningText::tr("%1: a session has its own image and strokes").arg(name_of(path));
    }
    return opened;
  }
  const bool all_single = std::all_of(images.begin(), images.end(),
                                      [](const ImagePath& each) { return each.is_single_file(); });
  if (images.size() > 1 && all_single) {
    choose_study(std::move(images), opened, context);
    return opened;
  }
  if (!images.empty()) opened.study = images.front().path;
  for (ImagePath& image : images)
    add(opened.scan, std::move(image.scan));
  return opened;
}

}  // namespace seedwave::ui
