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

/// The keys of every action: those that the user chose, otherwise those of the action table.
///
/// The configuration of the program stores only chosen keys, one entry for each action. A better
/// default thus reaches everyone who did not choose.
class Keymap {
 public:
  /// Reads the configuration. An entry that names no action or no key is ignored and kept.
  Keymap();

  /// Returns all keys of an action, the one that is shown first.
  [[nodiscard]] QList<QKeySequence> keys_of(const ActionSpec& spec) const;
  [[nodiscard]] bool is_changed(const ActionSpec& spec) const { return chosen_.contains(spec.id); }
  [[nodiscard]] bool is_changed() const { return !chosen_.empty(); }

  /// Sets and stores the keys of an action. An empty list means no key; the keys of the table
  /// remove the choice.
  void set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys);
  void reset(const ActionSpec& spec);
  void reset();

  /// Returns the other actions that have the key. `spec` is an entry of the table.
  [[nodiscard]] std::vector<const ActionSpec*> others_with(const QKeySequence& key,
                                                           const ActionSpec& spec) const;

 private:
  std::map<std::string, QList<QKeySequence>> chosen_;
};

/// Returns why a key that views or labels need cannot be assigned to an action; empty if it can.
[[nodiscard]] QString why_reserved(const QKeySequence& key);

/// Returns keys as the platform writes them: "Ctrl+Shift+Z, Ctrl+Y".
[[nodiscard]] QString text_of(const QList<QKeySequence>& keys);

}  // namespace seedwave::ui
