// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shown_channels.h"

#include "core/image/channel.h"
#include "core/image/picture_levels.h"
#include "core/io/slides/slide_item.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace seedwave::ui {
namespace {

constexpr int kMostKeys = 9;

QString with_key(const QString& title, int number) {
  return number <= kMostKeys ? ShownChannels::tr("%1\tAlt+%2").arg(title).arg(number) : title;
}

}  // namespace

ShownChannels::ShownChannels(Actions& actions, const Workbench& workbench, ViewGrid& views,
                             QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      views_(views),
      menu_(new QMenu(tr("Channels"), window)) {
  actions.menu(ActionGroup::Display)->insertMenu(actions.at("window_auto"), menu_);
  connect(menu_, &QMenu::aboutToShow, this, &ShownChannels::fill_menu);
  connect(&workbench_, &Workbench::image_changed, this, &ShownChannels::follow);
  connect(&views_.settings(), &ViewSettings::display_changed, this, &ShownChannels::take_window);
  connect(&task_, &BackgroundTask::failed, this, &ShownChannels::said);
  connect(&model_, &ChannelModel::look_changed, this, &ShownChannels::change);
  actions_.at("color_profile")->setChecked(true);
  actions_.on_switch("color_profile", [this](bool) { show_look(); });
  follow();
}

bool ShownChannels::has_colours() const {
  return workbench_.has_image() && workbench_.image().components() == 3;
}

void ShownChannels::follow() {
  task_.cancel();
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  std::vector<std::string> names;
  if (loaded.slide != nullptr) names = loaded.slide->info().channels;
  const bool several = names.size() > 1;
  if (!several) names.clear();
  menu_->menuAction()->setVisible(several || has_colours());
  std::vector<ChannelLook> looks = model_.looks();
  const bool same = std::ranges::equal(
      looks, names, {}, [](const ChannelLook& look) { return look.name.toStdString(); });
  if (!same) {
    looks = first_looks(names);
    automatic_.clear();
    take_saved(looks);
  }
  if (several) {
    ChannelLook& image = looks[static_cast<std::size_t>(loaded.slide_channel)];
    image.shown = true;
    automatic_[loaded.slide_channel] = workbench_.opened().automatic_window;
    if (image.window.width <= 0.0) image.window = workbench_.opened().automatic_window;
  }
  model_.set_looks(looks, loaded.slide_channel);
  if (several) {
    views_.settings().set_window(looks[static_cast<std::size_t>(loaded.slide_channel)].window);
  }
  profile_.reset();
  if (loaded.slide != nullptr && has_colours())
    profile_ = ProfileColors::from(loaded.slide->color_profile());
  actions_.at("color_profile")->setEnabled(profile_ != nullptr);
  show_look();
  read_next();
  emit followed(several);
}

void ShownChannels::take_saved(std::vector<ChannelLook>& looks) const {
  const std::vector<ChannelView>& saved = workbench_.document().view.channels;
  if (saved.size() != looks.size()) return;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const QColor color(QString::fromStdString(saved[i].color));
    if (color.isValid()) looks[i].color = color;
    looks[i].shown = saved[i].shown;
    looks[i].window = {saved[i].window_centre, saved[i].window_width};
  }
}

void ShownChannels::show_look() {
  DisplayState display = views_.settings().display();
  display.profile = actions_.at("color_profile")->isChecked() ? profile_ : nullptr;
  display.tints.clear();
  for (const ChannelLook& look : model_.looks()) {
    const bool is_image = std::ssize(display.tints) == model_.image_channel();
    display.tints.push_back({.color = look.color,
                             .shown = look.shown,
                             .is_image = is_image,
                             // DisplayState::window has the image's: a second copy would have each
                             // change drawn twice.
                             .window = is_image ? GreyWindow{} : look.window});
  }
  views_.settings().set_display(display);
}

void ShownChannels::take_window() {
  if (model_.rowCount() == 0) return;
  model_.set_window(model_.image_channel(), views_.settings().display().window);
}

void ShownChannels::change(int channel) {
  if (channel == model_.image_channel()) {
    const GreyWindow& window = model_.looks()[static_cast<std::size_t>(channel)].window;
    if (window != views_.settings().display().window) views_.settings().set_window(window);
  }
  show_look();
  read_next();
}

void ShownChannels::set_automatic_window(int channel) {
  const auto found = automatic_.find(channel);
  if (found != automatic_.end()) model_.set_window(channel, found->second);
}

void ShownChannels::read_next() {
  if (task_.busy() || model_.rowCount() == 0) return;
  for (int channel = 0; channel < model_.rowCount(); ++channel) {
    const bool shown = model_.looks()[static_cast<std::size_t>(channel)].shown;
    if (!shown || channel == model_.image_channel() || views_.has_channel(channel)) continue;
    io::LoadedImage loaded = workbench_.opened().loaded;
    loaded.slide_channel = channel;
    task_.start([this, channel, loaded](Context& context) -> BackgroundTask::Delivery {
      PictureVolumes volumes;
      volumes.image =
          loaded.slide->read(loaded.slide_level, loaded.slide_box, channel, context).pixels;
      volumes.levels = picture_levels(volumes.image);
      volumes.surroundings = io::read_surroundings(loaded, context);
      const GreyWindow window = automatic_window(volumes.image, WindowRule::Percentiles);
      return [this, channel, volumes, window] {
        automatic_[channel] = window;
        views_.set_channel(channel, volumes);
        if (model_.looks()[static_cast<std::size_t>(channel)].window.width <= 0.0)
          model_.set_window(channel, window);
        read_next();
      };
    });
    return;
  }
}

bool ShownChannels::choose(int number) {
  if (has_colours()) {
    const std::vector<Channel> all = workbench_.document().offered_channels();
    if (number < 0 || number > std::ssize(all)) return true;
    const std::string id = number == 0 ? "" : all[static_cast<std::size_t>(number - 1)].id;
    show_channel(id == views_.settings().display().channel ? "" : id);
    return true;
  }
  if (model_.rowCount() == 0) return false;
  if (number == 0) {
    for (int channel = 0; channel < model_.rowCount(); ++channel)
      model_.set_shown(channel, true);
  } else if (number <= model_.rowCount()) {
    model_.set_shown(number - 1, !model_.looks()[static_cast<std::size_t>(number - 1)].shown);
  }
  return true;
}

void ShownChannels::show_channel(const std::string& channel) {
  DisplayState display = views_.settings().display();
  display.channel = channel;
  views_.settings().set_display(display);
}

void ShownChannels::fill_menu() {
  menu_->clear();
  const auto add = [this](const QString& title, int number, bool checked) {
    QAction* action = menu_->addAction(with_key(title, number));
    action->setCheckable(true);
    action->setChecked(checked);
    connect(action, &QAction::triggered, this, [this, number] { choose(number); });
  };
  if (has_colours()) {
    const std::string& shown = views_.settings().display().channel;
    add(tr("Colours"), 0, shown.empty());
    int number = 0;
    for (const Channel& channel : workbench_.document().offered_channels())
      add(QString::fromStdString(channel.title), ++number, channel.id == shown);
    menu_->addSeparator();
    menu_->addAction(actions_.at("own_stains"));
    return;
  }
  const std::vector<ChannelLook>& looks = model_.looks();
  add(tr("All channels"), 0, std::ranges::all_of(looks, &ChannelLook::shown));
  int number = 0;
  for (const ChannelLook& look : looks)
    add(look.name, ++number, look.shown);
}

}  // namespace seedwave::ui
