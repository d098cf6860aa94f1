// SPDX-License-Identifier: Apache-2.0
#include "ui/models/document_steps.h"

#include "core/image/label_color.h"
#include "core/image/label_map.h"
#include "ui/models/label_palette.h"
#include "ui/models/workbench.h"

#include <QUndoCommand>

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace seedwave::ui {

/// A step of the document. The base class gives derived classes the document and notifies
/// listeners.
class DocumentCommand : public QUndoCommand {
 public:
  DocumentCommand(DocumentSteps& steps, Part part, const QString& name)
      : QUndoCommand(name), steps_(steps), part_(part), view_(steps.document().image.view) {}

 protected:
  [[nodiscard]] Document& document() const { return steps_.document(); }
  void tell() const { steps_.tell(part_); }
  [[nodiscard]] Part part() const { return part_; }
  /// Returns whether the step changes what lies on the pixels of another part of the slide than the
  /// open one: it does nothing there.
  [[nodiscard]] bool is_elsewhere() const {
    const bool is_bound = part_ == Part::Edits || part_ == Part::Inputs;
    return is_bound && view_ != document().image.view;
  }

 private:
  DocumentSteps& steps_;  // owns the undo stack that owns this
  Part part_;
  io::SlideView view_;
};

namespace {

/// Adds a stroke at the end. A step costs the stroke, not all strokes.
class AddStroke final : public DocumentCommand {
 public:
  AddStroke(DocumentSteps& steps, Stroke stroke, const QString& name)
      : DocumentCommand(steps, Part::Seeds, name), stroke_(std::move(stroke)) {}

  void redo() override {
    document().seeds.strokes.push_back(stroke_);
    tell();
  }
  void undo() override {
    document().seeds.strokes.pop_back();
    tell();
  }

 private:
  Stroke stroke_;
};

/// Removes strokes at any places in the list.
class WithdrawStrokes final : public DocumentCommand {
 public:
  /// `rows` ascending, unique, and inside the list.
  WithdrawStrokes(DocumentSteps& steps, std::vector<std::size_t> rows, const QString& name)
      : DocumentCommand(steps, Part::Seeds, name), rows_(std::move(rows)) {
    for (const std::size_t row : rows_)
      strokes_.push_back(document().seeds.strokes[row]);
  }

  void redo() override {
    auto& strokes = document().seeds.strokes;
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row)
      strokes.erase(strokes.begin() + static_cast<std::ptrdiff_t>(*row));
    tell();
  }
  void undo() override {
    auto& strokes = document().seeds.strokes;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      strokes.insert(strokes.begin() + static_cast<std::ptrdiff_t>(rows_[i]), strokes_[i]);
    tell();
  }

 private:
  std::vector<std::size_t> rows_;
  std::vector<Stroke> strokes_;
};

/// Replaces one member of the document. Two changes with the same key become one step if the second
/// continues the first (Gesture::Continued). The step vanishes if it ends where it began.
template <typename Member>
class ChangeMember final : public DocumentCommand {
 public:
  ChangeMember(DocumentSteps& steps, Part part, Member Document::*member, Member after,
               const QString& name, std::string key = {}, Gesture gesture = Gesture::New)
      : DocumentCommand(steps, part, name),
        member_(member),
        before_(document().*member),
        after_(std::move(after)),
        key_(std::move(key)),
        gesture_(gesture) {}

  void redo() override { put(after_); }
  void undo() override { put(before_); }
  [[nodiscard]] int id() const override { return key_.empty() ? -1 : static_cast<int>(part()) + 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = dynamic_cast<const ChangeMember*>(other);
    if (next == nullptr || next->gesture_ != Gesture::Continued || next->key_ != key_) return false;
    after_ = next->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  void put(const Member& value) {
    if (is_elsewhere()) return;
    document().*member_ = value;
    tell();
  }

  Member Document::*member_;
  Member before_;
  Member after_;
  std::string key_;
  Gesture gesture_;
};

}  // namespace

LabelEntry make_label(Label id, const std::string& name) {
  return {
      .id = id, .name = name, .color = to_hex(label_color(id)), .opacity = 1.0, .visible = true};
}

Label free_label_id(Label from, const std::set<Label>& taken) {
  for (Label id = from; id <= kLargestLabel; ++id) {
    if (!taken.contains(id)) return id;
  }
  return 0;
}

Document& DocumentSteps::document() const {
  return workbench_.document_;
}

void DocumentSteps::tell(Part part) {
  ++changes_;
  if (part == Part::Channel) workbench_.take_channel();
  emit workbench_.part_changed(part);
}

QString DocumentSteps::stroke_step_name(const Stroke& stroke) const {
  return stroke.label == 0 ? tr("erasing stroke")
                           : tr("stroke of %1").arg(workbench_.label_name(stroke.label));
}

void DocumentSteps::add_stroke(const Stroke& stroke) {
  if (stroke.points.empty()) return;
  undo_stack_.push(new AddStroke(*this, stroke, stroke_step_name(stroke)));
}

void DocumentSteps::withdraw_strokes(std::vector<std::size_t> rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto& strokes = document().seeds.strokes;
  std::erase_if(rows, [&](std::size_t row) { return row >= strokes.size(); });
  if (rows.empty()) return;
  const QString name = rows.size() == 1
                           ? tr("removal of %1").arg(stroke_step_name(strokes[rows.front()]))
                           : tr("removal of %n stroke(s)", nullptr, static_cast<int>(rows.size()));
  undo_stack_.push(new WithdrawStrokes(*this, std::move(rows), name));
}

void DocumentSteps::set_edits(const Edits& edits, const QString& step_name) {
  if (edits == document().edits) return;
  undo_stack_.push(new ChangeMember<Edits>(*this, Part::Edits, &Document::edits, edits, step_name));
}

void DocumentSteps::set_regions(Regions regions, const QString& step_name) {
  if (regions == document().regions) return;
  undo_stack_.push(new ChangeMember<Regions>(*this, Part::Regions, &Document::regions,
                                             std::move(regions), step_name));
}

void DocumentSteps::set_regions(Regions regions, const std::vector<LabelEntry>& labels,
                                const QString& step_name) {
  undo_stack_.beginMacro(step_name);
  set_labels(labels, step_name);
  set_regions(std::move(regions), step_name);
  undo_stack_.endMacro();
}

void DocumentSteps::import_seeds(const SeedSet& seeds, const std::vector<LabelEntry>& labels) {
  if (seeds == document().seeds && labels == document().labels) return;
  undo_stack_.beginMacro(tr("import of seeds"));
  set_labels(labels, tr("labels of the seeds"));
  undo_stack_.push(new ChangeMember<SeedSet>(*this, Part::Seeds, &Document::seeds, seeds,
                                             tr("import of seeds")));
  undo_stack_.endMacro();
}

void DocumentSteps::add_label() {
  auto labels = document().labels;
  std::set<Label> ids;
  for (const LabelEntry& entry : labels)
    ids.insert(entry.id);
  const Label largest = ids.empty() ? 0 : *ids.rbegin();
  const Label id = free_label_id(largest < kLargestLabel ? largest + 1 : 1, ids);
  if (id == 0) return;
  LabelEntry added = make_label(id, tr("label %1").arg(id).toStdString());
  added.color = to_hex(color_of(palette_of(labels), id));
  labels.push_back(std::move(added));
  set_labels(labels, tr("new label"));
  workbench_.set_current_label(id);
}

void DocumentSteps::remove_label(Label id) {
  auto labels = document().labels;
  if (labels.size() < 2 || document().find_label(id) == nullptr) return;
  std::erase_if(labels, [&](const LabelEntry& entry) { return entry.id == id; });
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < document().seeds.strokes.size(); ++i) {
    if (document().seeds.strokes[i].label == id) rows.push_back(i);
  }
  undo_stack_.beginMacro(tr("removal of %1").arg(workbench_.label_name(id)));
  withdraw_strokes(rows);
  // Its regions stay, without a class.
  Regions regions = document().regions;
  for (auto& region : regions) {
    if (region->label == id) region = relabelled(*region, 0);
  }
  set_regions(std::move(regions), tr("removal of %1").arg(workbench_.label_name(id)));
  set_labels(labels, tr("removal of %1").arg(workbench_.label_name(id)));
  undo_stack_.endMacro();
  if (document().current_label == id) workbench_.set_current_label(document().labels.front().id);
}

void DocumentSteps::change_label(const LabelEntry& entry, Gesture gesture) {
  auto labels = document().labels;
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const LabelEntry& each) { return each.id == entry.id; });
  if (found == labels.end() || *found == entry) return;
  const QString name = tr("change of label %1").arg(workbench_.label_name(entry.id));
  *found = entry;
  undo_stack_.push(new ChangeMember<std::vector<LabelEntry>>(
      *this, Part::Labels, &Document::labels, std::move(labels), name,
      "label " + std::to_string(entry.id), gesture));
}

void DocumentSteps::set_labels(const std::vector<LabelEntry>& labels, const QString& step_name) {
  if (labels == document().labels || labels.empty()) return;
  undo_stack_.push(new ChangeMember<std::vector<LabelEntry>>(*this, Part::Labels, &Document::labels,
                                                             labels, step_name));
}

void DocumentSteps::set_value(const std::string& parameter, const Value& value,
                              const QString& title, Gesture gesture) {
  auto all = document().values;
  Values& values = all[document().operation];
  if (values.has(parameter) && values.at(parameter) == value) return;
  values.set(parameter, value);
  gesture_ = gesture;
  undo_stack_.push(new ChangeMember<std::map<std::string, Values>>(
      *this, Part::Values, &Document::values, std::move(all), tr("change of %1").arg(title),
      document().operation + "/" + parameter, gesture));
  gesture_ = Gesture::New;
}

void DocumentSteps::set_values(const Values& values, const QString& title, Gesture gesture) {
  if (values == document().current_values()) return;
  auto all = document().values;
  all[document().operation] = values;
  if (values == Values()) all.erase(document().operation);
  gesture_ = gesture;
  undo_stack_.push(new ChangeMember<std::map<std::string, Values>>(
      *this, Part::Values, &Document::values, std::move(all), tr("change of %1").arg(title),
      document().operation + "/*", gesture));
  gesture_ = Gesture::New;
}

void DocumentSteps::reset_value(const std::string& parameter, const QString& title) {
  if (!document().current_values().has(parameter)) return;
  auto all = document().values;
  Values kept;
  for (const auto& [id, value] : all[document().operation]) {
    if (id != parameter) kept.set(id, value);
  }
  all[document().operation] = kept;
  undo_stack_.push(new ChangeMember<std::map<std::string, Values>>(
      *this, Part::Values, &Document::values, std::move(all), tr("reset of %1").arg(title)));
}

void DocumentSteps::set_operation(const std::string& id, const QString& title) {
  if (id == document().operation) return;
  undo_stack_.push(new ChangeMember<std::string>(*this, Part::Operation, &Document::operation, id,
                                                 tr("choice of %1").arg(title)));
}

void DocumentSteps::set_algorithm(const std::string& algorithm, const std::string& backend) {
  if (algorithm == document().algorithm && backend == document().backend) return;
  const QString name = tr("choice of algorithm");
  undo_stack_.beginMacro(name);
  undo_stack_.push(
      new ChangeMember<std::string>(*this, Part::Algorithm, &Document::algorithm, algorithm, name));
  undo_stack_.push(
      new ChangeMember<std::string>(*this, Part::Algorithm, &Document::backend, backend, name));
  undo_stack_.endMacro();
}

void DocumentSteps::set_channel(const std::string& channel) {
  if (channel == document().channel) return;
  undo_stack_.push(new ChangeMember<std::string>(*this, Part::Channel, &Document::channel, channel,
                                                 tr("choice of channel")));
}

void DocumentSteps::set_own_channels(const std::vector<std::string>& channels) {
  const std::vector<std::string> before = document().own_channels;
  if (channels == before) return;
  undo_stack_.beginMacro(tr("choice of stains"));
  undo_stack_.push(new ChangeMember<std::vector<std::string>>(
      *this, Part::Stains, &Document::own_channels, channels, tr("choice of stains")));
  const auto place = std::ranges::find(before, document().channel) - before.begin();
  if (place < std::ssize(before) && place < std::ssize(channels))
    set_channel(channels[static_cast<std::size_t>(place)]);
  undo_stack_.endMacro();
}

void DocumentSteps::set_input(const std::string& input, const std::optional<InputChoice>& choice) {
  auto all = document().inputs;
  InputChoices& inputs = all[document().operation];
  if (choice) {
    inputs[input] = *choice;
  } else {
    inputs.erase(input);
  }
  if (inputs.empty()) all.erase(document().operation);
  if (all == document().inputs) return;
  undo_stack_.push(new ChangeMember<std::map<std::string, InputChoices>>(
      *this, Part::Inputs, &Document::inputs, std::move(all),
      tr("choice of %1").arg(QString::fromStdString(input))));
}

void DocumentSteps::set_requested(const std::string& output, bool requested) {
  auto all = document().requested;
  std::set<std::string>& outputs = all[document().operation];
  if (requested) {
    outputs.insert(output);
  } else {
    outputs.erase(output);
  }
  if (outputs.empty()) all.erase(document().operation);
  if (all == document().requested) return;
  undo_stack_.push(new ChangeMember<std::map<std::string, std::set<std::string>>>(
      *this, Part::Inputs, &Document::requested, std::move(all),
      tr("choice of %1").arg(QString::fromStdString(output))));
}

void DocumentSteps::restore(const Recipe& recipe, const QString& step_name) {
  Document after = document();
  after.seeds = recipe.seeds.as_set();
  after.edits = recipe.edits;
  after.operation = recipe.operation;
  after.values[recipe.operation] = recipe.values;
  after.inputs[recipe.operation] = recipe.inputs;
  if (recipe.inputs.empty()) after.inputs.erase(recipe.operation);
  after.requested[recipe.operation] = recipe.requested;
  if (recipe.requested.empty()) after.requested.erase(recipe.operation);
  if (!recipe.channel.empty() && workbench_.image().components() == 3)
    after.channel = recipe.channel;
  if (after == document()) return;
  undo_stack_.beginMacro(step_name);
  const auto put = [&](Part part, auto member) {
    using Member = std::remove_reference_t<decltype(after.*member)>;
    undo_stack_.push(
        new ChangeMember<Member>(*this, part, member, std::move(after.*member), step_name));
  };
  // Read again only if it differs: that takes a pass over the image.
  if (after.channel != document().channel) put(Part::Channel, &Document::channel);
  put(Part::Operation, &Document::operation);
  put(Part::Values, &Document::values);
  put(Part::Inputs, &Document::inputs);
  put(Part::Inputs, &Document::requested);
  put(Part::Seeds, &Document::seeds);
  if (after.edits != document().edits) put(Part::Edits, &Document::edits);
  undo_stack_.endMacro();
}

}  // namespace seedwave::ui
