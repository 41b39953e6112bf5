# SPDX-License-Identifier: Apache-2.0
"""A recipe for Conan 2. Not tested. It exports the tree that this file is in: conan create cmake/recipes/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, load

PARTS_OFF = ("BUILD_TESTS", "BUILD_BENCH", "BUILD_CLI", "BUILD_EXAMPLES", "MPI")


class Parenmatch(ConanFile):
    name = "parenmatch"
    license = "Apache-2.0"
    description = "What is on top of the stack at every parenthesis of a sequence"
    settings = "os", "arch", "compiler", "build_type"
    options = {"gpu": [True, False]}
    default_options = {"gpu": True}

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "../../../include/parenmatch/base.h"))
        self.version = re.search(r'PM_VERSION_STRING "([^"]+)"', header)[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "../../..")
        copy(self, "*", root, self.export_sources_folder, excludes=("build/*", ".git/*"))

    def requirements(self):
        self.requires("highway/[>=1.0 <2]")
        if self.options.gpu:
            self.requires("vulkan-headers/[>=1.3.239]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in PARTS_OFF:
            toolchain.variables["PM_" + part] = False
        toolchain.variables["PM_GPU"] = bool(self.options.gpu)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["parenmatch"]
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "parenmatch")]
