// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcdatset.h>
#include <dcmtk/dcmdata/dcdeftag.h>
#include <dcmtk/dcmdata/dcfilefo.h>
#include <dcmtk/dcmdata/dcsequen.h>
#include <dcmtk/dcmdata/dcuid.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace seedwave::test {

inline void require(const OFCondition& condition) {
  if (condition.bad()) throw std::runtime_error(condition.text());
}

/// A DICOM file under construction, for cases that the test data do not cover: an axial MR slice of
/// 16-bit values, 1 mm, unless a test changes it.
class DicomFile {
 public:
  DicomFile(int columns, int rows) {
    text(DCM_SOPClassUID, UID_MRImageStorage);
    text(DCM_SOPInstanceUID, unique());
    text(DCM_StudyInstanceUID, "1.2.3");
    text(DCM_SeriesInstanceUID, "1.2.3.4");
    text(DCM_Modality, "MR");
    text(DCM_ImageOrientationPatient, "1\\0\\0\\0\\1\\0");
    text(DCM_ImagePositionPatient, "0\\0\\0");
    text(DCM_PixelSpacing, "1\\1");
    text(DCM_SliceThickness, "1");
    text(DCM_PhotometricInterpretation, "MONOCHROME2");
    number(DCM_SamplesPerPixel, 1);
    number(DCM_Columns, columns);
    number(DCM_Rows, rows);
    bits(16, 16, 15, false);
  }

  DicomFile& text(const DcmTagKey& tag, const std::string& value) {
    require(dataset().putAndInsertString(tag, value.c_str()));
    return *this;
  }
  DicomFile& number(const DcmTagKey& tag, int value) {
    require(dataset().putAndInsertUint16(tag, static_cast<Uint16>(value)));
    return *this;
  }
  DicomFile& without(const DcmTagKey& tag) {
    require(dataset().findAndDeleteElement(tag));
    return *this;
  }
  DicomFile& bits(int allocated, int stored, int high, bool is_signed) {
    number(DCM_BitsAllocated, allocated).number(DCM_BitsStored, stored);
    return number(DCM_HighBit, high).number(DCM_PixelRepresentation, is_signed ? 1 : 0);
  }
  DicomFile& at(double x, double y, double z, int instance = 1) {
    text(DCM_ImagePositionPatient,
         std::to_string(x) + "\\" + std::to_string(y) + "\\" + std::to_string(z));
    return text(DCM_InstanceNumber, std::to_string(instance));
  }
  DicomFile& colour(const std::string& photometric, int planar) {
    text(DCM_PhotometricInterpretation, photometric).bits(8, 8, 7, false);
    return number(DCM_SamplesPerPixel, 3).number(DCM_PlanarConfiguration, planar);
  }
  DicomFile& words(const std::vector<std::uint16_t>& values) {
    require(dataset().putAndInsertUint16Array(DCM_PixelData, values.data(),
                                              static_cast<unsigned long>(values.size())));
    return *this;
  }
  /// Sets every pixel to the same value.
  DicomFile& filled(int value) {
    Uint16 columns = 0;
    Uint16 rows = 0;
    require(dataset().findAndGetUint16(DCM_Columns, columns));
    require(dataset().findAndGetUint16(DCM_Rows, rows));
    return words(
        std::vector<std::uint16_t>(std::size_t{columns} * rows, static_cast<std::uint16_t>(value)));
  }
  DicomFile& bytes(const std::vector<std::uint8_t>& values) {
    std::vector<std::uint8_t> even = values;
    if (even.size() % 2 != 0) even.push_back(0);
    require(dataset().putAndInsertUint8Array(DCM_PixelData, even.data(),
                                             static_cast<unsigned long>(even.size())));
    return *this;
  }

  [[nodiscard]] DcmDataset& dataset() { return *format_.getDataset(); }

  /// Re-encodes the pixels; the encoder must be registered.
  DicomFile& encode(E_TransferSyntax syntax, const DcmRepresentationParameter* how = nullptr) {
    require(dataset().chooseRepresentation(syntax, how));
    syntax_ = syntax;
    return *this;
  }
  /// Saves with or without the preamble of 128 bytes and the prefix.
  void save(const std::filesystem::path& file, E_FileWriteMode mode = EWM_fileformat) {
    require(format_.saveFile(file.c_str(), syntax_, EET_ExplicitLength, EGL_recalcGL, EPD_noChange,
                             0, 0, mode));
  }

  [[nodiscard]] static std::string unique() {
    char uid[65];
    return dcmGenerateUniqueIdentifier(uid);
  }

 private:
  DcmFileFormat format_;
  E_TransferSyntax syntax_ = EXS_LittleEndianExplicit;
};

}  // namespace seedwave::test
