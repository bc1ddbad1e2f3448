# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DOUTPUT=F.inc -DINPUTS=a.mlir;b.mlir -P EmbedText.cmake
# Writes the files as entries of a C++ initializer list: {"name", R"(text)"},

set(text "")
foreach(input ${INPUTS})
  get_filename_component(name ${input} NAME_WE)
  file(READ ${input} contents)
  string(APPEND text "{\"${name}\", R\"mlir(${contents})mlir\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
