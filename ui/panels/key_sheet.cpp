// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/key_sheet.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QString row(const QString& left, const QString& right) {
  return QStringLiteral("<tr><td style='padding-right:18px'><b>%1</b></td><td>%2</td></tr>")
      .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
}

QString head(const QString& text) {
  return QStringLiteral("<h3>%1</h3>").arg(text.toHtmlEscaped());
}

QString group_table(const Keymap& keymap, ActionGroup group) {
  QString html;
  for (const ActionSpec& spec : action_table()) {
    const QList<QKeySequence> keys = keymap.keys_of(spec);
    if (spec.group == group && !keys.isEmpty()) html += row(text_of(keys), translated(spec.title));
  }
  if (html.isEmpty()) return {};
  return head(title_of(group)) + QStringLiteral("<table>%1</table>").arg(html);
}

}  // namespace

QString key_sheet_html(const Keymap& keymap, const Bindings& bindings, Tool tool,
                       const QString& tool_name) {
  QString mouse;
  for (const GestureHelp& help : describe_gestures(bindings, tool)) {
    mouse += row(help.gesture, help.meaning);
  }
  QString views;
  for (const ViewKey& key : view_keys())
    views += row(translated(key.keys), translated(key.meaning));
  const QString left =
      head(KeySheet::tr("Mouse: %1").arg(tool_name)) +
      QStringLiteral("<table>%1</table>").arg(mouse) + head(KeySheet::tr("In the planes")) +
      QStringLiteral("<table>%1</table>").arg(views) + group_table(keymap, ActionGroup::Tool) +
      group_table(keymap, ActionGroup::Label);
  const QString right =
      group_table(keymap, ActionGroup::Run) + group_table(keymap, ActionGroup::Edit) +
      group_table(keymap, ActionGroup::Display) + group_table(keymap, ActionGroup::View) +
      group_table(keymap, ActionGroup::File) + group_table(keymap, ActionGroup::Help);
  return QStringLiteral(
             "<table width='100%'><tr><td valign='top' style='padding-right:32px'>%1</td>"
             "<td valign='top'>%2</td></tr></table>")
      .arg(left, right);
}

KeySheet::KeySheet(const Keymap& keymap, const Bindings& bindings, Tool tool,
                   const QString& tool_name, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Keys and mouse"));
  resize(860, 680);
  auto* layout = new QVBoxLayout(this);
  auto* text = new QTextBrowser(this);
  text->setHtml(key_sheet_html(keymap, bindings, tool, tool_name));
  text->setAccessibleName(windowTitle());
  layout->addWidget(text);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

}  // namespace seedwave::ui
