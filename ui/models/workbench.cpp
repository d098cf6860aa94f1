// SPDX-License-Identifier: Apache-2.0
#include "ui/models/workbench.h"

#include "core/base/file_name.h"
#include "core/image/label_color.h"
#include "core/image/largest_label.h"
#include "ui/models/document_commands.h"
#include "ui/models/label_palette.h"

#include <algorithm>
#include <array>
#include <type_traits>
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

/// The crosshair starts at the centre of the image.
Vec3 centre_of(const Geometry& geometry) {
  return geometry.to_world(Vec3{static_cast<double>(geometry.size[0] - 1) / 2.0,
                                static_cast<double>(geometry.size[1] - 1) / 2.0,
                                static_cast<double>(geometry.size[2] - 1) / 2.0});
}

/// Returns the lowest id from `from` on that is not in `taken`; 0 if there is none.
std::uint16_t free_id_from(int from, const std::set<std::uint16_t>& taken) {
  for (int id = from; id <= kLargestLabel; ++id) {
    if (!taken.contains(static_cast<std::uint16_t>(id))) return static_cast<std::uint16_t>(id);
  }
  return 0;
}

}  // namespace

LabelEntry make_label(std::uint16_t id, const std::string& name) {
  return {
      .id = id, .name = name, .color = to_hex(label_color(id)), .opacity = 1.0, .visible = true};
}

Workbench::Workbench(QObject* parent) : QObject(parent) {
  document_.labels = with_faint_background(default_labels());
}

void Workbench::start_document(const PreparedImage& image) {
  undo_stack_.clear();
  channel_task_.cancel();
  image_ = image.loaded.volume;
  hints_ = image.loaded.hints;
  image_warnings_ = image.loaded.warnings;
  scene_ = image.scene;
  automatic_window_ = image.automatic_window;
  picture_levels_ = image.levels;
  in_patient_ = image.in_patient;
  reference_ = LabelMap();
  reference_ids_.clear();
}

void Workbench::set_image(const PreparedImage& image, const Source& source, const SeedSet& seeds,
                          const std::vector<LabelEntry>& labels) {
  Document fresh;
  fresh.image = source;
  fresh.seeds = seeds;
  fresh.labels = with_faint_background(labels);
  // Working preferences outlive the image; everything that belongs to the image does not.
  fresh.operation = document_.operation;
  fresh.backend = document_.backend;
  fresh.view = document_.view;
  fresh.view.cursor = centre_of(image.loaded.volume.geometry());
  fresh.view.window_centre = 0.0;
  fresh.view.window_width = 0.0;
  fresh.view.zoom = 1.0;
  fresh.channel = image.channel;
  set_image(image, fresh);
}

void Workbench::set_image(const PreparedImage& image, const Document& document) {
  start_document(image);
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
                              const std::map<std::uint16_t, std::int64_t>& counts,
                              const std::vector<io::LabelName>& names) {
  reference_ = reference;
  reference_ids_.clear();
  std::int64_t labelled = 0;
  for (const auto& [id, count] : counts) {
    reference_ids_.insert(id);
    labelled += count;
  }
  reference_share_ = static_cast<double>(labelled) / static_cast<double>(std::max<std::int64_t>(
                                                         1, image_.geometry().voxel_count()));
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
  std::set<std::uint16_t> ids = reference_ids_;
  ids.erase(ids.upper_bound(kLargestLabel), ids.end());
  if (ids.empty()) return;
  const std::vector<LabelEntry> fresh = default_labels();
  std::vector<LabelEntry> labels;
  for (const std::uint16_t id : ids) {
    const LabelEntry* known = document_.find_label(id);
    // A default name ("object") says nothing about the label of that id in the reference.
    const bool keeps = known != nullptr && !is_background_name(known->name) &&
                       std::none_of(fresh.begin(), fresh.end(), [known](const LabelEntry& each) {
                         return each.name == known->name;
                       });
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
  constexpr std::uint16_t kMarks = 255;
  const std::uint16_t largest = *ids.rbegin();
  const std::uint16_t free_id = free_id_from(largest < kMarks ? largest + 1 : 1, ids);
  if (free_id != 0) {
    LabelEntry background = make_label(free_id, tr("background").toStdString());
    background.opacity = kBackgroundOpacity;
    labels.push_back(background);
  }
  set_labels(labels, tr("labels of the reference"));
  if (document_.find_label(document_.current_label) == nullptr) {
    set_current_label(document_.labels.front().id);
  }
}

void Workbench::clear_reference() {
  if (reference_.empty()) return;
  reference_ = LabelMap();
  reference_ids_.clear();
  document_.reference = {};
  emit reference_changed();
}

void Workbench::set_scored(Scored scored) {
  if (scored == document_.scored) return;
  document_.scored = scored;
  emit scored_changed(scored);
}

Values Workbench::values() const {
  const auto found = document_.values.find(document_.operation);
  return found == document_.values.end() ? Values() : found->second;
}

QString Workbench::label_name(std::uint16_t id) const {
  if (id == 0) return tr("none");
  const LabelEntry* entry = document_.find_label(id);
  return entry == nullptr ? tr("label %1").arg(id) : QString::fromStdString(entry->name);
}

QString Workbench::label_color(std::uint16_t id) const {
  const LabelEntry* entry = document_.find_label(id);
  return entry == nullptr ? QString() : QString::fromStdString(entry->color);
}

QString Workbench::stroke_step_name(const Stroke& stroke) const {
  return stroke.label == 0 ? tr("erasing stroke")
                           : tr("stroke of %1").arg(label_name(stroke.label));
}

void Workbench::add_stroke(const Stroke& stroke) {
  if (stroke.points.empty()) return;
  undo_stack_.push(new AddStroke(*this, stroke, stroke_step_name(stroke)));
}

void Workbench::withdraw_strokes(std::vector<std::size_t> rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto& strokes = document_.seeds.strokes;
  std::erase_if(rows, [&](std::size_t row) { return row >= strokes.size(); });
  if (rows.empty()) return;
  const QString name = rows.size() == 1
                           ? tr("withdraw %1").arg(stroke_step_name(strokes[rows.front()]))
                           : tr("withdraw %n stroke(s)", nullptr, static_cast<int>(rows.size()));
  undo_stack_.push(new WithdrawStrokes(*this, std::move(rows), name));
}

void Workbench::import_seeds(const SeedSet& seeds, const std::vector<LabelEntry>& labels) {
  if (seeds == document_.seeds && labels == document_.labels) return;
  undo_stack_.beginMacro(tr("import of seeds"));
  set_labels(labels, tr("labels of the seeds"));
  undo_stack_.push(new ChangeMember<SeedSet>(*this, Part::Seeds, &Document::seeds, seeds,
                                             tr("import of seeds")));
  undo_stack_.endMacro();
}

void Workbench::add_label() {
  auto labels = document_.labels;
  std::set<std::uint16_t> ids;
  for (const LabelEntry& entry : labels)
    ids.insert(entry.id);
  const int largest = ids.empty() ? 0 : *ids.rbegin();
  const std::uint16_t id = free_id_from(largest < kLargestLabel ? largest + 1 : 1, ids);
  if (id == 0) return;
  LabelEntry added = make_label(id, tr("label %1").arg(id).toStdString());
  added.color = to_hex(color_of(palette_of(labels), id));
  labels.push_back(std::move(added));
  set_labels(labels, tr("new label"));
  set_current_label(id);
}

void Workbench::remove_label(std::uint16_t id) {
  auto labels = document_.labels;
  if (labels.size() < 2 || document_.find_label(id) == nullptr) return;
  std::erase_if(labels, [&](const LabelEntry& entry) { return entry.id == id; });
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < document_.seeds.strokes.size(); ++i) {
    if (document_.seeds.strokes[i].label == id) rows.push_back(i);
  }
  undo_stack_.beginMacro(tr("removal of %1").arg(label_name(id)));
  withdraw_strokes(rows);
  set_labels(labels, tr("removal of %1").arg(label_name(id)));
  undo_stack_.endMacro();
  if (document_.current_label == id) set_current_label(document_.labels.front().id);
}

void Workbench::change_label(const LabelEntry& entry, Gesture gesture) {
  auto labels = document_.labels;
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const LabelEntry& each) { return each.id == entry.id; });
  if (found == labels.end() || *found == entry) return;
  const QString name = tr("change of label %1").arg(label_name(entry.id));
  *found = entry;
  undo_stack_.push(new ChangeMember<std::vector<LabelEntry>>(
      *this, Part::Labels, &Document::labels, std::move(labels), name,
      "label " + std::to_string(entry.id), gesture));
}

void Workbench::set_labels(const std::vector<LabelEntry>& labels, const QString& step_name) {
  if (labels == document_.labels || labels.empty()) return;
  undo_stack_.push(new ChangeMember<std::vector<LabelEntry>>(*this, Part::Labels, &Document::labels,
                                                             labels, step_name));
}

void Workbench::set_value(const std::string& parameter, const Value& value, const QString& title,
                          Gesture gesture) {
  auto all = document_.values;
  Values& values = all[document_.operation];
  if (values.has(parameter) && values.at(parameter) == value) return;
  values.set(parameter, value);
  gesture_ = gesture;
  undo_stack_.push(new ChangeMember<std::map<std::string, Values>>(
      *this, Part::Values, &Document::values, std::move(all), tr("change of %1").arg(title),
      document_.operation + "/" + parameter, gesture));
  gesture_ = Gesture::New;
}

void Workbench::set_values(const Values& values, const QString& title, Gesture gesture) {
  if (values == this->values()) return;
  auto all = document_.values;
  all[document_.operation] = values;
  if (values == Values()) all.erase(document_.operation);
  gesture_ = gesture;
  undo_stack_.push(new ChangeMember<std::map<std::string, Values>>(
      *this, Part::Values, &Document::values, std::move(all), tr("change of %1").arg(title),
      document_.operation + "/*", gesture));
  gesture_ = Gesture::New;
}

void Workbench::reset_value(const std::string& parameter, const QString& title) {
  if (!values().has(parameter)) return;
  auto all = document_.values;
  Values kept;
  for (const auto& [id, value] : all[document_.operation]) {
    if (id != parameter) kept.set(id, value);
  }
  all[document_.operation] = kept;
  undo_stack_.push(new ChangeMember<std::map<std::string, Values>>(
      *this, Part::Values, &Document::values, std::move(all), tr("reset of %1").arg(title)));
}

void Workbench::set_operation(const std::string& id, const QString& title) {
  if (id == document_.operation) return;
  undo_stack_.push(new ChangeMember<std::string>(*this, Part::Operation, &Document::operation, id,
                                                 tr("choice of %1").arg(title)));
}

void Workbench::set_algorithm(const std::string& algorithm, const std::string& backend) {
  if (algorithm == document_.algorithm && backend == document_.backend) return;
  const QString name = tr("choice of algorithm");
  undo_stack_.beginMacro(name);
  undo_stack_.push(
      new ChangeMember<std::string>(*this, Part::Algorithm, &Document::algorithm, algorithm, name));
  undo_stack_.push(
      new ChangeMember<std::string>(*this, Part::Algorithm, &Document::backend, backend, name));
  undo_stack_.endMacro();
}

void Workbench::set_channel(const std::string& channel) {
  if (channel == document_.channel) return;
  undo_stack_.push(new ChangeMember<std::string>(*this, Part::Channel, &Document::channel, channel,
                                                 tr("choice of channel")));
}

InputChoices Workbench::inputs() const {
  const auto found = document_.inputs.find(document_.operation);
  return found == document_.inputs.end() ? InputChoices() : found->second;
}

void Workbench::set_input(const std::string& input, const std::optional<InputChoice>& choice) {
  auto all = document_.inputs;
  InputChoices& inputs = all[document_.operation];
  if (choice) {
    inputs[input] = *choice;
  } else {
    inputs.erase(input);
  }
  if (inputs.empty()) all.erase(document_.operation);
  if (all == document_.inputs) return;
  undo_stack_.push(new ChangeMember<std::map<std::string, InputChoices>>(
      *this, Part::Inputs, &Document::inputs, std::move(all),
      tr("choice of %1").arg(QString::fromStdString(input))));
}

void Workbench::set_requested(const std::string& output, bool requested) {
  auto all = document_.requested;
  std::set<std::string>& outputs = all[document_.operation];
  if (requested) {
    outputs.insert(output);
  } else {
    outputs.erase(output);
  }
  if (outputs.empty()) all.erase(document_.operation);
  if (all == document_.requested) return;
  undo_stack_.push(new ChangeMember<std::map<std::string, std::set<std::string>>>(
      *this, Part::Inputs, &Document::requested, std::move(all),
      tr("choice of %1").arg(QString::fromStdString(output))));
}

void Workbench::restore(const Recipe& recipe, const QString& step_name) {
  Document after = document_;
  after.seeds = recipe.seeds.as_set();
  after.operation = recipe.operation;
  after.values[recipe.operation] = recipe.values;
  after.inputs[recipe.operation] = recipe.inputs;
  if (recipe.inputs.empty()) after.inputs.erase(recipe.operation);
  after.requested[recipe.operation] = recipe.requested;
  if (recipe.requested.empty()) after.requested.erase(recipe.operation);
  if (!recipe.channel.empty() && image_.components() == 3) after.channel = recipe.channel;
  if (after == document_) return;
  undo_stack_.beginMacro(step_name);
  const auto put = [&](Part part, auto member) {
    using Member = std::remove_reference_t<decltype(after.*member)>;
    undo_stack_.push(
        new ChangeMember<Member>(*this, part, member, std::move(after.*member), step_name));
  };
  // Read again only if it differs: that takes a pass over the image.
  if (after.channel != document_.channel) put(Part::Channel, &Document::channel);
  put(Part::Operation, &Document::operation);
  put(Part::Values, &Document::values);
  put(Part::Inputs, &Document::inputs);
  put(Part::Inputs, &Document::requested);
  put(Part::Seeds, &Document::seeds);
  undo_stack_.endMacro();
}

void Workbench::set_current_label(std::uint16_t id) {
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
  if (image_.components() != 3) return;
  scene_ = {};
  channel_task_.start([this, image = image_, channel = document_.channel](Context&) {
    return [this, scene = make_scene(image, channel)] {
      scene_ = scene;
      emit scene_changed();
    };
  });
}

}  // namespace seedwave::ui
