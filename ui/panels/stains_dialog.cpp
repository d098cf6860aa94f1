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

#include <algorithm>
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

QString text_of(const Rgb& background) {
  return QStringLiteral("%1  %2  %3").arg(background[0]).arg(background[1]).arg(background[2]);
}

/// Reads "243 240 245"; commas may stand between the numbers.
std::optional<Rgb> background_in(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
  const QStringList words = text.split(between, Qt::SkipEmptyParts);
  return parse_background(words.join(QLatin1Char(',')).toStdString());
}

/// Returns the colour of glass with a medium amount of the stain.
QColor colour_of_stain(const Vec3& densities, const Rgb& background) {
  constexpr double kAmount = 0.7;
  const Vec3 unit = unit_of(densities);
  const auto byte = [&](std::size_t c) {
    const double light = background[c] * std::pow(10.0, -kAmount * std::max(0.0, unit[c]));
    return static_cast<int>(std::lround(light));
  };
  return {byte(0), byte(1), byte(2)};
}

}  // namespace

StainsDialog::StainsDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("own_stains"));
  setWindowTitle(tr("Own stains"));
  auto* layout = new QVBoxLayout(this);
  auto* help = new QLabel(
      tr("Take each stain from a region, or from strokes of a label, that show it alone; or both "
         "from the whole picture. They become channels for the view and for operations. The "
         "background is the colour of glass without tissue."),
      this);
  help->setWordWrap(true);
  layout->addWidget(help);
  auto* grid = new QGridLayout;
  const QString densities = tr("Optical densities in red, green and blue");
  add_row(*grid, 0,
          {.source_name = QStringLiteral("stain_source_1"),
           .numbers_name = QStringLiteral("stain_densities_1"),
           .title = tr("First stain"),
           .thing = tr("first stain"),
           .numbers_help = densities});
  add_row(*grid, 1,
          {.source_name = QStringLiteral("stain_source_2"),
           .numbers_name = QStringLiteral("stain_densities_2"),
           .title = tr("Second stain"),
           .thing = tr("second stain"),
           .numbers_help = densities});
  add_row(*grid, kBackground,
          {.source_name = QStringLiteral("background_source"),
           .numbers_name = QStringLiteral("background_colour"),
           .title = tr("Background"),
           .thing = tr("background"),
           .numbers_help = tr("Red, green and blue, from 1 to 255")});
  add_shown(*grid);
  layout->addLayout(grid);
  message_ = new QLabel(this);
  message_->setObjectName(QStringLiteral("stains_message"));
  message_->setWordWrap(true);
  message_->hide();
  layout->addWidget(message_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  use_ = buttons->addButton(tr("Use these stains"), QDialogButtonBox::AcceptRole);
  use_->setObjectName(QStringLiteral("use_stains"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  follow();
}

void StainsDialog::add_row(QGridLayout& grid, int row, const RowText& text) {
  Row& made = row_at(row);
  made.source = new QComboBox(this);
  made.source->setObjectName(text.source_name);
  made.source->setAccessibleName(tr("Source of the %1").arg(text.thing));
  made.source->setPlaceholderText(tr("By hand"));
  made.source->setMinimumContentsLength(24);
  connect(made.source, &QComboBox::activated, this, [this, row](int source) {
    say({});
    emit source_chosen(row, source);
  });
  made.colour = new QLabel(this);
  made.numbers = new QLineEdit(this);
  made.numbers->setObjectName(text.numbers_name);
  made.numbers->setAccessibleName(tr("Numbers of the %1").arg(text.thing));
  made.numbers->setToolTip(text.numbers_help);
  made.numbers->setPlaceholderText(tr("red  green  blue"));
  made.numbers->setMinimumWidth(
      made.numbers->fontMetrics().horizontalAdvance(QStringLiteral("-0.000  0.000  0.000  ")));
  connect(made.numbers, &QLineEdit::textEdited, this, [this, row] { take_typed(row); });
  auto* label = new QLabel(text.title, this);
  label->setBuddy(made.source);
  grid.addWidget(label, row, 0);
  grid.addWidget(made.source, row, 1);
  grid.addWidget(made.colour, row, 2);
  grid.addWidget(made.numbers, row, 3);
}

void StainsDialog::take_typed(int row) {
  row_at(row).source->setCurrentIndex(-1);
  say({});
  emit source_chosen(row, -1);
  follow();
  if (row == kBackground && background()) emit background_changed();
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
  grid.addWidget(new QLabel(tr("Show"), this), kBackground + 1, 0);
  grid.addLayout(choices, kBackground + 1, 1, 1, 3);
}

void StainsDialog::offer(int row, const QStringList& sources) {
  QComboBox* list = row_at(row).source;
  const QString chosen = list->currentText();
  const QSignalBlocker block(list);
  list->clear();
  list->addItems(sources);
  list->setCurrentIndex(list->findText(chosen));
}

void StainsDialog::choose(int row, int source) {
  row_at(row).source->setCurrentIndex(source);
  emit source_chosen(row, source);
}

int StainsDialog::source_of(int row) const {
  return rows_.at(static_cast<std::size_t>(row)).source->currentIndex();
}

void StainsDialog::set_stain(int stain, const Vec3& densities) {
  row_at(stain).numbers->setText(text_of(densities));
  follow();
}

void StainsDialog::set_background(const Rgb& background) {
  if (this->background() == background) return;
  row_at(kBackground).numbers->setText(text_of(background));
  follow();
  emit background_changed();
}

void StainsDialog::tell_failed(int row, const QString& why) {
  row_at(row).numbers->clear();
  follow();
  say(why);
}

void StainsDialog::say(const QString& text) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
  // The rows keep their height.
  if (isVisible()) resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

std::optional<Rgb> StainsDialog::background() const {
  return background_in(rows_[kBackground].numbers->text());
}

std::optional<std::array<std::string, 2>> StainsDialog::channels() const {
  const auto first = densities_in(rows_[0].numbers->text());
  const auto second = densities_in(rows_[1].numbers->text());
  const auto glass = background();
  if (!first || !second || !glass) return std::nullopt;
  try {
    return std::array{stain_channel(*first, *second, *glass),
                      stain_channel(*second, *first, *glass)};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void StainsDialog::follow() {
  show_colours();
  const bool usable = channels().has_value();
  use_->setEnabled(usable);
  for (int id = 1; id <= 2; ++id)
    shown_->button(id)->setEnabled(usable);
  if (const QString text = objection(); !text.isEmpty()) say(text);
  if (!usable) shown_->button(0)->setChecked(true);
  ask_to_show();
}

void StainsDialog::show_colours() {
  const std::optional<Rgb> glass = background();
  const auto show = [](const Row& row, const std::optional<QColor>& colour) {
    row.colour->setPixmap(colour ? swatch(*colour).pixmap(16, 16) : QPixmap());
  };
  for (int stain = 0; stain < kBackground; ++stain) {
    const Row& row = row_at(stain);
    const auto densities = densities_in(row.numbers->text());
    show(row, densities
                  ? std::optional(colour_of_stain(*densities, glass.value_or(kWhiteBackground)))
                  : std::nullopt);
  }
  show(rows_[kBackground],
       glass ? std::optional(QColor((*glass)[0], (*glass)[1], (*glass)[2])) : std::nullopt);
}

/// Returns why the stains cannot be used, if that is not plain to see.
QString StainsDialog::objection() const {
  if (!background() && !rows_[kBackground].numbers->text().isEmpty())
    return tr("The background must be three numbers from 1 to 255.");
  const bool are_known = densities_in(rows_[0].numbers->text()).has_value() &&
                         densities_in(rows_[1].numbers->text()).has_value();
  return are_known && background() && !channels() ? tr("The two stains are hardly different.")
                                                  : QString();
}

void StainsDialog::ask_to_show() {
  const auto own = channels();
  const int shown = shown_->checkedId();
  emit show_wanted(own && shown > 0 ? (*own)[static_cast<std::size_t>(shown - 1)] : std::string());
}

}  // namespace seedwave::ui
