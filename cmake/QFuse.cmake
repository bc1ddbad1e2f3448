# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the libraries and tools of QFuse share: compiler options and the
# functions that add them.

include_guard()

if(QFUSE_ENABLE_ASSERTIONS)
  # After the -DNDEBUG of the build type, so it wins. Pass::Statistic has
  # another layout without NDEBUG than in the installed libMLIR: do not use it.
  add_compile_options(-UNDEBUG)
endif()
foreach(sanitizer ${QFUSE_SANITIZERS})
  add_compile_options(-fsanitize=${sanitizer} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizer})
endforeach()

if(QFUSE_SANITIZERS)
  # The runtime of a sanitizer is in the program, not in a shared library.
  string(REPLACE "-Wl,-z,defs" "" CMAKE_SHARED_LINKER_FLAGS
    "${CMAKE_SHARED_LINKER_FLAGS}")
endif()

if(QFUSE_USE_CCACHE)
  find_program(QFUSE_CCACHE ccache)
endif()
if(QFUSE_CCACHE)
  # Without the sloppiness ccache refuses everything that has a precompiled
  # header. Relative paths make the cache serve several build trees.
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${QFUSE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # A time stamp in the precompiled header would defeat ccache.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fpch-instantiate-templates>")
endif()
# ld.lld of the same release: a link takes half a second.
find_program(QFUSE_LLD ld.lld PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
if(QFUSE_LLD)
  add_link_options(--ld-path=${QFUSE_LLD})
endif()

# The headers that nearly each file of the compiler reads, parsed once; a target
# with the same compile options reuses them.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "")
add_library(QFusePCH OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
llvm_update_compile_flags(QFusePCH)
target_precompile_headers(QFusePCH PRIVATE
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/DialectImplementation.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Interfaces/FunctionImplementation.h>
  <mlir/Pass/Pass.h>)

# Adds a static library of the compiler.
#   qfuse_add_library(QFuseIR a.cpp b.cpp DEPENDS X LINK Y MLIR_LINK Z)
function(qfuse_add_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK;MLIR_LINK" ${ARGN})
  add_mlir_library(${name} ${arg_UNPARSED_ARGUMENTS}
    STATIC EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL
    DEPENDS ${arg_DEPENDS}
    LINK_LIBS PUBLIC ${arg_LINK})
  mlir_target_link_libraries(${name} PUBLIC MLIRIR ${arg_MLIR_LINK})
  target_precompile_headers(${name} REUSE_FROM QFusePCH)
  set_property(GLOBAL APPEND PROPERTY QFUSE_LIBRARIES ${name})
endfunction()

# Adds a library that needs neither LLVM nor MLIR.
#   qfuse_add_plain_library(QFuseSupport a.cpp LINK Y)
function(qfuse_add_plain_library name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -Wall -Wextra -fno-exceptions)
  target_link_libraries(${name} PUBLIC ${arg_LINK})
  set_property(GLOBAL APPEND PROPERTY QFUSE_LIBRARIES ${name})
endfunction()

# Adds a tool to bin/.
#   qfuse_add_tool(qfuse-opt qfuse-opt.cpp LINK X MLIR_LINK Y)
function(qfuse_add_tool name)
  cmake_parse_arguments(arg "" "" "LINK;MLIR_LINK" ${ARGN})
  add_llvm_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  mlir_target_link_libraries(${name} PRIVATE MLIRIR ${arg_MLIR_LINK})
  set_property(GLOBAL APPEND PROPERTY QFUSE_TOOLS ${name})
endfunction()

# Adds gtest programs to `check-qfuse-unit`, which runs them all.
#   qfuse_add_unittest(QFuseIRTests a.cpp LINK X)
add_custom_target(check-qfuse-unit)
function(qfuse_add_unittest name)
  cmake_parse_arguments(arg "" "" "LINK;MLIR_LINK" ${ARGN})
  find_package(GTest REQUIRED)
  add_llvm_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest_main)
  if(arg_MLIR_LINK)
    mlir_target_link_libraries(${name} PRIVATE ${arg_MLIR_LINK})
  endif()
  add_custom_target(run-${name} COMMAND ${name} --gtest_brief=1 DEPENDS ${name})
  add_dependencies(check-qfuse-unit run-${name})
endfunction()
