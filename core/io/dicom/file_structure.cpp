// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/file_structure.h"

#include "core/base/error.h"
#include "core/io/dicom/dcmtk_environment.h"
#include "core/io/dicom/file_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <zlib.h>

namespace seedwave::io::dicom {
namespace {

// A DICOM file: 128 bytes of anything, "DICM", the file meta information (group 0002, explicit VR
// little endian), the data set in the coding that (0002,0010) names. An element: tag (two 16-bit
// numbers), VR (two letters, only in explicit coding), length, value. Length FFFFFFFF: a sequence
// or pixel data of unknown length, ended by a delimiter (PS3.5, sections 7.1 and 7.5).

constexpr std::uint64_t kPreamble = 128;
constexpr std::uint64_t kFirstRead = 32 << 10;
constexpr std::uint32_t kUndefined = 0xFFFFFFFF;
constexpr std::uint32_t kItem = 0xFFFEE000;
constexpr std::uint32_t kItemEnd = 0xFFFEE00D;
constexpr std::uint32_t kSequenceEnd = 0xFFFEE0DD;
constexpr std::uint32_t kTransferSyntax = 0x00020010;
constexpr std::uint32_t kFloatPixels = 0x7FE00008;
constexpr std::uint32_t kDoublePixels = 0x7FE00009;
constexpr std::uint32_t kPixels = 0x7FE00010;
/// Largest size of a deflated data set once inflated.
constexpr std::uint64_t kMostInflated = std::uint64_t{2} << 30;

[[noreturn]] void damaged(std::uint64_t offset, const std::string& what) {
  throw InputError("the DICOM header is damaged at byte " + std::to_string(offset) + ": " + what);
}

/// The bytes to parse: a file that is read further as needed, or memory.
class Bytes {
 public:
  explicit Bytes(const FileReader& file) : file_(&file), size_(file.size()) {}
  explicit Bytes(std::vector<std::uint8_t> bytes)
      : bytes_(std::move(bytes)), size_(bytes_.size()) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Returns the bytes at offset .. offset + count; the file must hold them.
  const std::uint8_t* at(std::uint64_t offset, std::uint64_t count) {
    if (offset > size_ || count > size_ - offset) damaged(offset, "the file ends here");
    if (offset + count > bytes_.size()) grow(offset + count);
    return bytes_.data() + offset;
  }
  std::vector<std::uint8_t> take() && { return std::move(bytes_); }

 private:
  void grow(std::uint64_t needed) {
    const std::uint64_t have = bytes_.size();
    const std::uint64_t want = std::min(size_, std::max({needed, 2 * have, kFirstRead}));
    bytes_.resize(want);
    file_->read(have, std::span(bytes_).subspan(have));
  }

  const FileReader* file_ = nullptr;
  std::vector<std::uint8_t> bytes_;
  std::uint64_t size_ = 0;
};

std::uint32_t number(const std::uint8_t* bytes, int count, bool big_endian) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    value |= std::uint32_t{bytes[big_endian ? count - 1 - i : i]} << (8 * i);
  }
  return value;
}

struct Element {
  std::uint32_t tag = 0;
  char vr[3] = "  ";
  std::uint32_t length = 0;
  std::uint64_t value = 0;  // offset of its value

  [[nodiscard]] bool is(const char* name) const { return std::strcmp(vr, name) == 0; }
};

bool has_long_length(const char* vr) {
  static constexpr const char* kLong[] = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                          "SV", "UC", "UN", "UR", "UT", "UV"};
  return std::any_of(std::begin(kLong), std::end(kLong),
                     [&](const char* name) { return std::strcmp(vr, name) == 0; });
}

bool has_short_length(const char* vr) {
  static constexpr const char* kShort[] = {"AE", "AS", "AT", "CS", "DA", "DS", "DT",
                                           "FL", "FD", "IS", "LO", "LT", "PN", "SH",
                                           "SL", "SS", "ST", "TM", "UI", "UL", "US"};
  return std::any_of(std::begin(kShort), std::end(kShort),
                     [&](const char* name) { return std::strcmp(vr, name) == 0; });
}

Element read_element(Bytes& bytes, std::uint64_t offset, const ElementCoding& coding) {
  Element element;
  const std::uint8_t* p = bytes.at(offset, 8);
  element.tag = number(p, 2, coding.big_endian) << 16 | number(p + 2, 2, coding.big_endian);
  if (!coding.explicit_vr || element.tag >> 16 == 0xFFFE) {
    element.length = number(p + 4, 4, coding.big_endian);
    element.value = offset + 8;
    return element;
  }
  element.vr[0] = static_cast<char>(p[4]);
  element.vr[1] = static_cast<char>(p[5]);
  if (has_short_length(element.vr)) {
    element.length = number(p + 6, 2, coding.big_endian);
    element.value = offset + 8;
  } else if (has_long_length(element.vr)) {
    p = bytes.at(offset, 12);
    element.length = number(p + 8, 4, coding.big_endian);
    element.value = offset + 12;
  } else {
    damaged(offset, "an element of unknown type");
  }
  return element;
}

/// Walks the elements of one data set, with the open sequences and items on its own stack.
class Walker {
 public:
  Walker(Bytes& bytes, std::uint64_t begin, ElementCoding coding)
      : bytes_(bytes), offset_(begin), coding_(coding) {}

  /// Moves to the pixel data of the outermost level. Returns false if the data set ends without
  /// them.
  bool find_pixels(Element& pixels) {
    for (;;) {
      close_finished();
      if (open_.empty() && offset_ == bytes_.size()) return false;
      const Element element = read_element(bytes_, offset_, coding());
      if (element.tag >> 16 == 0xFFFE) {
        delimiter(element);
      } else if (!open_.empty() && open_.back().kind != Kind::Item) {
        damaged(offset_, "an element outside of an item");
      } else if (open_.empty() && (element.tag == kPixels || element.tag == kFloatPixels ||
                                   element.tag == kDoublePixels)) {
        pixels = element;
        return true;
      } else {
        enter(element);
      }
    }
  }
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

 private:
  enum class Kind { Sequence, Fragments, Item };
  struct Open {
    Kind kind = Kind::Item;
    std::uint64_t end = 0;  // offset at which it ends at the latest
    bool delimited = false;
    ElementCoding coding;
  };

  [[nodiscard]] ElementCoding coding() const {
    return open_.empty() ? coding_ : open_.back().coding;
  }
  [[nodiscard]] std::uint64_t end() const {
    return open_.empty() ? bytes_.size() : open_.back().end;
  }

  void close_finished() {
    while (!open_.empty() && !open_.back().delimited && offset_ == open_.back().end) {
      open_.pop_back();
    }
    if (!open_.empty() && offset_ >= open_.back().end) {
      damaged(offset_, "a sequence or item is not closed");
    }
  }

  void push(Kind kind, const Element& element, ElementCoding item_coding) {
    if (open_.size() >= kMostNested) {
      damaged(offset_, "more than " + std::to_string(kMostNested) + " nested sequences");
    }
    const bool delimited = element.length == kUndefined;
    open_.push_back(
        {kind, delimited ? end() : element.value + element.length, delimited, item_coding});
    offset_ = element.value;
  }

  void check_length(const Element& element) const {
    if (element.value > end() || element.length > end() - element.value) {
      damaged(offset_, "an element claims " + byte_count(element.length) + ", " +
                           byte_count(end() - std::min(end(), element.value)) + " are left");
    }
  }

  void delimiter(const Element& element) {
    const Kind kind = open_.empty() ? Kind::Item : open_.back().kind;
    if (element.tag == kItem && kind != Kind::Item) {
      if (element.length != kUndefined) check_length(element);
      if (kind == Kind::Fragments) {
        if (element.length == kUndefined) damaged(offset_, "a pixel item without a length");
        offset_ = element.value + element.length;
      } else {
        push(Kind::Item, element, coding());
      }
    } else if ((element.tag == kItemEnd && kind == Kind::Item) ||
               (element.tag == kSequenceEnd && kind != Kind::Item)) {
      if (open_.empty() || !open_.back().delimited) damaged(offset_, "a stray delimiter");
      open_.pop_back();
      offset_ = element.value;
    } else {
      damaged(offset_, "a stray delimiter");
    }
  }

  void enter(const Element& element) {
    const ElementCoding now = coding();
    if (element.length == kUndefined) {
      if (element.tag == kPixels) {
        push(Kind::Fragments, element, now);
      } else if (!now.explicit_vr || element.is("SQ")) {
        push(Kind::Sequence, element, now);
      } else if (element.is("UN")) {
        // PS3.5, section 6.2.2: an element of unknown type and length is a sequence in implicit
        // coding.
        push(Kind::Sequence, element, {.explicit_vr = false, .big_endian = false});
      } else {
        damaged(offset_, "an element without a length");
      }
      return;
    }
    check_length(element);
    if (element.length > 0 && is_sequence(element, now)) {
      push(Kind::Sequence, element, now);
    } else {
      offset_ = element.value + element.length;
    }
  }

  /// In implicit coding a sequence of known length looks like any value. DCMTK decides by its
  /// dictionary, private tags included, so everything that it may enter is entered here.
  bool is_sequence(const Element& element, const ElementCoding& now) {
    if (now.explicit_vr) return element.is("SQ");
    const bool is_private = (element.tag >> 16 & 1) != 0;
    if (!is_private) return is_sequence_tag(element.tag);
    if (element.length < 8) return false;
    const std::uint8_t* p = bytes_.at(element.value, 4);
    return (number(p, 2, now.big_endian) << 16 | number(p + 2, 2, now.big_endian)) == kItem;
  }

  Bytes& bytes_;
  std::uint64_t offset_ = 0;
  ElementCoding coding_;
  std::vector<Open> open_;
};

std::vector<std::uint8_t> inflate_all(const FileReader& file, std::uint64_t begin) {
  std::vector<std::uint8_t> packed(file.size() - begin);
  file.read(begin, packed);
  if (packed.size() > std::numeric_limits<uInt>::max()) throw InputError("too large to inflate");
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw InputError("cannot be inflated");
  stream.next_in = packed.data();
  stream.avail_in = static_cast<uInt>(packed.size());
  std::vector<std::uint8_t> bytes;
  int result = Z_OK;
  while (result == Z_OK && bytes.size() < kMostInflated) {
    const std::size_t have = bytes.size();
    bytes.resize(std::min<std::uint64_t>(kMostInflated, std::max<std::size_t>(1 << 16, 2 * have)));
    stream.next_out = bytes.data() + have;
    stream.avail_out = static_cast<uInt>(bytes.size() - have);
    result = inflate(&stream, Z_NO_FLUSH);
    bytes.resize(bytes.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result == Z_OK) throw InputError("inflates beyond " + byte_count(kMostInflated));
  if (result != Z_STREAM_END) throw InputError("the deflated data are damaged or truncated");
  return bytes;
}

/// Reads the file meta information. Returns the offset of the data set.
std::uint64_t read_meta(Bytes& bytes, std::string& transfer_syntax) {
  std::uint64_t offset = kPreamble + 4;
  while (offset < bytes.size()) {
    const std::uint8_t* p = bytes.at(offset, std::min<std::uint64_t>(2, bytes.size() - offset));
    if (bytes.size() - offset < 2 || number(p, 2, false) != 0x0002) break;
    const Element element = read_element(bytes, offset, {});
    if (element.length == kUndefined || element.length > bytes.size() - element.value) {
      damaged(offset, "an element is longer than the file");
    }
    if (element.tag == kTransferSyntax) {
      const auto* text = reinterpret_cast<const char*>(bytes.at(element.value, element.length));
      transfer_syntax.assign(text, element.length);
      const auto last = transfer_syntax.find_last_not_of(std::string("\0 ", 2));
      transfer_syntax.resize(last == std::string::npos ? 0 : last + 1);
    }
    offset = element.value + element.length;
  }
  return offset;
}

/// Returns the coding of a data set without preamble, explicit or implicit, from its first element.
ElementCoding bare_coding(Bytes& bytes) {
  const std::uint8_t* p = bytes.at(0, 8);
  const char vr[3] = {static_cast<char>(p[4]), static_cast<char>(p[5]), 0};
  return {.explicit_vr = has_short_length(vr) || has_long_length(vr), .big_endian = false};
}

}  // namespace

std::string byte_count(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

FileStructure read_structure(const std::filesystem::path& file) {
  const FileReader reader(file);
  FileStructure structure;
  Bytes bytes(reader);
  std::uint64_t begin = 0;
  if (bytes.size() >= kPreamble + 4 && std::memcmp(bytes.at(kPreamble, 4), "DICM", 4) == 0) {
    begin = read_meta(bytes, structure.transfer_syntax);
    if (begin == bytes.size()) throw InputError("DICOM without content");
    if (structure.transfer_syntax.empty()) {
      throw InputError("does not state its encoding (no transfer syntax)");
    }
    structure.coding.explicit_vr = structure.transfer_syntax != "1.2.840.10008.1.2";
    structure.coding.big_endian = structure.transfer_syntax == "1.2.840.10008.1.2.2";
  } else {
    structure.coding = bare_coding(bytes);
    structure.transfer_syntax =
        structure.coding.explicit_vr ? "1.2.840.10008.1.2.1" : "1.2.840.10008.1.2";
  }
  const bool deflated = structure.transfer_syntax == "1.2.840.10008.1.2.1.99";
  if (deflated) {
    bytes = Bytes(inflate_all(reader, begin));
    begin = 0;
  }
  Walker walker(bytes, begin, structure.coding);
  Element pixels;
  structure.has_pixels = walker.find_pixels(pixels);
  if (structure.has_pixels) {
    structure.integer_pixels = pixels.tag == kPixels;
    structure.encapsulated = pixels.length == kUndefined;
    structure.pixel_begin = pixels.value;
    structure.pixel_bytes = bytes.size() - pixels.value;
    if (!structure.encapsulated) {
      if (pixels.length > structure.pixel_bytes) {
        throw InputError("truncated: the header announces " + byte_count(pixels.length) +
                         " of pixel data, the file contains " + byte_count(structure.pixel_bytes));
      }
      structure.pixel_bytes = pixels.length;
    }
  }
  const std::uint64_t end = walker.offset();
  if (end > begin) {
    const std::uint8_t* first = bytes.at(begin, end - begin);
    structure.header.assign(first, first + (end - begin));
  }
  if (deflated) structure.inflated = std::move(bytes).take();
  return structure;
}

}  // namespace seedwave::io::dicom
