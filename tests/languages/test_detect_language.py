"""Languages by name, extension and first bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.languages import LANGUAGES, Family, detect_language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        (b"a.py", "python"),
        (b"dir.js/a.PYI", "python"),
        (b"a.d.ts", "typescript"),
        (b"a.mts", "typescript"),
        (b"a.tsx", "tsx"),
        (b"a.jsx", "javascript"),
        (b"x/y/Main.java", "java"),
        (b"a.hpp", "cpp"),
        (b"a.C", "cpp"),
        (b"a.c", "c"),
        (b"A.cs", "csharp"),
        (b"Gemfile", "ruby"),
        (b"a.kts", "kotlin"),
        (b".bashrc", "bash"),
        (b"Makefile", "make"),
        (b"Makefile.am", "make"),
        (b"Dockerfile", "dockerfile"),
        (b"Dockerfile.dev", "dockerfile"),
        (b"dockerfile.py", "python"),
        (b"CMakeLists.txt", "cmake"),
        (b"go.mod", "gomod"),
        (b"requirements-dev.txt", "requirements"),
        (b"BUILD.bazel", "starlark"),
        (b"config.h.in", "c"),
        (b"settings.py.example", "python"),
        (b".env.local", "properties"),
        (b".gitignore", "gitignore"),
        (b"README", "text"),
        (b"README.md", "markdown"),
        (b"index.rst", "rst"),
        (b"notes.txt", "text"),
        (b"a.vue", "vue"),
        (b"a.proto", "proto"),
        (b"a.sql", "sql"),
        (b"a.yml", "yaml"),
        (b"package.json", "json"),
        (b"Cargo.lock", "toml"),
        (b"a.css", "css"),
        (b"a.unheard-of", "text"),
        (b"unheard-of", "text"),
        (b".hidden", "text"),
        (b".", "text"),
        (b"", "text"),
        (b"\xff\xfe.rs", "rust"),
        (b'quote"\n\t.go', "go"),
    ],
)
def test_path_names_the_language(path: bytes, language: str) -> None:
    assert detect_language(path) == language


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        (b"run", b"#!/bin/sh\n", "bash"),
        (b"run", b"#!/usr/bin/env python3.11\n", "python"),
        (b"run", b"#!/usr/bin/env -S A=1 node --x\n", "javascript"),
        (b"run", b"#! /usr/local/bin/perl5.30 -w\n", "perl"),
        (b"run", b"\xef\xbb\xbf#!/usr/bin/ruby\r\n", "ruby"),
        (b"run", b"#!/opt/unheard-of\n", "text"),
        (b"run", b"#!", "text"),
        (b"page", b"<?php echo 1;", "php"),
        (b"page", b"  <?xml version='1.0'?>", "xml"),
        (b"a.py", b"#!/bin/sh\n", "python"),
        (b"a.h", b"int f(void);\n", "c"),
        (b"a.h", b"#pragma once\nnamespace a {\nclass B {\n};\n}\n", "cpp"),
        (b"a.h", b"#include <vector>\n", "cpp"),
        (b"a.h", b"#import <Foundation/Foundation.h>\n@interface A\n", "objc"),
        (b"a.m", b"function y = f(x)\n", "matlab"),
        (b"a.m", b"#import \"A.h\"\n@implementation A\n", "objc"),
        (b"a.ts", b"<?xml version='1.0'?>\n<!DOCTYPE TS>", "xml"),
        (b"a.v", b"module m(input a);\nendmodule\n", "verilog"),
        (b"a.v", b"Require Import List.\nLemma a : b.\n", "coq"),
        (b"a.pl", b":- module(a, []).\n", "prolog"),
        (b"a.pl", b"use strict;\n", "perl"),
        (b"a.cls", b"public with sharing class A {}", "apex"),
        (b"a.cls", b"\\ProvidesClass{a}", "latex"),
        (b"a.inc", b"<?php", "php"),
        (b"a.pp", b"class a {\n", "puppet"),
        (b"a.pp", b"unit A;\n", "pascal"),
    ],
)  # fmt: skip
def test_first_bytes_decide_where_the_path_does_not(
    path: bytes, head: bytes, language: str
) -> None:
    assert detect_language(path, head) == language


@given(path=st.binary(max_size=40), head=st.binary(max_size=200))
def test_any_path_and_bytes_name_a_known_language(path: bytes, head: bytes) -> None:
    assert detect_language(path, head) in LANGUAGES


def test_extensions_and_names_are_unambiguous_or_decided_by_content() -> None:
    owners: dict[str, set[str]] = {}
    for entry in LANGUAGES.values():
        for word in (*entry.filenames, *(f".{extension}" for extension in entry.extensions)):
            owners.setdefault(word, set()).add(entry.name)
    shared = {word: names for word, names in owners.items() if len(names) > 1}
    assert shared == {".hh": {"cpp", "hack"}}


def test_prose_and_data_are_not_parsed_and_code_mostly_is() -> None:
    for entry in LANGUAGES.values():
        if entry.family in {Family.PROSE, Family.DATA}:
            assert entry.grammar is None
        if entry.has_queries:
            assert entry.grammar is not None
            assert entry.family is Family.CODE
            assert entry.line_comments
