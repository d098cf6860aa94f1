// SPDX-License-Identifier: Apache-2.0
#include "ui/window/case_keeper.h"

#include "core/io/formats/output_set.h"
#include "ui/models/case_figures.h"
#include "ui/models/path_text.h"

#include <QDir>

#include <filesystem>
#include <system_error>
#include <utility>

namespace seedwave::ui {

namespace {

void write_tables(const CaseWalk& walk) {
  io::OutputSet outputs;
  outputs.add(walk.folder().state(), walk.state());
  outputs.add(walk.folder().table(), walk.table());
  outputs.commit();
}

}  // namespace

CaseKeeper::CaseKeeper(Workbench& workbench, RunController& runs, FileSaver& saver,
                       FileCommands& files, CaseModel& model, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      runs_(runs),
      saver_(saver),
      files_(files),
      model_(model) {
  // After all of a change: a run that ends because another image comes has no result to wait for.
  connect(&runs_, &RunController::ended, this, &CaseKeeper::on_run_ended, Qt::QueuedConnection);
  look_again_.setInterval(200);
  connect(&look_again_, &QTimer::timeout, this, &CaseKeeper::on_run_ended);
}

void CaseKeeper::begin() {
  begin_case();
  written_walk_.reset();
}

void CaseKeeper::begin_case() {
  ++visit_;
  state_ = State::Resting;
  go_on_ = nullptr;
  keeps_ = false;
  is_touched_ = false;
  written_labels_.reset();
  look_again_.stop();
}

void CaseKeeper::refresh() {
  if (!is_open()) return;
  const int row = model_.open_row();
  model_.set_work(row, case_figures(workbench_, runs_, model_.at(row).work));
}

void CaseKeeper::write() {
  if (state_ == State::Resting) advance();
}

void CaseKeeper::keep(std::function<void()> go_on) {
  if (go_on) go_on_ = std::move(go_on);
  keeps_ = true;
  if (state_ == State::Resting || state_ == State::AwaitingResult) advance();
}

void CaseKeeper::advance() {
  refresh();
  look_again_.stop();
  if (keeps_ && awaits_result()) {
    if (go_on_) emit said(tr("Waiting for the result of %1").arg(name()));
    state_ = State::AwaitingResult;
    look_again_.start();
  } else if (keeps_ && files_.has_unsaved()) {
    save_session();
  } else if (model_.rowCount() > 0 && (written_walk_ != model_.walk() ||
                                       (labels_to_keep() && labels_to_keep() != written_labels_))) {
    write_files();
  } else {
    rest();
  }
}

void CaseKeeper::rest() {
  state_ = State::Resting;
  const bool keeps = std::exchange(keeps_, false);
  if (const QString why = why_no_labels(); keeps && !why.isEmpty()) emit noted(why);
  if (const auto go_on = std::exchange(go_on_, nullptr)) go_on();
}

void CaseKeeper::give_up() {
  state_ = State::Resting;
  go_on_ = nullptr;
  keeps_ = false;
  emit gave_up();
}

void CaseKeeper::on_run_ended() {
  if (state_ != State::AwaitingResult || awaits_result()) return;
  const bool has_come = runs_.displayed().run() != nullptr && !runs_.displayed().result().stale &&
                        runs_.failure().isEmpty();
  if (has_come || !go_on_) {
    advance();
    return;
  }
  emit said(tr("The result of %1 did not come: the case stays open").arg(name()));
  give_up();
}

void CaseKeeper::save_session() {
  state_ = State::SavingSession;
  is_touched_ = true;
  const auto in_this_visit = [this, visit = visit_](void (CaseKeeper::*next)()) {
    return [this, visit, next] {
      if (visit == visit_) (this->*next)();
    };
  };
  files_.save_then(in_this_visit(&CaseKeeper::advance), in_this_visit(&CaseKeeper::give_up));
}

void CaseKeeper::write_files() {
  state_ = State::WritingFiles;
  const int row = model_.open_row();
  std::optional<Labels> labels = labels_to_keep();
  if (labels == written_labels_) labels.reset();
  CaseWalk walk = model_.walk();
  std::filesystem::path old_labels;
  if (labels) {
    const std::string& old = model_.at(row).labels_file;
    if (!old.empty() && old != labels->file) old_labels = walk.folder().labels(old);
    walk.set_labels_file(static_cast<std::size_t>(row), labels->file);
  }
  const auto write = [walk, labels, old_labels, write_labels = saver_.labels_writer()] {
    walk.folder().create();
    if (labels) write_labels(walk.folder().labels(labels->file));
    write_tables(walk);
    std::error_code ignored;
    if (!old_labels.empty()) std::filesystem::remove(old_labels, ignored);
  };
  const auto done = [this, walk, labels, row, visit = visit_] {
    if (labels && model_.walk().folder() == walk.folder())
      model_.set_labels_file(walk.cases()[static_cast<std::size_t>(row)].stem, labels->file);
    if (visit != visit_) return;
    written_walk_ = walk;
    if (labels) {
      written_labels_ = labels;
      if (!go_on_)
        emit said(tr("Wrote %1")
                      .arg(QDir::toNativeSeparators(to_text(walk.folder().labels(labels->file)))));
    }
    advance();
  };
  saver_.write(is_open() ? tr("Saving %1").arg(name()) : tr("Saving the list of cases"), write,
               done, [this, visit = visit_] {
                 if (visit == visit_) give_up();
               });
}

bool CaseKeeper::is_done() const {
  return is_open() && model_.at(model_.open_row()).done;
}

bool CaseKeeper::needs_labels() const {
  return is_done() &&
         (is_touched_ || files_.has_unsaved() || model_.at(model_.open_row()).labels_file.empty());
}

bool CaseKeeper::awaits_result() const {
  const bool is_there = runs_.displayed().run() != nullptr && !runs_.displayed().result().stale;
  return needs_labels() && runs_.is_coming() && !is_there;
}

std::optional<CaseKeeper::Labels> CaseKeeper::labels_to_keep() const {
  const DisplayedResult::Result& result = runs_.displayed().result();
  if (!needs_labels() || result.labels.empty() || result.stale) return std::nullopt;
  const Document& document = workbench_.document();
  return Labels{
      .file = model_.at(model_.open_row()).stem + files_.label_suffix().toStdString(),
      .run = result.run,
      .edits = document.edits,
      .entries = document.labels,
  };
}

QString CaseKeeper::why_no_labels() const {
  if (!needs_labels() || labels_to_keep()) return {};
  if (runs_.displayed().result().stale)
    return tr("The labels of %1 were not written: they are older than its strokes or values")
        .arg(name());
  if (model_.at(model_.open_row()).labels_file.empty())
    return tr("%1 is done without labels: it has no result with labels").arg(name());
  return tr("The labels file of %1 is that of an earlier result").arg(name());
}

QString CaseKeeper::name() const {
  return QString::fromStdString(model_.at(model_.open_row()).name);
}

}  // namespace seedwave::ui
