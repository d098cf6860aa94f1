// SPDX-License-Identifier: Apache-2.0
#include "ui/window/case_commands.h"

#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "ui/models/path_text.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QWidget>

#include <algorithm>
#include <filesystem>
#include <system_error>
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
      files_(files),
      keeper_(workbench, runs, saver, files, model_, this) {
  connect_actions();
  connect_files();
  connect_keeper();
  connect(&model_, &CaseModel::done_wanted, this, &CaseCommands::set_done);
  connect(&model_, &CaseModel::changed, this, &CaseCommands::enable_actions);
  enable_actions();
}

void CaseCommands::connect_keeper() {
  connect(&keeper_, &CaseKeeper::said, this, &CaseCommands::said);
  connect(&keeper_, &CaseKeeper::noted, this, [this](const QString& text) {
    note_ = text;
    emit said(text);
  });
  connect(&keeper_, &CaseKeeper::gave_up, this, [this] {
    if (is_opening()) opener_.task().cancel();
    opening_.reset();
  });
  // After all of a change: an image and its runs come one after the other.
  refresh_soon_.setSingleShot(true);
  refresh_soon_.setInterval(0);
  connect(&refresh_soon_, &QTimer::timeout, &keeper_, &CaseKeeper::refresh);
  const auto refresh = [this] { refresh_soon_.start(); };
  connect(&workbench_, &Workbench::part_changed, this, refresh);
  connect(&workbench_, &Workbench::reference_changed, this, refresh);
  connect(&runs_.history(), &KeptRuns::changed, this, refresh);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, refresh);
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
  actions_.on("close_cases", [this] { files_.when_safe([this] { close_list(); }); });
  actions_.on("case_next", [this] { go(Step::Next); });
  actions_.on("case_previous", [this] { go(Step::Previous); });
  actions_.on("case_next_not_done", [this] { go(Step::NextNotDone); });
  actions_.on_switch("case_done", [this](bool done) { set_done(model_.open_row(), done); });
  actions_.on("case_done_and_next", [this] {
    // Pressed twice: the next one is being opened.
    if (is_opening() && model_.at(model_.open_row()).done) return;
    set_done(model_.open_row(), true);
    go(Step::NextNotDone);
  });
}

void CaseCommands::connect_files() {
  connect(&files_, &FileCommands::list_wanted, this, &CaseCommands::open);
  connect(&opener_, &FileOpener::session_opened, this,
          [this](const QString& path) { take_work(path); });
  connect(&opener_, &FileOpener::image_opened, this, [this] { take_work({}); });
  connect(&opener_, &FileOpener::case_failed, this, &CaseCommands::pass_failed);
  connect(&opener_.task(), &NamedTask::cancelled, this, [this] { opening_.reset(); });
  // Whatever is opened or read now comes in place of what waits.
  connect(&opener_.task(), &NamedTask::started, this, [this] {
    opening_.reset();
    (void)keeper_.drop();
  });
  connect(&saver_, &FileSaver::session_saved, this, [this](const QString& path) {
    const int row = model_.open_row();
    if (row < 0 || path != saver_.session_path()) return;  // another case was opened since
    if (row_of_session(path) == row) {
      keeper_.write();
    } else {
      detach();
    }
  });
}

void CaseCommands::detach() {
  const auto go_on = keeper_.drop();
  take_work({});
  keeper_.write();
  emit said(tr("The session is in a file of its own now: the case in the list stays as it was"));
  if (go_on) go_on();
}

void CaseCommands::open(const QStringList& paths) {
  files_.when_safe([this, paths] {
    const QString name = QFileInfo(QDir::cleanPath(paths.front())).fileName();
    opener_.task().start(
        tr("Opening %1").arg(name),
        [this, paths, held = lock_,
         before = model_.walk()](Context& context) -> BackgroundTask::Delivery {
          auto list = std::make_shared<ReadList>(read_list(paths, held, context));
          return [this, list, paths, before] {
            if (model_.walk() != before) {
              open(paths);  // marked meanwhile: what was read is outdated
            } else if (model_.open_row() >= 0) {
              keeper_.keep([this, list, paths] { take_list(std::move(*list), paths); });
            } else {
              take_list(std::move(*list), paths);
            }
          };
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
    cases.push_back(
        {.name = one.title, .image = one.image(), .series = one.series, .stem = one.name});
  list.walk = CaseWalk(folder, std::move(cases));
  // A new list is not opened if nothing can be written. Later the file is the keeper's.
  std::error_code unreadable;
  if (!std::filesystem::exists(folder.state(), unreadable))
    io::write_atomically(folder.state(), list.walk.state());
  return list;
}

void CaseCommands::take_list(ReadList list, const QStringList& paths) {
  // A case that is open stays so if the same list is opened again.
  const bool is_same = list.walk.folder() == model_.walk().folder() && model_.open_row() >= 0;
  const std::string open_stem = is_same ? model_.at(model_.open_row()).stem : std::string();
  lock_ = std::move(list.lock);
  cases_ = std::move(list.cases);
  const std::optional<std::size_t> last = list.walk.current();
  keeper_.begin();
  model_.set_walk(std::move(list.walk));
  if (is_case_list(paths.front())) files_.remember(paths.front());
  emit list_changed(true);
  if (const int row = row_of_stem(open_stem); row >= 0) {
    model_.set_open_row(row);
    keeper_.write();
    return;
  }
  start_opening({.row = last ? static_cast<int>(*last) : 0, .step = Step::NextNotDone});
}

void CaseCommands::close_list() {
  keep_without_question(false);
  opening_.reset();
  cases_.clear();
  model_.set_walk({});
  keeper_.begin();
  lock_ = nullptr;
  emit list_changed(false);
}

void CaseCommands::go_to(int row) {
  if (row != model_.open_row() || is_opening()) leave_for({.row = row});
}

void CaseCommands::go(Step step) {
  const int row = row_after(is_opening() ? opening_->row : model_.open_row(), step);
  if (row >= 0) {
    leave_for({.row = row, .step = step});
  } else if (step == Step::NextNotDone) {
    emit said(model_.done_count() == model_.rowCount() ? tr("All cases are done")
                                                       : tr("No other case is left"));
  } else {
    emit said(step == Step::Next ? tr("This is the last case") : tr("This is the first case"));
  }
}

void CaseCommands::leave_for(const Opening& opening) {
  note_.clear();
  if (model_.open_row() >= 0) {
    start_opening(opening);
  } else {
    files_.when_safe([this, opening] { start_opening(opening); });
  }
}

int CaseCommands::row_after(int row, Step step, const CaseModel::Failures& passed) const {
  const int count = model_.rowCount();
  if (step == Step::Next) return row + 1 < count ? row + 1 : -1;
  if (step == Step::Previous) return row - 1;
  if (step == Step::None) return -1;
  const int from = std::max(row, -1);
  // Those that could not be opened before are tried again once no other is left.
  for (const bool again : {false, true}) {
    for (int further = 1; further <= count; ++further) {
      const int next = (from + further) % count;
      const bool is_left = next != row && !model_.at(next).done && !passed.contains(next);
      if (is_left && (again || !model_.has_failed(next))) return next;
    }
  }
  return -1;
}

bool CaseCommands::is_opening() const {
  return opening_ && (opener_.task().busy() || keeper_.is_waited_for());
}

void CaseCommands::start_opening(Opening opening) {
  const int row = opening.row;
  if (row == model_.open_row()) {  // back, before another was there
    opener_.task().cancel();
    opening_.reset();
    (void)keeper_.drop();
    return;
  }
  const CohortCase& one = cases_[static_cast<std::size_t>(row)];
  opener_.open_work({
      .name = QString::fromStdString(one.title),
      .files = {.image = {.path = one.image(), .series = one.series},
                .labels = file_of(one, kLabelsColumn),
                .reference = file_of(one, kReferenceFile)},
      .seeds = file_of(one, kSeedsColumn),
      .session = model_.walk().folder().session(model_.at(row).stem),
      .asks_about_damage = opening.step == Step::None,
  });
  opening_ = std::move(opening);  // last: the call above ends another one
}

void CaseCommands::take_work(const QString& session) {
  const int row = session.isEmpty() ? -1 : row_of_session(session);
  keeper_.begin_case();
  model_.set_open_row(row);
  keep_without_question(row >= 0);
  if (row >= 0) {
    take_case(row);
  } else {
    opening_.reset();
  }
}

void CaseCommands::keep_without_question(bool keeps) {
  if (!keeps) {
    files_.set_keeper(nullptr);
    opener_.set_gate(nullptr);
    return;
  }
  files_.set_keeper([this](std::function<void()> go_on) {
    // Whatever it is, it comes in place of the case that is being opened.
    if (is_opening()) opener_.task().cancel();
    opening_.reset();
    keeper_.keep(std::move(go_on));
  });
  opener_.set_gate([this](std::function<void()> replace) { keeper_.keep(std::move(replace)); });
}

void CaseCommands::take_case(int row) {
  model_.forget_failure(row);
  const QString opened = tr("Case %1 of %2: %3")
                             .arg(row + 1)
                             .arg(model_.rowCount())
                             .arg(QString::fromStdString(model_.at(row).name));
  QStringList lines{std::exchange(note_, {}), end_opening(), opened};
  lines.removeAll(QString());
  emit said(lines.join(QStringLiteral("; ")));
  // As after a stroke: a result that was not ready when the case was left, or that needs none.
  if (runs_.live() && !runs_.is_coming() && runs_.displayed().run() == nullptr) runs_.run();
  keeper_.write();
}

void CaseCommands::pass_failed(const QString& name, const QString& message) {
  if (!opening_) return;
  Opening opening = *opening_;
  opening.passed[opening.row] =
      tr("%1 could not be opened: %2").arg(name, in_short(message, model_.at(opening.row).image));
  const int next = row_after(opening.row, opening.step, opening.passed);
  if (next >= 0 && next != model_.open_row()) {
    opening.row = next;
    start_opening(std::move(opening));
    return;
  }
  opening_ = std::move(opening);
  emit said(end_opening());
}

QString CaseCommands::end_opening() {
  if (!opening_) return {};
  const CaseModel::Failures passed = std::move(opening_->passed);
  opening_.reset();
  model_.add_failures(passed);
  return passed.empty() ? QString() : CaseModel::and_others(passed.begin()->second, passed.size());
}

void CaseCommands::set_done(int row, bool done) {
  if (row < 0) return;
  model_.set_done(row, done);
  if (model_.open_row() >= 0) {
    keeper_.keep();
  } else {
    keeper_.write();
  }
}

int CaseCommands::row_of_session(const QString& session) const {
  const int row = row_of_stem(to_path(session).stem().string());
  const bool is_its =
      row >= 0 && model_.walk().folder().session(model_.at(row).stem) == to_path(session);
  return is_its ? row : -1;
}

int CaseCommands::row_of_stem(const std::string& stem) const {
  const auto& cases = model_.walk().cases();
  const auto found = std::ranges::find(cases, stem, &WalkedCase::stem);
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
