// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/operation_panel.h"

#include "core/engine/resolve.h"
#include "core/image/channel.h"
#include "core/ops/worker_list.h"
#include "ui/models/fitting_input.h"
#include "ui/panels/action_button.h"
#include "ui/panels/narrow_list.h"
#include "ui/panels/parameter_panel.h"
#include "ui/panels/row_label.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace seedwave::ui {

namespace {

QComboBox* narrow_list(QWidget* parent, const QString& name) {
  auto* list = new QComboBox(parent);
  list->setAccessibleName(name);
  make_narrow(*list, 12);
  return list;
}

}  // namespace

OperationPanel::OperationPanel(Workbench& workbench, RunController& runs,
                               const OperationActions& actions, QWidget* parent)
    : QWidget(parent), workbench_(workbench), runs_(runs) {
  build(actions);
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    fill_channels();
    shown_operation_.clear();
    on_part_changed(Part::Operation);
  });
  connect(&workbench_, &Workbench::part_changed, this, &OperationPanel::on_part_changed);
  connect(&runs_.next(), &NextRun::scene_changed, this, [this] {
    grow_parameters();  // another channel, or another image, has another range
    show_values();
  });
  connect(&runs_.next(), &NextRun::fixed_values_changed, this, &OperationPanel::show_values);
  connect(&runs_.history(), &KeptRuns::changed, this, &OperationPanel::show_inputs);
  connect(&runs_.next(), &NextRun::missing_changed, this, &OperationPanel::show_message);
  connect(&runs_.displayed(), &DisplayedResult::changed, this,
          [this] { show_message(runs_.next().missing()); });
  connect(&runs_, &RunController::started, this, [this] { show_message(runs_.next().missing()); });
  connect(&runs_, &RunController::ended, this, [this] { show_message(runs_.next().missing()); });
  connect(&workbench_, &Workbench::image_changed, this,
          [this] { show_message(runs_.next().missing()); });
  connect(&runs_, &RunController::live_changed, this,
          [this] { show_message(runs_.next().missing()); });
  fill_operations();
  fill_channels();
  on_part_changed(Part::Operation);
  show_message(runs_.next().missing());
}

void OperationPanel::build(const OperationActions& actions) {
  auto* layout = new QVBoxLayout(this);
  operations_ = narrow_list(this, tr("Operation"));
  operations_->setObjectName(QStringLiteral("operation"));
  layout->addWidget(operations_);
  help_ = new QLabel(this);
  help_->setWordWrap(true);
  layout->addWidget(help_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(make_action_button(actions.run, this));
  buttons->addWidget(make_action_button(actions.live, this));
  layout->addLayout(buttons);
  layout->addWidget(make_message());
  layout->addWidget(make_channel_row());
  inputs_ = new QWidget(this);
  auto* input_layout = new QVBoxLayout(inputs_);
  input_layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(inputs_);
  parameters_ = new ParameterPanel(this, actions.pick_place, actions.follow_pointer);
  layout->addWidget(parameters_);
  re_estimate_ = make_action_button(actions.re_estimate, this);
  layout->addWidget(re_estimate_);
  correct_result_ = make_action_button(actions.correct_result, this);
  layout->addWidget(correct_result_);
  layout->addLayout(make_implementation_row());
  layout->addStretch(1);
  connect_rows();
}

QLabel* OperationPanel::make_message() {
  message_ = new QLabel(this);
  message_->setWordWrap(true);
  message_->setObjectName(QStringLiteral("missing"));
  QFont strong = message_->font();
  strong.setBold(true);
  message_->setFont(strong);
  return message_;
}

QWidget* OperationPanel::make_channel_row() {
  channel_row_ = new QWidget(this);
  auto* layout = new QFormLayout(channel_row_);
  layout->setContentsMargins(0, 0, 0, 0);
  channels_ = narrow_list(channel_row_, tr("Channel"));
  channels_->setObjectName(QStringLiteral("channel"));
  channels_->setToolTip(tr("Channel of the image that the operation reads"));
  layout->addRow(make_row_label(tr("Channel"), channel_row_), channels_);
  return channel_row_;
}

QFormLayout* OperationPanel::make_implementation_row() {
  auto* row = new QFormLayout;
  implementations_ = narrow_list(this, tr("Algorithm"));
  implementations_->setObjectName(QStringLiteral("implementation"));
  implementations_->setToolTip(
      tr("Algorithm and processor; automatic uses the GPU if there is one and the data fit"));
  row->addRow(make_row_label(tr("Algorithm"), this), implementations_);
  return row;
}

void OperationPanel::connect_rows() {
  connect(operations_, &QComboBox::activated, this, [this](int row) {
    choose_operation(workbench_, runs_, operations_->itemData(row).toString().toStdString(),
                     operations_->itemText(row));
  });
  connect(channels_, &QComboBox::activated, this, [this](int row) {
    if (slide_channels().empty()) {
      choose_channel(workbench_, runs_, channels_->itemData(row).toString().toStdString());
    } else {
      emit slide_channel_wanted(row);
    }
  });
  connect(implementations_, &QComboBox::activated, this, [this](int row) {
    const QStringList pair = implementations_->itemData(row).toStringList();
    workbench_.steps().set_algorithm(pair.at(0).toStdString(), pair.at(1).toStdString());
  });
  connect(parameters_, &ParameterPanel::sweep_wanted, this, &OperationPanel::sweep_wanted);
  connect(parameters_, &ParameterPanel::changed, this,
          [this](const std::string& id, const Value& value, const QString& title, Gesture gesture) {
            workbench_.steps().set_value(id, value, title, gesture);
          });
  connect(parameters_, &ParameterPanel::reset, this,
          [this](const std::string& id, const QString& title) {
            workbench_.steps().reset_value(id, title);
          });
}

void OperationPanel::fill_operations() {
  const QSignalBlocker block(operations_);
  for (const Operation& operation : runs_.next().table().operations()) {
    if (!can_be_seen(operation)) continue;
    operations_->addItem(QString::fromStdString(operation.title),
                         QString::fromStdString(operation.id));
    operations_->setItemData(operations_->count() - 1, QString::fromStdString(operation.help),
                             Qt::ToolTipRole);
  }
}

bool OperationPanel::image_is_replaced() const {
  return runs_.next().operation().labels_replace_image() &&
         workbench_.document().current_inputs().contains(name_of(InputKind::Labels));
}

/// A file, an earlier run or labels have one value per voxel, and some operations read colours. In
/// all of these cases the channel of the image has no effect.
void OperationPanel::show_channel_row() {
  const bool has_channels =
      workbench_.has_image() && (workbench_.image().components() == 3 || !slide_channels().empty());
  channel_row_->setVisible(
      has_channels && !image_is_replaced() &&
      !workbench_.document().current_inputs().contains(name_of(InputKind::Image)) &&
      !reads_colours(runs_.next().operation()));
}

std::vector<std::string> OperationPanel::slide_channels() const {
  const auto& slide = workbench_.opened().loaded.slide;
  if (slide == nullptr || slide->info().channel_count() < 2) return {};
  return slide->info().channels;
}

void OperationPanel::fill_channels() {
  show_channel_row();
  const QSignalBlocker block(channels_);
  channels_->clear();
  if (const std::vector<std::string> names = slide_channels(); !names.empty()) {
    for (const std::string& name : names)
      channels_->addItem(QString::fromStdString(name));
    channels_->setCurrentIndex(workbench_.opened().loaded.slide_channel);
    return;
  }
  for (const Channel& channel : workbench_.document().offered_channels())
    channels_->addItem(QString::fromStdString(channel.title), QString::fromStdString(channel.id));
  channels_->setCurrentIndex(
      channels_->findData(QString::fromStdString(workbench_.document().channel)));
}

void OperationPanel::fill_implementations() {
  const QSignalBlocker block(implementations_);
  implementations_->clear();
  implementations_->addItem(tr("automatic"), QStringList{QString(), QStringLiteral("auto")});
  const Document& document = workbench_.document();
  const OperationTable& table = runs_.next().table();
  const Operation& operation = runs_.next().operation();
  // If it is chosen, runs that cannot be shared are automatic.
  if (can_share_among_all(operation, table)) {
    implementations_->addItem(
        table.devices().size() == 1 ? tr("GPU and CPU together") : tr("all GPUs and CPU together"),
        QStringList{QString(), kAllDevices});
    implementations_->setItemData(
        implementations_->count() - 1,
        tr("All of them share the image of one run, for images that are too large for one GPU. "
           "The result is the same"),
        Qt::ToolTipRole);
  }
  for (const Implementation& each : operation.implementations) {
    const QString algorithm = QString::fromStdString(each.algorithm);
    const QString backend = QString::fromStdString(name_of(each.backend));
    implementations_->addItem(tr("%1 on %2").arg(algorithm, backend.toUpper()),
                              QStringList{algorithm, backend});
  }
  const QStringList chosen{QString::fromStdString(document.algorithm),
                           QString::fromStdString(document.backend)};
  implementations_->setCurrentIndex(std::max(0, implementations_->findData(chosen)));
}

void OperationPanel::grow_parameters() {
  const Operation& operation = runs_.next().operation();
  const Scene& scene = runs_.next().scene();
  parameters_->set_operation(operation, workbench_.image().geometry(), scene.range,
                             scene.histogram);
  help_->setText(QString::fromStdString(operation.help));
  re_estimate_->setVisible(has_automatic_values(operation));
  correct_result_->setVisible(operation.wants(InputKind::Start));
  const QSignalBlocker block(operations_);
  operations_->setCurrentIndex(operations_->findData(QString::fromStdString(operation.id)));
  if (shown_operation_ != operation.id) grow_inputs();
  shown_operation_ = operation.id;
  order_tabs();
}

/// Otherwise Tab would reach the rows created last at the end.
void OperationPanel::order_tabs() {
  QWidget* before = channels_;
  const auto follow = [&before](QWidget* next) {
    // The pop-up of a list is a separate window.
    if ((next->focusPolicy() & Qt::TabFocus) == 0 || next->window() != before->window()) return;
    setTabOrder(before, next);
    before = next;
  };
  for (const QWidget* part : {inputs_, static_cast<QWidget*>(parameters_)}) {
    for (QWidget* each : part->findChildren<QWidget*>())
      follow(each);
  }
  follow(re_estimate_);
  follow(correct_result_);
  follow(implementations_);
}

void OperationPanel::grow_inputs() {
  for (QWidget* old : inputs_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    old->hide();
    old->setParent(nullptr);
    old->deleteLater();  // it may be the sender of the current signal
  }
  input_rows_.clear();
  requests_.clear();
  const Operation& operation = runs_.next().operation();
  for (const InputSpec& input : operation.inputs) {
    if (input.kind == InputKind::Seeds) continue;
    auto* row = new InputRow(input, inputs_);
    const std::string name = name_of(input.kind);
    connect(row, &InputRow::chosen, this, [this, name](const std::optional<InputChoice>& choice) {
      choose_input(workbench_, runs_, name, choice);
    });
    connect(row, &InputRow::file_wanted, this,
            [this, name] { emit input_file_wanted(QString::fromStdString(name)); });
    inputs_->layout()->addWidget(row);
    input_rows_[name] = row;
  }
  for (const OutputSpec& output : operation.outputs) {
    if (!output.on_request || (output.image() != nullptr && output.image()->own_grid)) continue;
    auto* box =
        new QCheckBox(tr("Additional output: %1").arg(QString::fromStdString(output.id)), inputs_);
    box->setObjectName(QString::fromStdString("request_" + output.id));
    box->setToolTip(QString::fromStdString(output.help));
    connect(box, &QCheckBox::clicked, this,
            [this, id = output.id](bool on) { workbench_.steps().set_requested(id, on); });
    inputs_->layout()->addWidget(box);
    requests_[output.id] = box;
  }
  show_inputs();
}

void OperationPanel::show_inputs() {
  show_channel_row();
  const InputChoices chosen = workbench_.document().current_inputs();
  for (const auto& [name, row] : input_rows_) {
    const auto choice = chosen.find(name);
    row->show_choices(
        runs_.next().table(), runs_.history().record(), workbench_.image().geometry(),
        choice == chosen.end() ? std::nullopt : std::optional<InputChoice>(choice->second));
    const bool is_replaced = name == name_of(InputKind::Image) && image_is_replaced();
    row->setVisible(row->has_choice() && !is_replaced);
  }
  const auto& requested = workbench_.document().requested;
  const auto of_operation = requested.find(runs_.next().operation().id);
  for (const auto& [id, box] : requests_)
    box->setChecked(of_operation != requested.end() && of_operation->second.contains(id));
}

void OperationPanel::show_values() {
  parameters_->set_labels(workbench_.document().labels);
  Values stands_for = runs_.next().fixed_values();
  for (const auto& [id, value] : runs_.next().asked_values()) {
    if (!stands_for.has(id)) stands_for.set(id, value);
  }
  parameters_->show_values(workbench_.document().current_values(), stands_for);
}

namespace {

/// Returns what a run warned of, in one line.
QString warnings_of(const Run& run) {
  QStringList lines;
  for (const std::string& warning : run.facts.warnings) {
    lines << QString::fromStdString(warning);
    lines.back()[0] = lines.back()[0].toUpper();  // messages of the core begin in lower case
  }
  return lines.join(QStringLiteral(". "));
}

}  // namespace

void OperationPanel::show_message(const QString& missing) {
  QString text = missing;
  if (text.isEmpty() && !runs_.failure().isEmpty()) {
    text = runs_.failure();
    text[0] = text[0].toUpper();  // messages of the core begin in lower case
  } else if (text.isEmpty() && runs_.displayed().result().stale && !runs_.is_coming()) {
    text = tr("The displayed result is out of date: run again.");
  } else if (text.isEmpty() && runs_.displayed().result().run == 0 && !runs_.busy()) {
    text = tr("Ready: press Ctrl+Enter to run.");
  } else if (const Run* run = runs_.displayed().run(); text.isEmpty() && run != nullptr) {
    text = warnings_of(*run);
  }
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
}

void OperationPanel::on_part_changed(Part part) {
  show_message(runs_.next().missing());  // a failure is shown until its inputs change
  if (part == Part::Seeds || part == Part::Labels) {
    show_values();  // labels are listed by name, and a painted one may be the default
    return;
  }
  if (part == Part::Channel || part == Part::Stains) fill_channels();
  if (part == Part::Inputs) {
    show_inputs();
    return;
  }
  if (shown_operation_ != runs_.next().operation().id) grow_parameters();
  if (part == Part::Operation || part == Part::Algorithm) fill_implementations();
  show_values();
}

namespace {

/// Data of rows that are not entries of `offered_`.
enum Special { kAsOpened = -1, kFile = -2 };

/// Older runs can be restored first, which makes them the newest.
constexpr std::size_t kMostRuns = 30;

QString title_of(InputKind kind) {
  switch (kind) {
    case InputKind::Image:
      return InputRow::tr("Image");
    case InputKind::Labels:
      return InputRow::tr("Labels");
    case InputKind::Marker:
      return InputRow::tr("Marker");
    case InputKind::Mask:
      return InputRow::tr("Mask");
    case InputKind::Start:
      return InputRow::tr("Start from");
    case InputKind::Edits:
    case InputKind::Seeds:
      break;
  }
  return QString::fromStdString(name_of(kind));
}

bool lies_on(const Run& run, const OutputSpec& output, const Geometry& grid) {
  if (output.image() != nullptr && output.image()->own_grid) return false;
  if (output.on_request && !run.recipe.requested.contains(output.id)) return false;
  if (!output.is_given(reads_of(run.recipe))) return false;
  if (output.labels() != nullptr) {
    return run.labels.empty() || same_grid(run.labels.geometry(), grid);
  }
  const auto image = run.images.find(output.id);
  return output.image() != nullptr &&
         (image == run.images.end() || same_grid(image->second.geometry(), grid));
}

QString text_of_output(const Run& run, const Operation& operation, const OutputSpec& output) {
  const QString title = QString::fromStdString(operation.title);
  if (operation.outputs.size() == 1) return InputRow::tr("Run %1: %2").arg(run.id).arg(title);
  // The output comes first, because a narrow list cuts off the end.
  return InputRow::tr("Run %1, %2: %3").arg(run.id).arg(QString::fromStdString(output.id), title);
}

}  // namespace

InputRow::InputRow(const InputSpec& input, QWidget* parent) : QWidget(parent), input_(input) {
  const QString title = title_of(input_.kind);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = make_row_label(title, this);
  layout->addWidget(label);
  list_ = new QComboBox(this);
  list_->setObjectName(QString::fromStdString("input_" + name_of(input_.kind)));
  list_->setAccessibleName(title);
  list_->setToolTip(QString::fromStdString(input_.help));
  make_narrow(*list_, 12);
  label->setBuddy(list_);
  label->setToolTip(list_->toolTip());
  layout->addWidget(list_, 1);
  connect(list_, &QComboBox::activated, this, &InputRow::on_activated);
}

void InputRow::show_choices(const OperationTable& table, const RunHistory& history,
                            const Geometry& grid, const std::optional<InputChoice>& chosen) {
  const QSignalBlocker block(list_);
  list_->clear();
  offered_.clear();
  const auto offer = [this](const QString& text, const InputChoice& choice) {
    list_->addItem(text, static_cast<int>(offered_.size()));
    list_->setItemData(list_->count() - 1, text, Qt::ToolTipRole);
    offered_.push_back(choice);
  };
  const bool image = input_.kind == InputKind::Image;
  list_->addItem(image             ? tr("the open image")
                 : input_.required ? tr("choose…")
                                   : tr("none"),
                 kAsOpened);
  if (chosen && !chosen->step) {
    offer(QString::fromStdString(chosen->file.path.filename().string()), *chosen);
  }
  if (!image) list_->addItem(tr("from file…"), kFile);
  const auto& runs = history.runs();
  for (std::size_t i = 0; i < std::min(runs.size(), kMostRuns); ++i) {
    const Run& run = runs[runs.size() - 1 - i];
    const Operation* operation = table.find(run.recipe.operation);
    if (operation == nullptr) continue;
    for (const OutputSpec& output : operation->outputs) {
      if (lies_on(run, output, grid))
        offer(text_of_output(run, *operation, output), output_of(run, output.id));
    }
  }
  if (chosen && std::find(offered_.begin(), offered_.end(), *chosen) == offered_.end()) {
    const bool listed = history.find(*chosen->step) != nullptr;
    offer((is_lost(*chosen->step) ? tr("Run %1, %2 (missing)")
           : listed               ? tr("Run %1, %2")
                                  : tr("Run %1, %2 (removed from the list)"))
              .arg(chosen->step->id)
              .arg(QString::fromStdString(chosen->output)),
          *chosen);
  }
  const auto place = chosen ? std::find(offered_.begin(), offered_.end(), *chosen) : offered_.end();
  shown_row_ =
      place == offered_.end() ? 0 : list_->findData(static_cast<int>(place - offered_.begin()));
  list_->setCurrentIndex(shown_row_);
  const QString help = QString::fromStdString(input_.help);
  list_->setToolTip(shown_row_ == 0 ? help
                                    : QStringLiteral("%1\n%2").arg(list_->currentText(), help));
}

bool InputRow::has_choice() const {
  return list_->count() > 1;
}

void InputRow::on_activated(int row) {
  const int entry = list_->itemData(row).toInt();
  if (entry == kFile) {
    list_->setCurrentIndex(shown_row_);  // until a file has been read
    emit file_wanted();
  } else if (entry == kAsOpened) {
    emit chosen(std::nullopt);
  } else {
    emit chosen(offered_[static_cast<std::size_t>(entry)]);
  }
}

}  // namespace seedwave::ui
