// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/keymap.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStringList>

namespace seedwave::ui {

namespace {

QString group() {
  return QStringLiteral("keys/");
}

/// "; " separates keys in the table and the configuration. Key names are portable, so that a
/// configuration can be moved to another machine.
QList<QKeySequence> parse(const QString& text) {
  QList<QKeySequence> keys;
  for (const QString& part : text.split(QStringLiteral("; "))) {
    const QKeySequence key = QKeySequence::fromString(part, QKeySequence::PortableText);
    if (!key.isEmpty() && key[0].key() != Qt::Key_unknown) keys << key;
  }
  return keys;
}

QString write(const QList<QKeySequence>& keys) {
  QStringList parts;
  for (const QKeySequence& key : keys)
    parts << key.toString(QKeySequence::PortableText);
  return parts.join(QStringLiteral("; "));
}

QList<QKeySequence> keys_of_table(const ActionSpec& spec) {
  return parse(QString::fromUtf8(spec.keys));
}

QString text(const char* source) {
  return QCoreApplication::translate("Keymap", source);
}

}  // namespace

Keymap::Keymap() {
  const QSettings settings;
  for (const ActionSpec& spec : action_table()) {
    const QVariant kept = settings.value(group() + QString::fromUtf8(spec.id));
    if (!kept.isValid()) continue;
    const QList<QKeySequence> keys = parse(kept.toString());
    // An empty text means "no key". This program does not write texts that are not keys.
    if (!keys.isEmpty() || kept.toString().isEmpty()) chosen_[spec.id] = keys;
  }
}

QList<QKeySequence> Keymap::keys_of(const ActionSpec& spec) const {
  const auto found = chosen_.find(spec.id);
  return found == chosen_.end() ? keys_of_table(spec) : found->second;
}

void Keymap::set_keys(const ActionSpec& spec, const QList<QKeySequence>& keys) {
  QSettings settings;
  if (keys == keys_of_table(spec)) {
    chosen_.erase(spec.id);
    settings.remove(group() + QString::fromUtf8(spec.id));
  } else {
    chosen_[spec.id] = keys;
    settings.setValue(group() + QString::fromUtf8(spec.id), write(keys));
  }
}

void Keymap::reset(const ActionSpec& spec) {
  set_keys(spec, keys_of_table(spec));
}

void Keymap::reset() {
  chosen_.clear();
  QSettings().remove(QStringLiteral("keys"));
}

std::vector<const ActionSpec*> Keymap::others_with(const QKeySequence& key,
                                                   const ActionSpec& spec) const {
  std::vector<const ActionSpec*> others;
  for (const ActionSpec& each : action_table()) {
    if (&each != &spec && keys_of(each).contains(key)) others.push_back(&each);
  }
  return others;
}

QString why_reserved(const QKeySequence& key) {
  if (key.isEmpty()) return {};
  const Qt::Key code = key[0].key();
  const Qt::KeyboardModifiers held = key[0].keyboardModifiers() & ~Qt::KeypadModifier;
  const bool digit = code >= Qt::Key_0 && code <= Qt::Key_9;
  if (digit && held == Qt::NoModifier) return text("digits select labels");
  if (digit && code != Qt::Key_0 && held == Qt::AltModifier) {
    return text("Alt and a digit select window presets");
  }
  switch (code) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End:
      return text("it navigates in the planes");
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return held == Qt::NoModifier ? text("it stamps the brush") : QString();
    case Qt::Key_Space:
      return held == Qt::NoModifier ? text("held, it pans the image") : QString();
    case Qt::Key_H:
      return held == Qt::NoModifier ? text("held, it hides the overlays") : QString();
    case Qt::Key_K:
      return held == Qt::NoModifier ? text("held, it shows the other run of a comparison")
                                    : QString();
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return text("it goes to the next field");
    default:
      return {};
  }
}

QString text_of(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys)
    texts << key.toString(QKeySequence::NativeText);
  return texts.join(QStringLiteral(", "));
}

}  // namespace seedwave::ui
