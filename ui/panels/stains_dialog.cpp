// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/stains_dialog.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/channel.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"
#include "ui/panels/swatch.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>

namespace seedwave::ui {
namespace {

/// Reads "0.65 0.7 0.29"; commas may stand between the numbers.
std::optional<Vec3> densities_in(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
  const QStringList words = text.split(between, Qt::SkipEmptyParts);
  if (words.size() != 3) return std::nullopt;
  Vec3 densities{};
  for (int i = 0; i < 3; ++i) {
    const auto number = parse_number(words[i].toStdString());
    if (!number) return std::nullopt;
    densities[static_cast<std::size_t>(i)] = *number;
  }
  return norm(densities) > 0.0 ? std::optional(densities) : std::nullopt;
}

QString text_of(const Vec3& densities) {
  return QStringLiteral("%1  %2  %3")
      .arg(densities[0], 0, 'f', 3)
      .arg(densities[1], 0, 'f', 3)
      .arg(densities[2], 0, 'f', 3);
}

/// Returns the colour of glass with a medium amount of the stain.
QColor colour_of_stain(const Vec3& densities) {
  constexpr double kAmount = 0.7;
  const Vec3 unit = unit_of(densities);
  const auto byte = [&](double density) {
    return static_cast<int>(std::lround(255.0 * std::pow(10.0, -kAmount * std::max(0.0, density))));
  };
  return {byte(unit[0]), byte(unit[1]), byte(unit[2])};
}

}  // namespace

StainsDialog::StainsDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("own_stains"));
  setWindowTitle(tr("Own stains"));
  auto* layout = new QVBoxLayout(this);
  auto* help = new QLabel(
      tr("Take each stain from a region, or from strokes of a label, that show it alone; or both "
         "from the whole picture. They become channels for the view and for operations."),
      this);
  help->setWordWrap(true);
  layout->addWidget(help);
  auto* grid = new QGridLayout;
  add_row(*grid, 0, tr("First stain"));
  add_row(*grid, 1, tr("Second stain"));
  add_shown(*grid);
  layout->addLayout(grid);
  message_ = new QLabel(this);
  message_->setObjectName(QStringLiteral("stains_message"));
  message_->setWordWrap(true);
  layout->addWidget(message_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  use_ = buttons->addButton(tr("Use these stains"), QDialogButtonBox::AcceptRole);
  use_->setObjectName(QStringLiteral("use_stains"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  follow();
}

void StainsDialog::add_row(QGridLayout& grid, int stain, const QString& title) {
  Row& row = rows_[static_cast<std::size_t>(stain)];
  row.source = new QComboBox(this);
  row.source->setObjectName(QStringLiteral("stain_source_%1").arg(stain + 1));
  row.source->setAccessibleName(tr("Source of the %1").arg(title.toLower()));
  row.source->setPlaceholderText(tr("By hand"));
  row.source->setMinimumContentsLength(24);
  connect(row.source, &QComboBox::activated, this, [this, stain](int source) {
    say({});
    emit source_chosen(stain, source);
  });
  row.colour = new QLabel(this);
  row.densities = new QLineEdit(this);
  row.densities->setObjectName(QStringLiteral("stain_densities_%1").arg(stain + 1));
  row.densities->setAccessibleName(tr("Optical densities of the %1").arg(title.toLower()));
  row.densities->setToolTip(tr("Optical densities in red, green and blue"));
  row.densities->setPlaceholderText(tr("red  green  blue"));
  row.densities->setMinimumWidth(
      row.densities->fontMetrics().horizontalAdvance(QStringLiteral("-0.000  0.000  0.000  ")));
  connect(row.densities, &QLineEdit::textEdited, this, [this, stain] {
    rows_[static_cast<std::size_t>(stain)].source->setCurrentIndex(-1);
    say({});
    emit source_chosen(stain, -1);
    follow();
  });
  auto* label = new QLabel(title, this);
  label->setBuddy(row.source);
  grid.addWidget(label, stain, 0);
  grid.addWidget(row.source, stain, 1);
  grid.addWidget(row.colour, stain, 2);
  grid.addWidget(row.densities, stain, 3);
}

void StainsDialog::add_shown(QGridLayout& grid) {
  shown_ = new QButtonGroup(this);
  auto* choices = new QHBoxLayout;
  const QStringList titles{tr("Colours"), tr("First stain"), tr("Second stain")};
  for (int id = 0; id < titles.size(); ++id) {
    auto* button = new QRadioButton(titles[id], this);
    button->setObjectName(QStringLiteral("show_stain_%1").arg(id));
    shown_->addButton(button, id);
    choices->addWidget(button);
  }
  choices->addStretch(1);
  shown_->button(0)->setChecked(true);
  connect(shown_, &QButtonGroup::idClicked, this, &StainsDialog::ask_to_show);
  grid.addWidget(new QLabel(tr("Show"), this), 2, 0);
  grid.addLayout(choices, 2, 1, 1, 3);
}

void StainsDialog::offer(const QStringList& sources) {
  for (const Row& row : rows_) {
    const QString chosen = row.source->currentText();
    const QSignalBlocker block(row.source);
    row.source->clear();
    row.source->addItems(sources);
    row.source->setCurrentIndex(row.source->findText(chosen));
  }
}

void StainsDialog::choose(int stain, int source) {
  rows_[static_cast<std::size_t>(stain)].source->setCurrentIndex(source);
  emit source_chosen(stain, source);
}

void StainsDialog::set_stain(int stain, const Vec3& densities) {
  rows_[static_cast<std::size_t>(stain)].densities->setText(text_of(densities));
  follow();
}

void StainsDialog::say(const QString& text) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
}

std::optional<std::array<std::string, 2>> StainsDialog::channels() const {
  const auto first = densities_in(rows_[0].densities->text());
  const auto second = densities_in(rows_[1].densities->text());
  if (!first || !second) return std::nullopt;
  try {
    return std::array{stain_channel(*first, *second), stain_channel(*second, *first)};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void StainsDialog::follow() {
  int known = 0;
  for (const Row& row : rows_) {
    const auto densities = densities_in(row.densities->text());
    row.colour->setPixmap(densities ? swatch(colour_of_stain(*densities)).pixmap(16, 16)
                                    : QPixmap());
    known += densities ? 1 : 0;
  }
  const bool usable = channels().has_value();
  use_->setEnabled(usable);
  for (int id = 1; id <= 2; ++id)
    shown_->button(id)->setEnabled(usable);
  if (!usable && known == 2) say(tr("The two stains are hardly different."));
  if (!usable) shown_->button(0)->setChecked(true);
  ask_to_show();
}

void StainsDialog::ask_to_show() {
  const auto own = channels();
  const int shown = shown_->checkedId();
  emit show_wanted(own && shown > 0 ? (*own)[static_cast<std::size_t>(shown - 1)] : std::string());
}

}  // namespace seedwave::ui
