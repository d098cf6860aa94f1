// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/action_table.h"

#include <QKeySequence>
#include <QList>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::ui {

/// Which keys call which action: those of the action table, but where the user chose others.
///
/// What was chosen is kept in the program's configuration, one entry an action; what is as in the
/// table is not, so that a better default reaches everybody who did not choose.
class Keymap {
 public:
  /// Reads the configuration. An entry that names no action or no key is left alone and ignored.
  Keymap();

  /// All keys of an action, the one that is shown first.
  [[nodiscard]] QList<QKeySequence> keys_of(const ActionSpec& spec) const;
  [[nodiscard]] bool is_changed(const ActionSpec& spec) const { return chosen_.contains(spec.id); }
  [[nodiscard]] bool is_changed() const { return !chosen_.empty(); }

  /// Makes `keys` those of the action and keeps it. Empty: none. Those of the table: not chosen.
  void set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys);
  void reset(const ActionSpec& spec);
  void reset();

  /// The actions but `spec`, an entry of the table, that have the key.
  [[nodiscard]] std::vector<const ActionSpec*> others_with(const QKeySequence& key,
                                                           const ActionSpec& spec) const;

 private:
  std::map<std::string, QList<QKeySequence>> chosen_;
};

/// Why a key cannot be chosen for an action: views and labels need it. Empty: it can.
[[nodiscard]] QString why_reserved(const QKeySequence& key);

/// "Ctrl+Shift+Z, Ctrl+Y", as the platform writes keys.
[[nodiscard]] QString text_of(const QList<QKeySequence>& keys);

}  // namespace seedwave::ui
