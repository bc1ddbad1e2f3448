//===- RowSchedule.h - Who computes what of a row ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_ROWSCHEDULE_H
#define QFUSE_CODEGEN_ROWSCHEDULE_H

#include <cstdint>

namespace mlir::qfuse {

/// How the elements of one row are dealt to the lanes of one work-group. A
/// lane owns `chunks` vectors of `vectorWidth` neighbouring elements. The lanes
/// of a wave own neighbouring vectors, its chunks follow one another, and so do
/// the waves: a wave has one run of `chunks * lanes * vectorWidth` elements,
/// and every address is a base, a lane's offset and a constant.
///
/// It depends on the row size and the wave alone, so the order of a sum over
/// the row depends neither on the number of rows nor on what else a kernel
/// computes.
struct RowSchedule {
  /// Elements of a vector: a load of 16 bytes of bf16.
  static constexpr int64_t vectorWidth = 8;
  /// Rows that can be scheduled.
  static constexpr int64_t maxRowSize = 16384;
  static constexpr unsigned maxThreads = 1024;

  int64_t rowSize = 0;
  unsigned lanes = 0;
  unsigned waves = 0;
  unsigned chunks = 0;

  /// Returns the schedule of rows of `rowSize` elements on waves of `lanes`.
  /// Expects a positive multiple of `vectorWidth`, `maxRowSize` at most.
  static RowSchedule get(int64_t rowSize, unsigned lanes);

  unsigned getThreads() const { return waves * lanes; }

  /// Returns the elements of one chunk of one wave.
  int64_t getChunkSize() const { return int64_t(lanes) * vectorWidth; }

  /// Returns the first element of chunk `chunk` of lane `lane` of wave `wave`.
  int64_t getElement(unsigned wave, unsigned lane, unsigned chunk) const {
    return (int64_t(wave) * chunks + chunk) * getChunkSize() +
           lane * vectorWidth;
  }

  /// Returns whether chunk `chunk` of some wave lies partly or wholly behind
  /// the row.
  bool isRagged(unsigned chunk) const {
    return getElement(waves - 1, 0, chunk) + getChunkSize() > rowSize;
  }

  /// Returns how many lanes share a scale block of `block` elements: all of a
  /// row if `block` is 0, or a power of two of neighbouring lanes of a wave.
  /// 0 if the block does not fit one.
  unsigned getLanesOfBlock(int64_t block) const;
};

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_ROWSCHEDULE_H
