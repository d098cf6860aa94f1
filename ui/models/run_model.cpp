// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_model.h"

#include "core/image/channel.h"
#include "core/image/label_map.h"
#include "ui/models/scored_note.h"

#include <QDateTime>
#include <QFont>
#include <QLocale>
#include <QStringList>

#include <map>

namespace seedwave::ui {

QString value_text(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return QString::fromStdString(*word);
  return QString::number(std::get<double>(value), 'g', 5);
}

QString choice_text(const InputChoice& choice) {
  if (!choice.step) return QString::fromStdString(choice.file.path.filename().string());
  return RunModel::tr("run %1").arg(choice.step->id);
}

namespace {

QString channel_text(const std::string& id) {
  const std::optional<Channel> channel = find_channel(id);
  return QString::fromStdString(channel ? channel->title : id);
}

}  // namespace

RunModel::RunModel(const Workbench& workbench, const RunController& runs, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench), runs_(runs) {
  const auto refresh = [this] {
    beginResetModel();
    endResetModel();
  };
  connect(&runs_.history(), &KeptRuns::changed, this, refresh);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    // The rows show names of labels, which may have changed.
    if (part == Part::Labels && rowCount() > 0) {
      emit dataChanged(index(0, Changes), index(rowCount() - 1, Changes));
    }
  });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, [this] {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  });
}

int RunModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.history().runs().size());
}

int RunModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

const Run* RunModel::run_in(int row) const {
  const auto& runs = runs_.history().runs();
  const auto count = static_cast<int>(runs.size());
  return row < 0 || row >= count ? nullptr : &runs[static_cast<std::size_t>(count - 1 - row)];
}

std::uint64_t RunModel::run_at(int row) const {
  const Run* run = run_in(row);
  return run == nullptr ? 0 : run->id;
}

int RunModel::row_of(std::uint64_t id) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (run_at(row) == id) return row;
  }
  return -1;
}

QStringList RunModel::stroke_changes(const Run& before, const Run& run) const {
  std::map<Label, int> more;
  run.recipe.seeds.for_each([&](const Stroke& stroke) { ++more[stroke.label]; });
  before.recipe.seeds.for_each([&](const Stroke& stroke) { --more[stroke.label]; });
  QStringList list;
  for (const auto& [label, count] : more) {
    if (count == 0) continue;
    const QString name = label == 0 ? tr("eraser") : workbench_.label_name(label);
    const QString strokes =
        count > 0 ? tr("+%n stroke(s)", nullptr, count) : tr("−%n stroke(s)", nullptr, -count);
    list << tr("%1 (%2)", "strokes of a label").arg(strokes, name);
  }
  if (list.isEmpty() && run.recipe.seeds != before.recipe.seeds) list << tr("different strokes");
  if (run.recipe.edits != before.recipe.edits) list << tr("edits");
  return list;
}

QString RunModel::changes(int row) const {
  const Run* run = run_in(row);
  const Run* before = run_in(row + 1);
  if (before == nullptr) return tr("first run");
  QStringList list;
  const bool same_operation = run->recipe.operation == before->recipe.operation;
  if (!same_operation) list << QString::fromStdString(run->recipe.operation);
  bool estimated_anew = false;
  for (const auto& [id, value] : run->facts.values) {
    if (!same_operation) break;  // its own values: none of them was changed
    if (before->facts.values.has(id) && before->facts.values.at(id) == value) continue;
    if (run->recipe.values.has(id) || before->recipe.values.has(id)) {
      list << QStringLiteral("%1 %2").arg(QString::fromStdString(id), value_text(value));
    } else {
      estimated_anew = true;
    }
  }
  if (estimated_anew) list << tr("re-estimated");
  if (!run->recipe.channel.empty() && run->recipe.channel != before->recipe.channel) {
    list << tr("channel %1").arg(channel_text(run->recipe.channel));
  }
  for (const auto& [input, choice] : run->recipe.inputs) {
    const auto was = before->recipe.inputs.find(input);
    if (was != before->recipe.inputs.end() && was->second == choice) continue;
    list << QStringLiteral("%1: %2").arg(QString::fromStdString(input), choice_text(choice));
  }
  for (const auto& [input, choice] : before->recipe.inputs) {
    if (same_operation && !run->recipe.inputs.contains(input)) {
      list << tr("%1: as opened", "an input").arg(QString::fromStdString(input));
    }
  }
  list << stroke_changes(*before, *run);
  if (run->facts.backend != before->facts.backend ||
      run->facts.algorithm != before->facts.algorithm) {
    list << QStringLiteral("%1 %2").arg(QString::fromStdString(run->facts.algorithm),
                                        QString::fromStdString(run->facts.backend));
  }
  if (run->facts.shares.empty() != before->facts.shares.empty())
    list << (run->facts.shares.empty() ? tr("not shared") : tr("shared"));
  return list.isEmpty() ? tr("no changes") : list.join(QStringLiteral(", "));
}

bool RunModel::has_object_scores() const {
  return std::ranges::any_of(runs_.history().runs(),
                             [](const Run& run) { return run.score.objects.has_value(); });
}

QVariant RunModel::text(const Run& run, int row, int column) const {
  const QLocale locale;
  switch (column) {
    case Number:
      return run.pinned ? tr("%1 A").arg(run.id) : QString::number(run.id);
    case Changes:
      return changes(row);
    case Milliseconds:
      if (changes(row) == tr("edits")) return QStringLiteral("–");  // no run was made for them
      return locale.toString(run.facts.total_ms, 'f', run.facts.total_ms < 10.0 ? 1 : 0);
    case Dice:
      if (const auto dice = run.score.mean()) return locale.toString(*dice, 'f', 3);
      return QStringLiteral("–");
    case F1:
      if (run.score.objects) return locale.toString(run.score.objects->f1(), 'f', 3);
      return QStringLiteral("–");
    default:
      return {};
  }
}

QString RunModel::tip(const Run& run, int row) const {
  const auto time = QDateTime::fromString(QString::fromStdString(run.time), Qt::ISODate);
  QStringList lines{
      tr("%1: %2").arg(QLocale().toString(time.toLocalTime().time(), QStringLiteral("HH:mm:ss")),
                       changes(row)),
      tr("%1 by %2 on %3")
          .arg(QString::fromStdString(run.recipe.operation),
               QString::fromStdString(run.facts.algorithm),
               QString::fromStdString(run.facts.backend))};
  for (const RunFacts::Share& share : run.facts.shares)
    lines << QString::fromStdString(share_text(share));
  for (const auto& [id, value] : run.facts.values) {
    lines << QStringLiteral("%1 = %2").arg(QString::fromStdString(id), value_text(value));
  }
  if (!run.recipe.channel.empty()) lines << tr("channel: %1").arg(channel_text(run.recipe.channel));
  for (const auto& [input, choice] : run.recipe.inputs)
    lines << QStringLiteral("%1: %2").arg(QString::fromStdString(input), choice_text(choice));
  if (!run.score.mean() && run.labels.empty() && !run.facts.voxels.empty() &&
      !workbench_.reference().labels.empty()) {
    lines << tr("no Dice: its labels were evicted to save memory; restore the run to score it");
  }
  lines << QString::fromStdString(run.facts.digest);
  if (!run.note.empty()) lines << QString::fromStdString(run.note);
  return lines.join('\n');
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
  const Run* run = run_in(index.row());
  if (!index.isValid() || run == nullptr) return {};
  if (role == Qt::DisplayRole) return text(*run, index.row(), index.column());
  if (role == Qt::ToolTipRole) return tip(*run, index.row());
  if (role == Qt::TextAlignmentRole && index.column() >= Milliseconds) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::FontRole && run->id == runs_.displayed().result().run) {
    QFont font;
    font.setBold(true);
    return font;
  }
  return {};
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    const bool number = section >= Milliseconds;
    return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && section == Dice) {
    return tr("Mean Dice of the labels, or Dice of the foreground") +
           scored_note(workbench_.document().scored);
  }
  if (role == Qt::ToolTipRole && section == F1)
    return tr("F1 of objects, which match at an IoU above 0.5");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Number:
      return tr("Run");
    case Changes:
      return tr("Changed");
    case Milliseconds:
      return tr("ms");
    case Dice:
      return tr("Dice");
    case F1:
      return tr("F1");
    default:
      return {};
  }
}

}  // namespace seedwave::ui
