// SPDX-License-Identifier: Apache-2.0
#include "ui/window/apply_commands.h"

#include "core/base/error.h"
#include "core/io/formats/byte_source.h"
#include "core/recipes/case_result.h"
#include "ui/models/displayed_recipe.h"
#include "ui/models/path_text.h"
#include "ui/panels/apply_dialog.h"
#include "ui/window/file_commands.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <utility>

namespace seedwave::ui {
namespace {

/// Returns "3 steps: Threshold, Fill holes, Split touching objects. Reads of each case: image,
/// seeds."
QString about(const OperationTable& table, const SavedRecipe& recipe) {
  QStringList steps;
  for (const RecipeStep& step : recipe.steps)
    steps << QString::fromStdString(table.at(step.operation).title);
  QStringList inputs{ApplyCommands::tr("image")};
  for (const std::string& input : recipe.case_inputs())
    inputs << QString::fromStdString(input);
  QString text = ApplyCommands::tr("%n step(s): %1. Reads of each case: %2.", nullptr,
                                   static_cast<int>(recipe.steps.size()))
                     .arg(steps.join(QStringLiteral(", ")), inputs.join(QStringLiteral(", ")));
  if (!recipe.about.empty()) text += QLatin1Char(' ') + QString::fromStdString(recipe.about);
  return text;
}

/// Returns the label file of a result, or of what its table measures; "" if it has none.
QString labels_of(const OperationTable& table, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kResultFile;
  const CaseResult result =
      parse_case_result(table, io::read_text(file, kMostResultBytes), file.string());
  const std::vector<OutputSpec>& outputs = table.at(result.recipe.result().operation).outputs;
  for (const auto& [id, name] : result.files) {
    const auto output = std::ranges::find(outputs, id, &OutputSpec::id);
    if (output != outputs.end() && output->kind() == OutputKind::Labels)
      return to_text(folder / name);
  }
  const auto measured = result.recipe.result().inputs.find(name_of(InputKind::Labels));
  if (measured == result.recipe.result().inputs.end()) return {};
  const auto saved = result.files.find(measured->second.output);
  return saved == result.files.end() ? QString() : to_text(folder / saved->second);
}

}  // namespace

ApplyCommands::ApplyCommands(Actions& actions, Workbench& workbench, const RunController& runs,
                             FileOpener& opener, FileCommands& files, QWidget* window,
                             const QString& program)
    : QObject(window),
      workbench_(workbench),
      runs_(runs),
      opener_(opener),
      files_(files),
      window_(window),
      run_(program) {
  actions.on("apply_recipe", [this] { open_dialog(); });
  connect(&run_, &CohortRun::case_began, &model_, &CohortModel::begin);
  connect(&run_, &CohortRun::case_ended, &model_, &CohortModel::end);
  connect(&run_, &CohortRun::ended, this, [this](const QString& message) {
    model_.interrupt(run_.cancelled() ? QString() : message);
    if (dialog_ != nullptr) dialog_->show_end(message);
    const CohortModel::Counts counts = model_.counts();
    if (!run_.cancelled())
      emit said(tr("Recipe: %1 of %2 cases done").arg(counts.done).arg(counts.all()));
  });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &ApplyCommands::keep_opened_case);
  connect(&workbench_, &Workbench::reference_changed, this, &ApplyCommands::keep_opened_case);
  connect(&run_, &CohortRun::command_ready, this, [this](const QString& command) {
    QGuiApplication::clipboard()->setText(command);
    dialog_->say(tr("Copied the command; recipe and list of cases are in %1")
                     .arg(QDir::toNativeSeparators(dialog_->folder())));
  });
  connect(&run_, &CohortRun::failed, this,
          [this](const QString& message) { dialog_->say(message); });
  connect(&finding_, &BackgroundTask::failed, this, [this](const QString& message) {
    dialog_->show_looking(false);
    dialog_->say(message);
  });
}

void ApplyCommands::open_dialog() {
  if (dialog_ == nullptr) build_dialog();
  if (!run_.busy()) offer_displayed_run();
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
}

void ApplyCommands::build_dialog() {
  dialog_ = new ApplyDialog(model_, run_, window_);
  connect(dialog_, &ApplyDialog::recipe_chosen, this, &ApplyCommands::show_recipe);
  connect(dialog_, &ApplyDialog::recipe_file_added, this, &ApplyCommands::add_recipe_file);
  connect(dialog_, &ApplyDialog::paths_added, this, &ApplyCommands::add_paths);
  connect(dialog_, &ApplyDialog::sources_changed, this, [this] { find(); });
  connect(dialog_, &ApplyDialog::start_wanted, this, &ApplyCommands::start);
  connect(dialog_, &ApplyDialog::command_wanted, this,
          [this] { when_found([this] { run_.prepare_command(order()); }); });
  connect(dialog_, &ApplyDialog::open_wanted, this, &ApplyCommands::open_case);
  const QString folder = shipped_folder(QStringLiteral("recipes"));
  if (folder.isEmpty()) return;
  const QDir shipped(folder);
  for (const QString& file : shipped.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
    offer_recipe_file(shipped.filePath(file));
  dialog_->choose_recipe(-1);
}

void ApplyCommands::offer_displayed_run() {
  const Run* run = runs_.displayed().run();
  if (run == nullptr) return;
  try {
    const SavedRecipe recipe = displayed_recipe(runs_, workbench_);
    if (recipe == offered_) return;
    offered_ = recipe;
    recipes_.push_back(recipe);
    dialog_->add_recipe(tr("Run %1: %2").arg(run->id).arg(QString::fromStdString(recipe.name)));
    // While results of another recipe are looked at and corrected, that one stays chosen.
    const CohortModel::Counts counts = model_.counts();
    if (counts.done + counts.failed == 0)
      dialog_->choose_recipe(static_cast<int>(recipes_.size()) - 1);
  } catch (const InputError& error) {
    dialog_->say(QString::fromUtf8(error.what()));
  }
}

void ApplyCommands::add_recipe_file(const QString& path) {
  if (offer_recipe_file(path)) dialog_->choose_recipe(static_cast<int>(recipes_.size()) - 1);
}

bool ApplyCommands::offer_recipe_file(const QString& path) {
  try {
    SavedRecipe recipe = load_recipe(runs_.next().table(), path.toStdString());
    const QString name = QString::fromStdString(recipe.name);
    const QString file = QFileInfo(path).fileName();
    recipes_.push_back(std::move(recipe));
    dialog_->add_recipe(name.isEmpty() ? file : tr("%1 (%2)").arg(name, file));
    return true;
  } catch (const Error& error) {
    dialog_->say(QString::fromUtf8(error.what()));
    return false;
  }
}

void ApplyCommands::show_recipe() {
  if (dialog_->recipe() < 0) return dialog_->show_recipe({}, {kReferenceFile});
  const SavedRecipe& recipe = recipes_[static_cast<std::size_t>(dialog_->recipe())];
  std::vector<std::string> inputs;
  for (const std::string& input : recipe.case_inputs())
    inputs.push_back(input);
  inputs.emplace_back(kReferenceFile);
  dialog_->show_recipe(about(runs_.next().table(), recipe), inputs);
  model_.reset_states();
  find();
}

void ApplyCommands::add_paths(const QStringList& paths) {
  if (paths.isEmpty()) return;
  for (const QString& path : paths) {
    const bool is_list = path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
    std::vector<std::filesystem::path>& all = is_list ? sources_.lists : sources_.paths;
    if (std::ranges::find(all, to_path(path)) == all.end()) all.push_back(to_path(path));
    model_.forget_removed(path);
  }
  const QFileInfo first(paths.front());
  dialog_->suggest_folder(
      first.absolutePath() + QLatin1Char('/') +
      (first.isDir() ? first.fileName() + QStringLiteral("-results") : QStringLiteral("results")));
  find();
}

void ApplyCommands::find(const std::function<void()>& then) {
  if (dialog_->recipe() < 0 || run_.busy()) return;
  if (to_path(dialog_->folder()) != sources_.results) model_.reset_states();
  sources_.beside = dialog_->beside();
  sources_.results = to_path(dialog_->folder());
  if (sources_.lists.empty() && sources_.paths.empty()) return;
  finding_.start([this, then, sources = sources_,
                  recipe = recipes_[static_cast<std::size_t>(dialog_->recipe())]](
                     Context& context) -> BackgroundTask::Delivery {
    std::vector<CohortEntry> entries;
    for (CohortCase& one : find_cases(sources, recipe, context)) {
      CohortEntry entry{.of = std::move(one)};
      entry.note = missing_file_of(entry.of);
      entries.push_back(std::move(entry));
    }
    return [this, then, entries] {
      model_.set_entries(entries);
      if (then) then();
    };
  });
}

CohortRun::Order ApplyCommands::order() const {
  return {.recipe = recipes_[static_cast<std::size_t>(dialog_->recipe())],
          .cases = model_.cases(),
          .folder = QFileInfo(dialog_->folder()).absoluteFilePath(),
          .jobs = dialog_->jobs()};
}

void ApplyCommands::when_found(const std::function<void()>& then) {
  if (!finding_.busy() && !dialog_->is_settling()) {
    then();
    return;
  }
  dialog_->show_looking(true);
  find([this, then] {
    then();
    dialog_->show_looking(false);
  });
}

void ApplyCommands::start() {
  when_found([this] {
    model_.begin_run();
    run_.start(order());
  });
}

void ApplyCommands::open_case(int row) {
  const CohortEntry entry = model_.entry(row);
  CaseFiles files{.image = {.path = entry.of.image(), .series = entry.of.series}};
  if (entry.state == CohortEntry::State::Done) {
    try {
      const std::filesystem::path folder =
          to_path(QFileInfo(dialog_->folder()).absoluteFilePath()) / entry.of.name;
      files.labels = labels_of(runs_.next().table(), folder);
    } catch (const Error& error) {
      dialog_->say(QString::fromUtf8(error.what()));
      return;
    }
  }
  if (const auto reference = entry.of.files.find(kReferenceFile); reference != entry.of.files.end())
    files.reference = QFileInfo(to_text(reference->second)).absoluteFilePath();
  files_.when_safe([this, files] {
    opened_ = files;
    opener_.open_case(files);
  });
}

void ApplyCommands::keep_opened_case() {
  const Document& document = workbench_.document();
  const InputChoices inputs = document.current_inputs();
  const auto start = inputs.find("start");
  const bool is_opened = !opened_.labels.isEmpty() && start != inputs.end() &&
                         to_text(start->second.file.path) == opened_.labels;
  const std::size_t runs = runs_.history().runs().size();
  const bool is_unchanged = document.seeds.strokes.empty() && document.edits.empty() &&
                            document.regions.empty() && runs <= 1;
  if (!is_opened || !is_unchanged) return;
  files_.set_all_kept();
  const bool has_reference =
      opened_.reference.isEmpty() || to_text(document.reference.path) == opened_.reference;
  if (runs == 1 && has_reference) opened_ = {};
}

}  // namespace seedwave::ui
