// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_color.h"

#include <QDialog>
#include <QStringList>

#include <array>
#include <optional>
#include <string>

class QButtonGroup;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace seedwave::ui {

/// The choice of two stains and the background: for each a source, or its numbers by hand. The
/// window stays usable.
class StainsDialog : public QDialog {
  Q_OBJECT

 public:
  /// The row of the background; those of the stains are 0 and 1.
  static constexpr int kBackground = 2;

  explicit StainsDialog(QWidget* parent = nullptr);

  /// Offers sources of a row; the one that is chosen stays chosen if it is still among them.
  void offer(int row, const QStringList& sources);
  /// Chooses a source of a row, as if by hand.
  void choose(int row, int source);
  /// Returns the place of the chosen source in the list; -1: the row is given by hand.
  [[nodiscard]] int source_of(int row) const;
  /// Shows the densities that a source of a stain gave.
  void set_stain(int stain, const Vec3& densities);
  /// Shows the colour that a source of the background gave.
  void set_background(const Rgb& background);
  /// Shows why the source of a row gave none. The row has no numbers then.
  void tell_failed(int row, const QString& why);
  /// Shows a line about the numbers; "" for nothing.
  void say(const QString& text);
  /// Returns the background; nothing while it is not three numbers from 1 to 255.
  [[nodiscard]] std::optional<Rgb> background() const;
  /// The channels of both stains; nothing until all is known and the stains differ.
  [[nodiscard]] std::optional<std::array<std::string, 2>> channels() const;

 signals:
  /// The numbers of a row are to be taken from a source, by its place in the list; -1: they are
  /// given by hand.
  void source_chosen(int row, int source);
  /// Stains that come from sources are to be taken anew.
  void background_changed();
  /// The picture shall show the channel; "" for the colours.
  void show_wanted(const std::string& channel);

 private:
  struct Row {
    QComboBox* source = nullptr;
    QLabel* colour = nullptr;
    QLineEdit* numbers = nullptr;
  };
  /// The names of a row: "stain_source_1" and so on are the names of its widgets.
  struct RowText {
    QString source_name;
    QString numbers_name;
    QString title;
    /// The same within a sentence.
    QString thing;
    QString numbers_help;
  };
  void add_row(QGridLayout& grid, int row, const RowText& text);
  void add_shown(QGridLayout& grid);
  void take_typed(int row);
  void follow();
  void show_colours();
  [[nodiscard]] QString objection() const;
  void ask_to_show();

  [[nodiscard]] Row& row_at(int row) { return rows_.at(static_cast<std::size_t>(row)); }

  std::array<Row, 3> rows_;        // the stains, the background
  QButtonGroup* shown_ = nullptr;  // 0: the colours, 1 and 2: a stain
  QLabel* message_ = nullptr;
  QPushButton* use_ = nullptr;
};

}  // namespace seedwave::ui
