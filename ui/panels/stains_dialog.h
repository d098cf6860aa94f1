// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

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

/// The choice of two stains: for each a source, or its optical densities by hand. The window stays
/// usable.
class StainsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit StainsDialog(QWidget* parent = nullptr);

  /// Offers sources of stains; those that are chosen stay chosen if they are still among them.
  void offer(const QStringList& sources);
  /// Chooses a source of a stain (0, 1), as if by hand.
  void choose(int stain, int source);
  /// Shows the densities that a source gave.
  void set_stain(int stain, const Vec3& densities);
  /// Shows why a source gave none; "" for nothing.
  void say(const QString& text);
  /// The channels of both stains; nothing until both are known and differ.
  [[nodiscard]] std::optional<std::array<std::string, 2>> channels() const;

 signals:
  /// The densities of a stain (0, 1) are to be taken from a source, by its place in the list;
  /// -1: they are given by hand.
  void source_chosen(int stain, int source);
  /// The picture shall show the channel; "" for the colours.
  void show_wanted(const std::string& channel);

 private:
  struct Row {
    QComboBox* source = nullptr;
    QLabel* colour = nullptr;
    QLineEdit* densities = nullptr;
  };
  void add_row(QGridLayout& grid, int stain, const QString& title);
  void add_shown(QGridLayout& grid);
  void follow();
  void ask_to_show();

  std::array<Row, 2> rows_;
  QButtonGroup* shown_ = nullptr;  // 0: the colours, 1 and 2: a stain
  QLabel* message_ = nullptr;
  QPushButton* use_ = nullptr;
};

}  // namespace seedwave::ui
