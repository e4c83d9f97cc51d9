// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes that the confidentiality profiles of PS3.15 (table E.1-1) take out, as far as they stand at the top of an image.
#include "core/io/formats/dicom/dicom_header.hpp"

namespace parallax {

const std::vector<DicomAttribute>& personalAttributes() {
    static const std::vector<DicomAttribute> list{{0x00100010, "PatientName"},
                                                  {0x00100020, "PatientID"},
                                                  {0x00100030, "PatientBirthDate"},
                                                  {0x00100032, "PatientBirthTime"},
                                                  {0x00100040, "PatientSex"},
                                                  {0x00101000, "OtherPatientIDs"},
                                                  {0x00101001, "OtherPatientNames"},
                                                  {0x00101010, "PatientAge"},
                                                  {0x00101020, "PatientSize"},
                                                  {0x00101030, "PatientWeight"},
                                                  {0x00101040, "PatientAddress"},
                                                  {0x00104000, "PatientComments"},
                                                  {0x00080020, "StudyDate"},
                                                  {0x00080021, "SeriesDate"},
                                                  {0x00080022, "AcquisitionDate"},
                                                  {0x00080023, "ContentDate"},
                                                  {0x00080030, "StudyTime"},
                                                  {0x00080031, "SeriesTime"},
                                                  {0x00080032, "AcquisitionTime"},
                                                  {0x00080033, "ContentTime"},
                                                  {0x00080050, "AccessionNumber"},
                                                  {0x00080080, "InstitutionName"},
                                                  {0x00080081, "InstitutionAddress"},
                                                  {0x00080090, "ReferringPhysicianName"},
                                                  {0x00081010, "StationName"},
                                                  {0x00081030, "StudyDescription"},
                                                  {0x0008103e, "SeriesDescription"},
                                                  {0x00081040, "InstitutionalDepartmentName"},
                                                  {0x00081048, "PhysiciansOfRecord"},
                                                  {0x00081050, "PerformingPhysicianName"},
                                                  {0x00081060, "NameOfPhysiciansReadingStudy"},
                                                  {0x00081070, "OperatorsName"},
                                                  {0x00180015, "BodyPartExamined"},
                                                  {0x00181000, "DeviceSerialNumber"},
                                                  {0x00181030, "ProtocolName"},
                                                  {0x0020000d, "StudyInstanceUID"},
                                                  {0x00200010, "StudyID"},
                                                  {0x00204000, "ImageComments"},
                                                  {0x00321032, "RequestingPhysician"},
                                                  {0x00321060, "RequestedProcedureDescription"}};
    return list;
}

}  // namespace parallax
