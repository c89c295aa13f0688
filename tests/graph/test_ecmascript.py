"""JavaScript and TypeScript: where specifiers lead, what exports are called, what methods mean."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.lab import calls_in, graph_of, imports_in, lines_of, one, types_in
from sidelight.graph import CodeGraph

FILES = {
    "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
    "packages/core/package.json": """{"name": "@acme/core", "main": "./dist/index.js",
      "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},
                  "./deep/*": "./dist/deep/*.js"}}""",
    "packages/core/src/index.ts": (
        "export * from './engine.js';\n"
        "export { default as helper } from './helper';\n"
        "export type { Shape } from './types';\n"
    ),
    "packages/core/src/engine.ts": """\
import { Shape } from './types';
import helper from './helper';

export abstract class Base {
  start(): void { this.step(); }
  step(): void {}
}

export class Engine extends Base implements Shape {
  private parts: Map<string, Part> = new Map();
  constructor(private readonly part: Part) { super(); }
  step(): void { super.step(); this.part.turn(); helper(1); }
  static create(part: Part): Engine { return new Engine(part); }
}

export class Part {
  turn(): void { JSON.parse('{}'); }
}

export const parse = (text: string): Engine => Engine.create(new Part());
""",
    "packages/core/src/helper.ts": "export default function assist(n: number) { return n; }\n",
    "packages/core/src/types.ts": "export interface Shape { turn?(): void }\n",
    "packages/core/src/deep/util.ts": "export function clamp(n: number) { return n; }\n",
    "packages/app/package.json": '{"name": "app", "imports": {"#lib/*": "./src/lib/*.ts"}}',
    "packages/app/tsconfig.json": """{
      // paths
      "extends": "../../tsconfig.base.json",
      "compilerOptions": {"baseUrl": ".", "paths": {"~ui/*": ["src/ui/*"],},},
    }""",
    "tsconfig.base.json": '{"compilerOptions": {"strict": true}}',
    "packages/app/src/main.tsx": """\
import { Engine, parse as read, helper } from '@acme/core';
import { clamp } from '@acme/core/deep/util';
import { Button } from '~ui/button';
import { log } from '#lib/log';
import fs, { readFile } from 'fs';
import react from 'react';

const engine = Engine.create(null);
engine.start();

export function run(thing) {
  read('x').step();
  helper(2);
  clamp(3);
  log('x');
  readFile('x');
  fs.turn();
  thing.turn();
  thing.map(log);
  const other = new Engine(null);
  other.step();
  return <Button label="x" />;
}
""",
    "packages/app/src/ui/button.tsx": "export const Button = (props) => <b>{props.label}</b>;\n",
    "packages/app/src/lib/log.ts": "export function log(text: string) {}\n",
    "old/server.js": """\
var helpers = require('./helpers');
var make = require('./make');
const { join } = require('path');
var app = exports = module.exports = {};

app.handle = function handle(req) {
  this.route(req);
  helpers.first(req);
  make().go();
  join('a', 'b');
};

app.route = function route(req) { };

function Box() { this.fill(); }
Box.prototype.fill = function () {};
""",
    "old/helpers/index.js": (
        "exports.first = function (x) { return x; };\nexports.join = () => 1;\n"
    ),
    "old/make.js": """\
module.exports = make;
function make() { return new Maker(); }
class Maker { go() {} }
""",
    "old/server.test.js": """\
const server = require('./server');
const boot = require('./make');
describe('server', () => {
  it('handles', () => { server.handle({}); boot(); });
});
""",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeGraph]:
    with graph_of(tmp_path_factory.mktemp("js") / "repo", FILES) as found:
        yield found


def test_specifiers_lead_through_exports_workspaces_paths_and_imports(graph: CodeGraph) -> None:
    assert imports_in(graph, "packages/app/src/main.tsx") == [
        "1 packages/core/src/index.ts: Engine, parse, helper",
        "2 packages/core/src/deep/util.ts: clamp",
        "3 packages/app/src/ui/button.tsx: Button",
        "4 packages/app/src/lib/log.ts: log",
    ]
    assert graph.library_imports(b"packages/app/src/main.tsx") == ("fs", "react")
    assert imports_in(graph, "packages/core/src/index.ts") == [
        "1 packages/core/src/engine.ts",
        "2 packages/core/src/helper.ts: default",
        "3 packages/core/src/types.ts: Shape",
    ]
    assert imports_in(graph, "old/server.js") == ["1 old/helpers/index.js", "2 old/make.js"]


def test_importers_of_a_package_and_of_an_index_are_found(graph: CodeGraph) -> None:
    importers = graph.importers(b"packages/core/src/index.ts")
    assert [edge.source for edge in importers] == [b"packages/app/src/main.tsx"]
    assert [e.source for e in graph.importers(b"old/helpers/index.js")] == [b"old/server.js"]


def test_methods_are_bound_by_this_fields_and_declared_types(graph: CodeGraph) -> None:
    assert calls_in(graph, "packages/core/src/engine.ts") == [
        "5 Base.start -> packages/core/src/engine.ts::Base.step exact",
        "12 Engine.step -> packages/core/src/engine.ts::Base.step same_class",
        "12 Engine.step -> packages/core/src/engine.ts::Part.turn exact",
        "12 Engine.step -> packages/core/src/helper.ts::assist exact",
        "13 Engine.create -> packages/core/src/engine.ts::Engine exact",
        "20 parse -> packages/core/src/engine.ts::Engine.create exact",
        "20 parse -> packages/core/src/engine.ts::Part exact",
    ]


def test_calls_cross_reexports_aliases_and_default_exports(graph: CodeGraph) -> None:
    assert calls_in(graph, "packages/app/src/main.tsx") == [
        "8 engine -> packages/core/src/engine.ts::Engine.create exact",
        "9 (file) -> packages/core/src/engine.ts::Base.start exact",
        "12 run -> packages/core/src/engine.ts::parse exact",
        "12 run -> packages/core/src/engine.ts::Engine.step exact",
        "13 run -> packages/core/src/helper.ts::assist exact",
        "14 run -> packages/core/src/deep/util.ts::clamp exact",
        "15 run -> packages/app/src/lib/log.ts::log exact",
        "18 run -> packages/core/src/engine.ts::Part.turn ambiguous of 2",
        "18 run -> packages/core/src/types.ts::Shape.turn ambiguous of 2",
        "20 run -> packages/core/src/engine.ts::Engine exact",
        "21 run -> packages/core/src/engine.ts::Engine.step exact",
        "22 run -> packages/app/src/ui/button.tsx::Button exact",
    ]


def test_commonjs_modules_objects_and_constructors(graph: CodeGraph) -> None:
    assert calls_in(graph, "old/server.js") == [
        "7 app.handle -> old/server.js::app.route exact",
        "8 app.handle -> old/helpers/index.js::first exact",
        "9 app.handle -> old/make.js::make exact",
        "9 app.handle -> old/make.js::Maker.go exact",
        "15 Box -> old/server.js::Box.fill exact",
    ]
    assert calls_in(graph, "old/server.test.js")[-1] == "4 (file) -> old/make.js::make exact"


def test_a_default_export_is_found_under_the_names_its_importers_give_it(graph: CodeGraph) -> None:
    callers = lines_of(graph.callers(one(graph, "assist")))
    assert callers == [
        "packages/app/src/main.tsx:13 run -> packages/core/src/helper.ts::assist exact",
        "packages/core/src/engine.ts:12 Engine.step -> packages/core/src/helper.ts::assist exact",
    ]
    assert [e.source.path for e in graph.tests_of(one(graph, "make"))] == [b"old/server.test.js"]


def test_bases_and_types(graph: CodeGraph) -> None:
    assert "9 Engine -> packages/core/src/engine.ts::Base exact" in types_in(
        graph, "packages/core/src/engine.ts"
    )
    assert "9 Engine -> packages/core/src/types.ts::Shape exact" in types_in(
        graph, "packages/core/src/engine.ts"
    )
