// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/slice_list.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <optional>

namespace seedwave::io::dicom {
namespace {

constexpr std::string_view kFrames = "frames=";
constexpr std::string_view kResample = "repair=resample";
constexpr std::size_t kMostSlices = 1'000'000;

[[noreturn]] void malformed(const std::string& part) {
  throw InputError("'" + part + "' does not name slices of a DICOM series");
}

/// Takes the number (at least 0) at the beginning of `text` off it.
bool take_count(std::string_view& text, int& number) {
  const std::optional<int> taken = take_number<int>(text);
  if (!taken || *taken < 0) return false;
  number = *taken;
  return true;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string write_part(const SliceList& list) {
  std::string text;
  for (std::size_t i = 0; i < list.frames.size();) {
    text += text.empty() ? std::string(kFrames) : ",";
    text += std::to_string(list.frames[i]);
    std::size_t end = i + 1;
    const int step = end < list.frames.size() ? list.frames[end] - list.frames[i] : 0;
    while (step > 0 && end < list.frames.size() &&
           list.frames[end] - list.frames[end - 1] == step) {
      ++end;
    }
    if (end - i > 2) {
      text.append("-").append(std::to_string(list.frames[end - 1]));
      if (step > 1) text.append("/").append(std::to_string(step));
      i = end;
    } else {
      ++i;
    }
  }
  if (list.repair == Repair::Resample) text.append(text.empty() ? "" : ";").append(kResample);
  return text;
}

SliceList read_part(const std::string& part) {
  SliceList list;
  std::string_view text = part;
  if (take(text, kFrames)) {
    do {
      int first = 0;
      if (!take_count(text, first)) malformed(part);
      int last = first;
      int step = 1;
      if (take(text, "-") && !take_count(text, last)) malformed(part);
      if (take(text, "/") && (!take_count(text, step) || step == 0)) malformed(part);
      if (last < first) malformed(part);
      for (std::int64_t i = first; i <= last; i += step) {
        if (list.frames.size() >= kMostSlices) malformed(part);
        list.frames.push_back(static_cast<int>(i));
      }
    } while (take(text, ","));
  }
  if (text.empty()) return list;
  if (!list.frames.empty() && !take(text, ";")) malformed(part);
  if (!take(text, kResample) || !text.empty()) malformed(part);
  list.repair = Repair::Resample;
  return list;
}

}  // namespace seedwave::io::dicom
