// SPDX-License-Identifier: Apache-2.0
#include "core/io/image_source.h"

#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "core/io/format_table.h"
#include "core/io/formats/byte_source.h"
#include "core/io/slides/slide_item.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

/// Number of items that an error lists to choose from.
constexpr std::size_t kMostListed = 12;

/// The start of a file, decompressed if it is gzip.
struct Head {
  std::vector<std::byte> bytes;
  bool gzip = false;
};

Head head_of(const fs::path& file) {
  Head head{.bytes = read_head(file, kHeadBytes)};
  if (!has_mark(head.bytes, "\x1f\x8b")) return head;
  head.gzip = true;
  head.bytes.assign(kHeadBytes, std::byte{});
  ByteSource source(file, Packing::Deflate);
  head.bytes.resize(source.read_some(head.bytes));
  return head;
}

const Format* format_of(const Head& head) {
  for (const Format& format : format_table()) {
    if ((!head.gzip || format.in_gzip) && format.recognises(head.bytes)) return &format;
  }
  return nullptr;
}

/// Returns the kind of file that a name suggests, or "".
std::string_view promised_by(const fs::path& file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kPromises{
      {{".nii", "a NIfTI image"},
       {".nii.gz", "a NIfTI image"},
       {".nrrd", "an NRRD image"},
       {".nhdr", "an NRRD image"},
       {".mha", "a MetaImage"},
       {".mhd", "a MetaImage"},
       {".png", "a PNG image"},
       {".jpg", "a JPEG image"},
       {".jpeg", "a JPEG image"},
       {".tif", "a TIFF image"},
       {".tiff", "a TIFF image"},
       {".npy", "a NumPy array"},
       {".dcm", "a DICOM object"},
       {".svs", "a slide"},
       {".hdr",
        "a NIfTI header (Analyze 7.5 is not supported: it does not distinguish left from right)"},
       {".gipl", "a GIPL image"},
       {".gipl.gz", "a GIPL image"}}};
  std::string name = file.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [suffix, kind] : kPromises) {
    if (name.ends_with(suffix)) return kind;
  }
  return "";
}

bool is_text(std::span<const std::byte> bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](std::byte byte) {
    const auto c = std::to_integer<unsigned>(byte);
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

/// Returns why a file that no reader recognises is not an image.
std::string why_no_image(const fs::path& file, const Head& head) {
  if (head.bytes.empty() && !head.gzip) return "is empty";
  const std::string kind = is_text(head.bytes) ? "text"
                           : head.gzip         ? "compressed data"
                                               : "other data";
  const std::string_view promised = promised_by(file);
  if (!promised.empty()) return "contains " + kind + ", not " + std::string(promised);
  return "not an image (" + kind + ")";
}

/// Returns the message of an error without the file's name.
std::string reason_of(const Error& error, const fs::path& file) {
  std::string reason = error.what();
  const std::string name = file.string() + " ";
  return reason.starts_with(name) ? reason.substr(name.size()) : reason;
}

/// Returns all regular files under a path in a fixed order. Folders that cannot be searched are
/// listed in `skipped`.
std::vector<fs::path> files_under(const fs::path& path, Scan& scan, Context& context) {
  std::vector<fs::path> files;
  std::vector<fs::path> folders{path};
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (context.stop_requested()) throw Cancelled();
      std::error_code unknown;
      // Links to folders are not followed: they may be circular.
      if (entry->is_directory(unknown) && !entry->is_symlink(unknown)) {
        folders.push_back(entry->path());
      } else if (entry->is_regular_file(unknown)) {
        files.push_back(entry->path());
      } else {
        scan.skipped.push_back({entry->path(), "not a file"});
      }
    }
    if (error) scan.skipped.push_back({folder, "cannot be searched: " + error.message()});
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Adds the contents of one file to `scan`. DICOM files are only collected, because a series
/// consists of many. The mark of part 10 is checked first: a slide may be DICOM and TIFF at once.
void scan_file(const fs::path& file, std::vector<fs::path>& dicom, Scan& scan) {
  try {
    const Head head = head_of(file);
    if (has_mark(head.bytes, "DICM", 128)) {
      dicom.push_back(file);
    } else if (const auto slide = open_slide(file)) {
      scan.items.push_back(slide_item(*slide, {file}));
    } else if (const Format* format = format_of(head)) {
      for (Item& item : format->scan(file))
        scan.items.push_back(std::move(item));
    } else if (!head.bytes.empty() && looks_like_dicom(file)) {
      dicom.push_back(file);
    } else {
      scan.skipped.push_back({file, why_no_image(file, head)});
    }
  } catch (const Error& error) {
    scan.skipped.push_back({file, reason_of(error, file)});
  }
}

/// Adds DICOM series and slides.
void scan_dicom_files(const fs::path& path, const std::vector<fs::path>& files, Scan& scan,
                      Context& context) {
  std::vector<fs::path> slides = scan_dicom(files, scan, context);
  // A single file of a slide stands for all of it.
  if (slides == std::vector<fs::path>{path}) slides = dicom_slide_beside(path);
  for (const DicomSlideFiles& of : group_dicom_slides(slides, scan.skipped)) {
    try {
      Item item = slide_item(*open_dicom_slide(of.files), of.files);
      item.series = of.series;
      scan.items.push_back(std::move(item));
    } catch (const InputError& error) {
      scan.skipped.push_back({of.files.front(), reason_of(error, of.files.front())});
    }
  }
}

/// Moves series before single files.
void put_series_first(Scan& scan) {
  std::stable_partition(scan.items.begin(), scan.items.end(),
                        [](const Item& item) { return !item.series.empty(); });
}

/// Removes files that belong to an item, such as the voxels beside a header, from the skipped ones.
void forget_companions(Scan& scan) {
  std::set<fs::path> used;
  for (const Item& item : scan.items)
    used.insert(item.files.begin(), item.files.end());
  std::erase_if(scan.skipped, [&](const Skipped& skipped) { return used.contains(skipped.file); });
}

std::string title_of(const Item& item) {
  std::string title = item.hints.modality;
  if (!item.hints.description.empty()) title += (title.empty() ? "" : " ") + item.hints.description;
  if (title.empty() && !item.files.empty()) title = item.files.front().filename().string();
  return title + " (" + describe(item.geometry) + ")";
}

/// Returns "1: T1 (256 x 256 x 124 ...); 2: ...".
std::string list_of(const std::vector<Item>& items) {
  std::string list;
  for (std::size_t i = 0; i < std::min(items.size(), kMostListed); ++i)
    list += (i == 0 ? "" : "; ") + std::to_string(i + 1) + ": " + title_of(items[i]);
  if (items.size() > kMostListed)
    list += "; and " + std::to_string(items.size() - kMostListed) + " more";
  return list;
}

[[noreturn]] void fail_without_items(const fs::path& path, const Scan& scan) {
  std::error_code error;
  if (!fs::is_directory(path, error) && !scan.skipped.empty()) {
    throw InputError(path.string() + ": " + scan.skipped.front().reason);
  }
  std::string message = path.string() + " holds no image";
  if (!scan.skipped.empty()) {
    const Skipped& first = scan.skipped.front();
    message += " (files that are not images: " + std::to_string(scan.skipped.size()) +
               ", the first " + first.file.filename().string() + ": " + first.reason + ")";
  }
  throw InputError(message);
}

const Item& choose(const fs::path& path, const std::string& series, const Scan& scan) {
  std::vector<const Item*> matches;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(series.data(), series.data() + series.size(), number);
  const bool is_number =
      !series.empty() && error == std::errc() && end == series.data() + series.size();
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    const Item& item = scan.items[i];
    if (series.empty() ? item.usable : is_number ? number == i + 1 : item.series == series)
      matches.push_back(&item);
  }
  // A single unusable item is named as such and not reported as "no image".
  if (matches.empty() && series.empty() && scan.items.size() == 1) return scan.items.front();
  if (matches.size() == 1) return *matches.front();
  const std::string what = series.empty() && matches.empty() ? " holds no image that can be used: "
                           : matches.empty() ? " has no series '" + series + "': it holds "
                                             : " holds several images, choose one by its number: ";
  throw InputError(path.string() + what + list_of(scan.items));
}

}  // namespace

Scan scan(const fs::path& path, Context& context) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    const bool absent = !error || error == std::errc::no_such_file_or_directory;
    throw InputError(absent ? path.string() + " does not exist"
                            : "cannot open " + path.string() + ": " + error.message());
  }
  Scan result;
  std::vector<fs::path> dicom;
  if (fs::is_directory(status)) {
    const auto files = files_under(path, result, context);
    for (std::size_t i = 0; i < files.size(); ++i) {
      context.checkpoint(static_cast<double>(i) / static_cast<double>(files.size()));
      scan_file(files[i], dicom, result);
    }
  } else if (fs::is_regular_file(status)) {
    scan_file(path, dicom, result);
  } else {
    throw InputError(path.string() + " is neither a file nor a folder");
  }
  if (!dicom.empty()) scan_dicom_files(path, dicom, result, context);
  put_series_first(result);
  forget_companions(result);
  return result;
}

LoadedImage load(const Item& item, Context& context, Damaged damaged) {
  if (!item.usable) {
    throw InputError(item.files.at(0).string() + ": " +
                     (item.warnings.empty() ? "it cannot be used" : item.warnings.back()));
  }
  if (item.kind == ItemKind::Slide) return load_slide(item, context, damaged);
  if (item.format == "dicom") return load_dicom(item, context, damaged);
  const LoadOptions options{.slices = {}, .as = ReadAs::Image, .damaged = damaged};
  for (const Format& format : format_table()) {
    if (format.name == item.format) return format.load(item, options, context);
  }
  throw InputError(item.files.at(0).string() + ": no reader for '" + item.format + "'");
}

Item find_item(const fs::path& path, const std::string& series, Context& context) {
  const Scan found = scan(path, context);
  if (found.items.empty()) fail_without_items(path, found);
  return choose(path, series, found);
}

LoadedImage load_path(const fs::path& path, const std::string& series, Context& context,
                      Damaged damaged) {
  return load(find_item(path, series, context), context, damaged);
}

}  // namespace seedwave::io
