// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/apply_dialog.h"

#include "core/ops/operation.h"
#include "ui/panels/list_view.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QThread>
#include <QTimer>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace seedwave::ui {
namespace {

constexpr int kSettledMs = 400;
/// The first suggestion for the file beside an image; others have no usual name.
const char* const kSeedsBeside = "*.seeds.json";

}  // namespace

ApplyDialog::ApplyDialog(CohortModel& model, CohortRun& run, QWidget* parent)
    : QDialog(parent), model_(model), run_(run) {
  setObjectName(QStringLiteral("apply"));
  setWindowTitle(tr("Apply recipe"));
  setAcceptDrops(true);
  resize(820, 620);
  settling_ = new QTimer(this);
  settling_->setSingleShot(true);
  settling_->setInterval(kSettledMs);
  connect(settling_, &QTimer::timeout, this, &ApplyDialog::sources_changed);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(make_form());
  layout->addLayout(make_adding());
  layout->addWidget(make_list(), 1);
  bar_ = new QProgressBar(this);
  bar_->setAccessibleName(tr("Cases that have ended"));
  layout->addWidget(bar_);
  state_ = new QLabel(this);
  state_->setObjectName(QStringLiteral("state"));
  state_->setWordWrap(true);
  state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(state_);
  layout->addLayout(make_foot());
  connect_all();
  show_state();
}

QFormLayout* ApplyDialog::make_form() {
  form_ = new QFormLayout;
  auto* row = new QHBoxLayout;
  recipes_ = new QComboBox(this);
  recipes_->setObjectName(QStringLiteral("recipe"));
  recipes_->setAccessibleName(tr("Recipe"));
  recipes_->setPlaceholderText(tr("None: show the result of a run, or choose a file"));
  row->addWidget(recipes_, 1);
  recipe_file_ = add_button(*row, tr("Choose file…"), "recipe_file");
  form_->addRow(tr("Recipe"), row);
  about_ = new QLabel(this);
  about_->setObjectName(QStringLiteral("about"));
  about_->setWordWrap(true);
  form_->addRow(QString(), about_);
  auto* output = new QHBoxLayout;
  folder_ = new QLineEdit(this);
  folder_->setObjectName(QStringLiteral("folder"));
  folder_->setAccessibleName(tr("Folder for results"));
  folder_->setPlaceholderText(tr("A folder that gets one for each case"));
  output->addWidget(folder_, 1);
  choose_folder_ = add_button(*output, tr("Choose…"), "choose_folder");
  output->addSpacing(12);
  auto* jobs = new QLabel(tr("At the same time"), this);
  output->addWidget(jobs);
  jobs_ = new QSpinBox(this);
  jobs_->setObjectName(QStringLiteral("jobs"));
  jobs_->setRange(1, std::max(1, QThread::idealThreadCount()));
  jobs_->setToolTip(tr("Cases at the same time; they share the threads and the memory"));
  jobs->setBuddy(jobs_);
  output->addWidget(jobs_);
  form_->addRow(tr("Results"), output);
  return form_;
}

QHBoxLayout* ApplyDialog::make_adding() {
  auto* row = new QHBoxLayout;
  adding_ = {add_button(*row, tr("Add files…"), "add_files"),
             add_button(*row, tr("Add folder…"), "add_folder")};
  adding_[0]->setToolTip(tr("Images, or lists of cases (CSV)"));
  adding_[1]->setToolTip(tr("Each image, slide and DICOM series in it is a case"));
  remove_ = add_button(*row, tr("Remove"), "remove");
  remove_->setToolTip(tr("Take the selected cases off the list; their files stay"));
  row->addStretch(1);
  return row;
}

QTreeView* ApplyDialog::make_list() {
  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(&model_);
  sorted_->setSortRole(Qt::UserRole);
  list_ = make_list_view(*sorted_, QStringLiteral("cases"), tr("Cases"), CohortModel::StateColumn,
                         this, tr("Add images or a list of cases, or drop them here."));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setSortingEnabled(true);
  list_->sortByColumn(-1, Qt::AscendingOrder);
  return list_;
}

QHBoxLayout* ApplyDialog::make_foot() {
  auto* row = new QHBoxLayout;
  start_ = add_button(*row, tr("Start"), "start");
  pause_ = add_button(*row, tr("Pause"), "pause");
  cancel_ = add_button(*row, tr("Cancel run"), "cancel_run");
  cancel_->setToolTip(tr("Finished cases stay; Start goes on with the others"));
  row->addStretch(1);
  open_ = add_button(*row, tr("Open case"), "open_case");
  open_->setToolTip(tr("Open the image with the result as labels, to look at it and correct it"));
  open_folder_ = add_button(*row, tr("Open folder"), "open_folder");
  copy_ = add_button(*row, tr("Copy command"), "copy");
  copy_->setToolTip(tr("Copy the seedwave-cli command that does the same"));
  QPushButton* close = add_button(*row, tr("Close"), "close");
  close->setToolTip(tr("The run goes on; open this again to see it"));
  connect(close, &QPushButton::clicked, this, &QDialog::hide);
  return row;
}

QPushButton* ApplyDialog::add_button(QHBoxLayout& row, const QString& text, const char* name) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(QString::fromLatin1(name));
  button->setAutoDefault(false);
  row.addWidget(button);
  return button;
}

void ApplyDialog::connect_all() {
  connect(recipes_, &QComboBox::currentIndexChanged, this, &ApplyDialog::recipe_chosen);
  connect(recipe_file_, &QPushButton::clicked, this, &ApplyDialog::ask_recipe);
  connect(folder_, &QLineEdit::textChanged, settling_, qOverload<>(&QTimer::start));
  connect(folder_, &QLineEdit::textChanged, this, &ApplyDialog::show_state);
  connect(choose_folder_, &QPushButton::clicked, this, &ApplyDialog::ask_output);
  connect(adding_[0], &QPushButton::clicked, this, &ApplyDialog::ask_files);
  connect(adding_[1], &QPushButton::clicked, this, &ApplyDialog::ask_folder);
  connect(remove_, &QPushButton::clicked, this, &ApplyDialog::remove_selected);
  connect(list_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    emit open_wanted(sorted_->mapToSource(index).row());
  });
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ApplyDialog::show_state);
  connect(&model_, &CohortModel::changed, this, &ApplyDialog::show_state);
  connect(&run_, &CohortRun::paused_changed, this, &ApplyDialog::show_state);
  connect(start_, &QPushButton::clicked, this, [this] {
    message_.clear();
    emit start_wanted();
    show_state();
  });
  connect(pause_, &QPushButton::clicked, this, [this] { run_.set_paused(!run_.paused()); });
  connect(cancel_, &QPushButton::clicked, &run_, &CohortRun::cancel);
  connect(open_, &QPushButton::clicked, this, &ApplyDialog::open_selected);
  connect(open_folder_, &QPushButton::clicked, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder())); });
  connect(copy_, &QPushButton::clicked, this, &ApplyDialog::command_wanted);
}

void ApplyDialog::add_recipe(const QString& title) {
  recipes_->addItem(title);
}

void ApplyDialog::choose_recipe(int place) {
  recipes_->setCurrentIndex(place);
}

int ApplyDialog::recipe() const {
  return recipes_->currentIndex();
}

void ApplyDialog::show_recipe(const QString& text, const std::vector<std::string>& inputs) {
  about_->setText(text);
  std::map<std::string, QString> texts;
  for (const auto& [input, edit] : beside_) {
    texts[input] = edit->text();
    form_->removeRow(edit);
  }
  beside_.clear();
  int row = 2;  // after the recipe and what it is about
  for (const std::string& input : inputs) {
    const bool is_seeds = input == name_of(InputKind::Seeds);
    auto* edit = new QLineEdit(
        texts.contains(input) ? texts[input] : QString::fromLatin1(is_seeds ? kSeedsBeside : ""),
        this);
    edit->setObjectName(QString::fromStdString(input));
    edit->setPlaceholderText(
        tr("File beside each image, where * is its name; or a column of the "
           "list"));
    connect(edit, &QLineEdit::textChanged, settling_, qOverload<>(&QTimer::start));
    beside_[input] = edit;
    QString title = QString::fromStdString(input);
    title[0] = title[0].toUpper();
    form_->insertRow(row++, title, edit);
  }
  show_state();
}

std::map<std::string, std::string> ApplyDialog::beside() const {
  std::map<std::string, std::string> names;
  for (const auto& [input, edit] : beside_) {
    if (const QString name = edit->text().trimmed(); !name.isEmpty())
      names[input] = name.toStdString();
  }
  return names;
}

bool ApplyDialog::is_settling() const {
  return settling_->isActive();
}

void ApplyDialog::show_looking(bool looking) {
  looking_ = looking;
  settling_->stop();
  show_state();
}

QString ApplyDialog::folder() const {
  return folder_->text().trimmed();
}

void ApplyDialog::suggest_folder(const QString& folder) {
  if (this->folder().isEmpty()) folder_->setText(folder);
}

int ApplyDialog::jobs() const {
  return jobs_->value();
}

void ApplyDialog::say(const QString& text) {
  state_->setText(text);
}

void ApplyDialog::show_end(const QString& message) {
  const CohortModel::Counts counts = model_.counts();
  // If all have ended, the list says why some failed.
  message_ = counts.waiting > 0 || counts.all() == counts.failed ? message : QString();
  show_state();
}

void ApplyDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && !run_.busy()) event->acceptProposedAction();
}

void ApplyDialog::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  event->acceptProposedAction();
  emit paths_added(paths);
}

void ApplyDialog::ask_recipe() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Recipe"), {}, tr("Recipes (*.json)"));
  if (!path.isEmpty()) emit recipe_file_added(path);
}

void ApplyDialog::ask_files() {
  const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Cases"));
  if (!paths.isEmpty()) emit paths_added(paths);
}

void ApplyDialog::ask_folder() {
  const QString path = QFileDialog::getExistingDirectory(this, tr("Folder with cases"));
  if (!path.isEmpty()) emit paths_added({path});
}

void ApplyDialog::ask_output() {
  const QString path = QFileDialog::getExistingDirectory(this, tr("Folder for results"), folder());
  if (!path.isEmpty()) folder_->setText(path);
}

std::vector<int> ApplyDialog::selected() const {
  std::vector<int> rows;
  for (const QModelIndex& index : list_->selectionModel()->selectedRows())
    rows.push_back(sorted_->mapToSource(index).row());
  return rows;
}

void ApplyDialog::remove_selected() {
  model_.remove(selected());
}

void ApplyDialog::open_selected() {
  if (const std::vector<int> rows = selected(); rows.size() == 1) emit open_wanted(rows.front());
}

QString ApplyDialog::state_text() const {
  const CohortModel::Counts counts = model_.counts();
  if (counts.all() == 0) return tr("No cases yet");
  QStringList parts{tr("%n case(s)", nullptr, static_cast<int>(counts.all()))};
  if (counts.done > 0) parts << tr("%1 done").arg(counts.done);
  if (counts.failed > 0) parts << tr("%1 failed").arg(counts.failed);
  if (counts.running > 0) parts << tr("%1 running").arg(counts.running);
  if (run_.paused()) parts << tr("paused");
  if (!message_.isEmpty()) parts << message_;
  return parts.join(QStringLiteral(", "));
}

void ApplyDialog::show_state() {
  const CohortModel::Counts counts = model_.counts();
  const bool busy = run_.busy() || looking_;
  for (QWidget* choice : std::initializer_list<QWidget*>{
           recipes_, recipe_file_, folder_, choose_folder_, jobs_, adding_[0], adding_[1]})
    choice->setEnabled(!busy);
  for (const auto& [input, edit] : beside_)
    edit->setEnabled(!busy);
  const std::size_t rows = selected().size();
  const bool is_complete = recipe() >= 0 && counts.all() > 0 && !folder().isEmpty();
  remove_->setEnabled(!busy && rows > 0);
  start_->setEnabled(!busy && is_complete);
  copy_->setEnabled(!busy && is_complete);
  pause_->setEnabled(run_.busy());
  pause_->setText(run_.paused() ? tr("Resume") : tr("Pause"));
  cancel_->setEnabled(run_.busy());
  open_->setEnabled(rows == 1);
  open_folder_->setEnabled(!folder().isEmpty() && QFileInfo(folder()).isDir());
  bar_->setMaximum(std::max(1, static_cast<int>(counts.all())));
  bar_->setValue(static_cast<int>(counts.done + counts.failed));
  state_->setText(state_text());
}

}  // namespace seedwave::ui
