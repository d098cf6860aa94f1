// SPDX-License-Identifier: Apache-2.0
#include "ui/models/workbench.h"

#include "core/base/file_name.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"

#include <algorithm>
#include <array>
#include <utility>

namespace seedwave::ui {

namespace {

/// The background is fainter than the objects so that the image stays visible, and left out of 3-D.
constexpr double kBackgroundOpacity = 0.3;

std::vector<LabelEntry> with_faint_background(std::vector<LabelEntry> labels) {
  for (LabelEntry& entry : labels) {
    if (is_background_name(entry.name) && entry.opacity == 1.0) entry.opacity = kBackgroundOpacity;
  }
  return labels;
}

/// The operation that the window starts with: of a slide a map of its tissues.
std::string default_operation(const io::LoadedImage& image) {
  if (image.slide != nullptr) return "tissue";
  return !image.volume.empty() && image.volume.geometry().is_2d() ? "irfc" : "segment";
}

}  // namespace

Workbench::Workbench(QObject* parent) : QObject(parent), steps_(*this) {
  document_.labels = with_faint_background(default_labels());
  document_.operation = default_operation(opened_.loaded);
}

Document Workbench::fresh_document(const PreparedImage& image, const Source& source) const {
  Document fresh;
  fresh.image = source;
  const bool is_chosen = document_.operation != default_operation(opened_.loaded);
  fresh.operation = is_chosen ? document_.operation : default_operation(image.loaded);
  fresh.backend = document_.backend;
  fresh.view = document_.view;
  fresh.view.cursor = image.loaded.volume.geometry().centre();
  fresh.view.window_centre = 0.0;
  fresh.view.window_width = 0.0;
  fresh.view.zoom = 1.0;
  fresh.channel = image.channel;
  return fresh;
}

void Workbench::set_image(const PreparedImage& image, const Source& source, const SeedSet& seeds,
                          const std::vector<LabelEntry>& labels) {
  Document fresh = fresh_document(image, source);
  fresh.seeds = seeds;
  fresh.labels = with_faint_background(labels);
  set_image(image, fresh);
}

void Workbench::set_next_case(const PreparedImage& image, const Source& source,
                              const SeedSet& seeds, const std::vector<LabelEntry>& labels) {
  Document next = fresh_document(image, source);
  next.seeds = seeds;
  next.labels = with_faint_background(labels);
  next.current_label = document_.current_label;
  next.values = document_.values;
  next.requested = document_.requested;
  next.algorithm = document_.algorithm;
  next.scored = document_.scored;
  set_image(image, next);
}

void Workbench::set_image(const PreparedImage& image, const Document& document) {
  steps_.undo_stack().clear();
  set_part(image, document);
}

void Workbench::set_part(const PreparedImage& image, const Document& document) {
  channel_task_.cancel();
  opened_ = image;
  reference_ = {};
  document_ = document;
  if (document_.labels.empty()) document_.labels = default_labels();
  if (document_.find_label(document_.current_label) == nullptr) {
    document_.current_label = document_.labels.front().id;
  }
  document_.channel = image.channel;
  emit image_changed();
  emit reference_changed();
  emit scored_changed(document_.scored);
  emit current_label_changed(document_.current_label);
  emit view_changed(document_.view);
}

void Workbench::set_reference(const LabelMap& reference, const Source& source,
                              const LabelCounts& counts, const std::vector<io::LabelName>& names) {
  reference_ = {.labels = reference};
  std::int64_t labelled = 0;
  for (const auto& [id, count] : counts) {
    reference_.ids.insert(id);
    labelled += count;
  }
  reference_.share = static_cast<double>(labelled) / static_cast<double>(std::max<std::int64_t>(
                                                         1, image().geometry().voxel_count()));
  document_.reference = source;
  if (document_.seeds.strokes.empty()) take_labels_of_reference(names);
  emit reference_changed();
}

/// "liver.nii.gz" contains a liver; "mask.nii.gz" could contain anything.
QString Workbench::name_of_mask(const Source& source) {
  constexpr std::array kSaysNothing{"label", "labels", "mask", "reference", "seg", "segmentation"};
  constexpr qsizetype kLongest = 32;
  const QString name = QString::fromStdString(without_gz(source.path).stem().string());
  const bool says_nothing =
      std::any_of(kSaysNothing.begin(), kSaysNothing.end(), [&](const char* word) {
        return name.compare(QLatin1String(word), Qt::CaseInsensitive) == 0;
      });
  if (name.isEmpty() || name.size() > kLongest || says_nothing) return tr("foreground");
  return name;
}

void Workbench::take_labels_of_reference(const std::vector<io::LabelName>& names) {
  // 65535 is a mark ("ignore"), not a label that can be painted.
  std::set<Label> ids = reference_.ids;
  ids.erase(ids.upper_bound(kLargestLabel), ids.end());
  if (ids.empty()) return;
  std::vector<LabelEntry> labels;
  for (const Label id : ids) {
    const LabelEntry* known = document_.find_label(id);
    // A default name ("object") says nothing about the label of that id in the reference.
    const bool keeps =
        known != nullptr && !is_background_name(known->name) && !has_default_name(*known);
    // The only label of a mask needs no number.
    const QString title =
        ids.size() == 1 ? name_of_mask(document_.reference) : tr("label %1").arg(id);
    labels.push_back(keeps ? *known : make_label(id, title.toStdString()));
    const auto given = std::find_if(names.begin(), names.end(),
                                    [id](const io::LabelName& name) { return name.id == id; });
    if (given == names.end()) continue;
    if (!given->name.empty()) labels.back().name = given->name;
    if (!given->color.empty()) labels.back().color = given->color;
  }
  // Above the others, but not above a mark at the end of a byte or word ("ignore").
  constexpr Label kMarks = 255;
  const Label largest = *ids.rbegin();
  const Label free_id = free_label_id(largest < kMarks ? largest + 1 : 1, ids);
  if (free_id != 0) {
    LabelEntry background = make_label(free_id, tr("background").toStdString());
    background.opacity = kBackgroundOpacity;
    labels.push_back(background);
  }
  steps_.set_labels(labels, tr("labels of the reference"));
  if (document_.find_label(document_.current_label) == nullptr) {
    set_current_label(document_.labels.front().id);
  }
}

void Workbench::clear_reference() {
  if (reference_.labels.empty()) return;
  reference_ = {};
  document_.reference = {};
  emit reference_changed();
}

void Workbench::set_scored(Scored scored) {
  if (scored == document_.scored) return;
  document_.scored = scored;
  emit scored_changed(scored);
}

QString Workbench::label_name(Label id) const {
  if (id == 0) return tr("none");
  const LabelEntry* entry = document_.find_label(id);
  return entry == nullptr ? tr("label %1").arg(id) : QString::fromStdString(entry->name);
}

std::vector<io::LabelName> Workbench::label_names() const {
  std::vector<io::LabelName> names;
  for (const LabelEntry& entry : document_.labels) {
    names.push_back(
        {.id = entry.id, .name = entry.name, .color = entry.color, .opacity = entry.opacity});
  }
  return names;
}

QString Workbench::label_color(Label id) const {
  const LabelEntry* entry = document_.find_label(id);
  return entry == nullptr ? QString() : QString::fromStdString(entry->color);
}

void Workbench::set_current_label(Label id) {
  if (id == document_.current_label || document_.find_label(id) == nullptr) return;
  document_.current_label = id;
  emit current_label_changed(id);
}

void Workbench::set_view(const ViewState& view) {
  if (view == document_.view) return;
  document_.view = view;
  emit view_changed(view);
}

void Workbench::take_channel() {
  if (image().components() != 3) return;
  opened_.scene = {};
  channel_task_.start([this, image = image(), channel = document_.channel](Context&) {
    return [this, scene = make_scene(image, channel)] {
      opened_.scene = scene;
      emit scene_changed();
    };
  });
}

}  // namespace seedwave::ui
