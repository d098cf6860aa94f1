// SPDX-License-Identifier: Apache-2.0
#include "ui/window/case_commands.h"

#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "ui/models/label_size.h"
#include "ui/models/path_text.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace seedwave::ui {

namespace {

/// Inputs of a case beside its image and reference: strokes to begin with, and labels that Segment
/// starts from.
constexpr const char* kSeedsColumn = "seeds";
constexpr const char* kLabelsColumn = "labels";

bool is_case_list(const QString& path) {
  return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
}

/// Sorts paths into lists, and folders and images.
CohortSources sources_of(const QStringList& paths) {
  CohortSources sources;
  for (const QString& path : paths)
    (is_case_list(path) ? sources.lists : sources.paths).push_back(to_path(path));
  return sources;
}

/// Returns a message without the folder of an image, which the reader of one line need not see.
QString in_short(QString message, const std::filesystem::path& image) {
  return message.remove(to_text(image.parent_path()) + QLatin1Char('/'));
}

QString file_of(const CohortCase& one, const char* column) {
  const auto file = one.files.find(column);
  return file == one.files.end() ? QString() : QFileInfo(to_text(file->second)).absoluteFilePath();
}

}  // namespace

CaseCommands::CaseCommands(Actions& actions, Workbench& workbench, RunController& runs,
                           FileOpener& opener, FileSaver& saver, FileCommands& files,
                           QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      opener_(opener),
      saver_(saver),
      files_(files) {
  connect_actions();
  connect_files();
  connect(&model_, &CaseModel::done_wanted, this, &CaseCommands::set_done);
  connect(&model_, &CaseModel::changed, this, &CaseCommands::enable_actions);
  // After all of a change: an image and its runs come one after the other.
  refresh_soon_.setSingleShot(true);
  refresh_soon_.setInterval(0);
  connect(&refresh_soon_, &QTimer::timeout, this, &CaseCommands::refresh_work);
  const auto refresh = [this] { refresh_soon_.start(); };
  connect(&workbench_, &Workbench::part_changed, this, refresh);
  connect(&workbench_, &Workbench::reference_changed, this, refresh);
  connect(&runs_.history(), &KeptRuns::changed, this, refresh);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, refresh);
  // After all of a change: a run that ends because another image comes has no result to wait for.
  connect(&runs_, &RunController::ended, this, &CaseCommands::go_on_with_result,
          Qt::QueuedConnection);
  enable_actions();
}

void CaseCommands::connect_actions() {
  actions_.on("open_cases", [this] {
    const QStringList paths =
        files_.ask_files(tr("Open list of cases, or images"),
                         tr("Lists of cases (*.csv);;Images and all other files (*)"));
    if (!paths.isEmpty()) open(paths);
  });
  actions_.on("open_case_folder", [this] {
    const QString path = files_.ask_folder(tr("Open a folder as cases"));
    if (!path.isEmpty()) open({path});
  });
  actions_.on("close_cases", [this] { leave([this] { close_list(); }); });
  actions_.on("case_next", [this] { go(Step::Next); });
  actions_.on("case_previous", [this] { go(Step::Previous); });
  actions_.on("case_next_not_done", [this] { go(Step::NextNotDone); });
  actions_.on_switch("case_done", [this](bool done) { set_done(model_.open_row(), done); });
  actions_.on("case_done_and_next", [this] {
    set_done(model_.open_row(), true);
    go(Step::NextNotDone);
  });
}

void CaseCommands::connect_files() {
  connect(&files_, &FileCommands::list_wanted, this, &CaseCommands::open);
  connect(&opener_, &FileOpener::session_opened, this,
          [this](const QString& path) { take_case(path); });
  connect(&opener_, &FileOpener::image_opened, this, [this] { take_case({}); });
  connect(&opener_, &FileOpener::case_failed, this, &CaseCommands::pass_failed);
  connect(&saver_, &FileSaver::session_saved, this, [this](const QString& path) {
    if (model_.open_row() >= 0 && row_of_session(path) == model_.open_row()) keep();
  });
  connect(&saver_, &FileSaver::session_path_changed, this, [this](const QString& path) {
    const int row = model_.open_row();
    if (row < 0 || wanted_ >= 0 || row_of_session(path) == row) return;
    take_case({});
    emit said(tr("The session is in a file of its own now: the case in the list stays as it was"));
  });
  // The window stays on the case that could not be saved.
  connect(&saver_, &FileSaver::failed, this, [this] {
    wanted_ = -1;
    when_result_is_there_ = nullptr;
    in_file_.reset();  // its labels may be what could not be written
  });
}

void CaseCommands::open(const QStringList& paths) {
  leave([this, paths] {
    const QString name = QFileInfo(QDir::cleanPath(paths.front())).fileName();
    opener_.task().start(tr("Opening %1").arg(name),
                         [this, paths, held = lock_](Context& context) -> BackgroundTask::Delivery {
                           auto list = std::make_shared<ReadList>(read_list(paths, held, context));
                           return [this, list, paths] { take_list(std::move(*list), paths); };
                         });
  });
}

CaseCommands::ReadList CaseCommands::read_list(const QStringList& paths,
                                               const std::shared_ptr<SessionLock>& held,
                                               Context& context) {
  const CohortSources sources = sources_of(paths);
  ReadList list;
  list.cases = find_cases(
      sources, {.of = "a list of cases", .inputs = {kSeedsColumn, kLabelsColumn}}, context);
  std::vector<std::filesystem::path> opened = sources.lists;
  opened.insert(opened.end(), sources.paths.begin(), sources.paths.end());
  const WalkFolder folder = walk_folder_of(opened);
  folder.create();
  list.lock = held;
  if (held == nullptr || held->session() != real_session_path(folder.state())) {
    try {
      list.lock = SessionLock::take(folder.state());
    } catch (const SessionInUse& in_use) {
      throw InputError(opened.front().filename().string() + " is open in another window (" +
                       in_use.holder() + "): close it there");
    }
  }
  std::vector<WalkedCase> cases;
  for (const CohortCase& one : list.cases)
    cases.push_back({.name = one.name, .image = one.image(), .series = one.series});
  list.walk = CaseWalk(folder, std::move(cases));
  io::write_atomically(folder.state(), list.walk.state());  // or the list is not opened
  return list;
}

void CaseCommands::take_list(ReadList list, const QStringList& paths) {
  lock_ = std::move(list.lock);
  cases_ = std::move(list.cases);
  const std::optional<std::size_t> last = list.walk.current();
  files_.set_saves_unasked(false);
  model_.set_walk(std::move(list.walk));
  if (is_case_list(paths.front())) files_.remember(paths.front());
  emit list_changed(true);
  passed_.clear();
  start_opening(last ? static_cast<int>(*last) : 0, Step::NextNotDone);
}

void CaseCommands::close_list() {
  files_.set_saves_unasked(false);
  wanted_ = -1;
  cases_.clear();
  model_.set_walk({});
  lock_ = nullptr;
  emit list_changed(false);
}

void CaseCommands::go_to(int row) {
  if (row == model_.open_row() && wanted_ < 0) return;
  passed_.clear();
  start_opening(row, Step::None);
}

void CaseCommands::go(Step step) {
  const int from = wanted_ >= 0 ? wanted_ : model_.open_row();
  const int row = row_after(from, step);
  passed_.clear();
  if (row >= 0) {
    start_opening(row, step);
  } else if (step == Step::NextNotDone) {
    emit said(model_.done_count() == model_.rowCount() ? tr("All cases are done")
                                                       : tr("No other case is left"));
  } else {
    emit said(step == Step::Next ? tr("This is the last case") : tr("This is the first case"));
  }
}

int CaseCommands::row_after(int row, Step step) const {
  const int count = model_.rowCount();
  if (step == Step::Next) return row + 1 < count ? row + 1 : -1;
  if (step == Step::Previous) return row - 1;
  for (int further = 1; step == Step::NextNotDone && further < count; ++further) {
    const int next = (std::max(row, 0) + further) % count;
    if (!model_.at(next).done && !model_.has_failed(next)) return next;
  }
  return -1;
}

void CaseCommands::start_opening(int row, Step step) {
  if (row == model_.open_row()) {  // back, before another was there
    wanted_ = -1;
    opener_.task().cancel();
    return;
  }
  const CohortCase& one = cases_[static_cast<std::size_t>(row)];
  wanted_ = row;
  step_ = step;
  if (when_result_is_there_) when_result_is_there_ = [this] { leave([] {}); };
  const CaseToWorkOn work{.name = QString::fromStdString(one.name),
                          .files = {.image = {.path = one.image(), .series = one.series},
                                    .labels = file_of(one, kLabelsColumn),
                                    .reference = file_of(one, kReferenceFile)},
                          .seeds = file_of(one, kSeedsColumn),
                          .session = model_.walk().folder().session(model_.at(row).stem)};
  opener_.open_work(work, [this, row](const std::function<void()>& replace) {
    leave([this, row, replace] {
      if (row == wanted_) replace();  // unless the user has turned to another case since
    });
  });
}

void CaseCommands::take_case(const QString& session) {
  const int row = session.isEmpty() ? -1 : row_of_session(session);
  files_.set_saves_unasked(row >= 0);
  model_.set_open_row(row);
  when_result_is_there_ = nullptr;
  if (row < 0 || row == wanted_) wanted_ = -1;
  if (row < 0) return;
  if (model_.has_failed(row)) model_.set_failure(row, {});
  in_file_.reset();
  emit said(
      QStringList(passed_ + QStringList(tr("Case %1 of %2: %3")
                                            .arg(row + 1)
                                            .arg(model_.rowCount())
                                            .arg(QString::fromStdString(model_.at(row).name))))
          .join(QStringLiteral("; ")));
  // As after a stroke: a result that was not ready when the case was left, or that needs none.
  if (runs_.live() && !runs_.is_coming() && runs_.displayed().run() == nullptr) runs_.run();
  write_state();
}

void CaseCommands::pass_failed(const QString& name, const QString& message) {
  if (wanted_ < 0) return;
  const int failed = wanted_;
  passed_ << tr("%1 could not be opened: %2").arg(name, in_short(message, model_.at(failed).image));
  model_.set_failure(failed, passed_.back());
  const int next = row_after(failed, step_);
  if (next >= 0 && next != model_.open_row()) {
    start_opening(next, step_);
    return;
  }
  wanted_ = -1;
  emit said(passed_.join(QStringLiteral("; ")));
}

void CaseCommands::go_on_with_result() {
  if (runs_.is_coming()) return;
  const auto go_on = std::exchange(when_result_is_there_, nullptr);
  if (!go_on) return;
  if (runs_.displayed().result().stale) {  // cancelled or failed
    wanted_ = -1;
    emit said(tr("The result of %1 did not come: the case stays open")
                  .arg(QString::fromStdString(model_.at(model_.open_row()).name)));
    return;
  }
  go_on();
}

void CaseCommands::leave(const std::function<void()>& go_on) {
  const int row = model_.open_row();
  if (row >= 0 && model_.at(row).done && runs_.is_coming()) {
    emit said(tr("Waiting for the result of %1").arg(QString::fromStdString(model_.at(row).name)));
    when_result_is_there_ = [this, go_on] { leave(go_on); };
    return;
  }
  files_.when_safe([this, go_on] {
    if (model_.open_row() >= 0) keep();
    go_on();
  });
}

void CaseCommands::set_done(int row, bool done) {
  if (row < 0) return;
  model_.set_done(row, done);
  if (row != model_.open_row()) {
    write_state();
    return;
  }
  in_file_.reset();
  leave([] {});
}

void CaseCommands::keep() {
  refresh_work();
  if (model_.at(model_.open_row()).done && !runs_.is_coming()) write_labels();
  write_state();
}

void CaseCommands::write_labels() {
  const DisplayedResult::Result& result = runs_.displayed().result();
  const LabelsInFile now{result.run, workbench_.document().edits, workbench_.document().labels};
  if (result.labels.empty() || in_file_ == now) return;
  if (result.stale) {
    emit said(tr("Labels of %1 were not written: the result is older than the strokes or values")
                  .arg(QString::fromStdString(model_.at(model_.open_row()).name)));
    return;
  }
  in_file_ = now;
  saver_.export_labels(labels_file());
}

void CaseCommands::write_state() {
  saver_.write(tr("Saving the list of cases"), [walk = model_.walk()] {
    walk.folder().create();
    io::OutputSet outputs;
    outputs.add(walk.folder().state(), walk.state());
    outputs.add(walk.folder().table(), walk.table());
    outputs.commit();
  });
}

void CaseCommands::refresh_work() {
  if (model_.open_row() >= 0) model_.set_work(model_.open_row(), work_now());
}

CaseWork CaseCommands::work_now() const {
  const CaseWork& before = model_.at(model_.open_row()).work;
  const Run* run = runs_.displayed().run();
  const std::size_t strokes = workbench_.document().seeds.strokes.size();
  if (run == nullptr) {
    // That of a session is on its way.
    CaseWork work = runs_.history().runs().empty() ? CaseWork() : before;
    work.strokes = strokes;
    return work;
  }
  CaseWork work{.strokes = strokes,
                .operation = run->recipe.operation,
                .labels = static_cast<std::int64_t>(run->facts.voxels.size()),
                .dice = run->score.mean()};
  if (const auto& objects = run->score.objects) {
    work.f1 = objects->f1();
    work.pq = objects->pq;
    work.aji = objects->aji;
  }
  if (runs_.displayed().has_objects()) return work;
  const Geometry& grid = workbench_.image().geometry();
  for (const auto& [label, voxels] : run->facts.voxels) {
    const QString title = tr("%1 [%2]").arg(workbench_.label_name(label), size_unit(grid));
    work.sizes[title.toStdString()] = size_in_unit(grid, voxels);
  }
  return work;
}

QString CaseCommands::labels_file() const {
  const WalkedCase& one = model_.at(model_.open_row());
  return to_text(model_.walk().folder().labels(one.stem, files_.label_suffix().toStdString()));
}

int CaseCommands::row_of_session(const QString& session) const {
  const auto& cases = model_.walk().cases();
  const auto found = std::ranges::find_if(cases, [&](const WalkedCase& one) {
    return model_.walk().folder().session(one.stem) == to_path(session);
  });
  return found == cases.end() ? -1 : static_cast<int>(found - cases.begin());
}

void CaseCommands::enable_actions() {
  const bool has_list = model_.rowCount() > 0;
  for (const char* id : {"close_cases", "case_next", "case_previous", "case_next_not_done"})
    actions_.at(id)->setEnabled(has_list);
  const int row = model_.open_row();
  for (const char* id : {"case_done", "case_done_and_next"})
    actions_.at(id)->setEnabled(row >= 0);
  actions_.at("case_done")->setChecked(row >= 0 && model_.at(row).done);
}

}  // namespace seedwave::ui
