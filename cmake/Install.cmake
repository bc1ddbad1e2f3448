# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs libraries, tools and headers, so that `find_package(QFuse)` works
# downstream.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/QFuse)
get_property(libraries GLOBAL PROPERTY QFUSE_LIBRARIES)
get_property(tools GLOBAL PROPERTY QFUSE_TOOLS)
foreach(library ${libraries} QFuseCompiler)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS ${libraries} QFuseCompiler EXPORT QFuseTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS QFusePlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT QFuseTargets NAMESPACE QFuse:: DESTINATION ${package})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN "*.def"
  PATTERN CMakeFiles EXCLUDE)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/QFuseConfig.cmake.in
  ${PROJECT_BINARY_DIR}/QFuseConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/QFuseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/QFuseConfig.cmake
  ${PROJECT_BINARY_DIR}/QFuseConfigVersion.cmake
  DESTINATION ${package})
