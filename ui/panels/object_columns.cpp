// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/object_columns.h"

#include <QAction>
#include <QSettings>

#include <map>

namespace seedwave::ui {
namespace {

constexpr const char* kSetting = "objects/columns";

/// A first look. Columns that the objects do not have are not missed.
QStringList usual_columns() {
  return {QStringLiteral("size"),
          QStringLiteral("circularity"),
          QStringLiteral("sphericity"),
          QStringLiteral("mean"),
          QStringLiteral("hematoxylin_mean"),
          QStringLiteral("stain_1_mean"),
          QStringLiteral("stain_2_mean")};
}

}  // namespace

ObjectColumns::ObjectColumns(ObjectModel& model, QWidget* parent)
    : QMenu(tr("Columns"), parent),
      model_(model),
      chosen_(QSettings().value(QLatin1String(kSetting), usual_columns()).toStringList()) {
  connect(this, &QMenu::aboutToShow, this, &ObjectColumns::fill);
}

bool ObjectColumns::is_shown(int column) const {
  const auto wanted = model_.list_column(column);
  return !wanted ||
         chosen_.contains(QString::fromStdString(model_.list()->columns()[*wanted].column.spec.id));
}

/// The columns of a channel have a menu of their own.
void ObjectColumns::fill() {
  clear();
  std::map<QString, QMenu*> channels;
  for (int column = ObjectModel::kName + 1; column < model_.columnCount(); ++column) {
    const std::size_t wanted = *model_.list_column(column);
    const QString id = QString::fromStdString(model_.list()->columns()[wanted].column.spec.id);
    const QString title = object_column_title(*model_.list(), wanted);
    const qsizetype colon = title.indexOf(QStringLiteral(": "));
    QMenu* menu = this;
    if (colon > 0) {
      QMenu*& own = channels[title.left(colon)];
      if (own == nullptr) own = addMenu(title.left(colon));
      menu = own;
    }
    QAction* action = menu->addAction(colon > 0 ? title.mid(colon + 2) : title);
    action->setCheckable(true);
    action->setChecked(chosen_.contains(id));
    connect(action, &QAction::toggled, this, [this, id](bool shown) { choose(id, shown); });
  }
}

void ObjectColumns::choose(const QString& id, bool shown) {
  chosen_.removeAll(id);
  if (shown) chosen_.append(id);
  QSettings().setValue(QLatin1String(kSetting), chosen_);
  emit changed();
}

}  // namespace seedwave::ui
