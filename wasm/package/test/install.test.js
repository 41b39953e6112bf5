// SPDX-License-Identifier: Apache-2.0
// The package as npm packs and installs it, in an empty project of someone else's, without the network.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const missing = (program) => (spawnSync(program, ["--version"]).status === 0 ? false : `${program} is not installed`);
const skip = missing("npm");

let folder, project;

before(() => {
    if (skip) return;
    folder = mkdtempSync(join(tmpdir(), "parenmatch install "));
    project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{ "name": "foreign", "version": "1.0.0", "private": true }');
    const tarball = run("npm", ["pack", "--pack-destination", folder], PACKAGE).trim().split("\n").at(-1);
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", join("..", tarball)]);
});
after(() => folder && rmSync(folder, { recursive: true }));

function run(program, values, cwd = project) {
    const { status, stdout, stderr } = spawnSync(program, values, { cwd, encoding: "utf8" });
    assert.equal(status, 0, `${program} ${values.join(" ")}: ${stdout}${stderr}`);
    return stdout;
}

function runProgram(name, source) {
    writeFileSync(join(project, name), source);
    return run(process.execPath, [name]);
}

// Prints one line of JSON, in a project that has `load` from the package.
const BODY = `
    const pm = await load();
    const tree = pm.bp("(()())");
    const document = pm.document("if (a) { b();", "c");
    const open = document.faults().length;
    document.replace(document.length, 0, " }");
    console.log(JSON.stringify([
        [...pm.match("(()())")], [...pm.matchBatch("()(())", [0, 2, 6])], [tree.findClose(0), tree.lca(1, 3)],
        pm.check("f(a[1)];", "c").faultCount, open, document.faults().length,
    ]));
    document.dispose();
    tree.dispose();`;
const PRINTED = '[[-1,0,1,0,3,0],[-1,0,-1,0,1,0],[5,0],2,1,0]\n';

test("a module", { skip }, () => {
    assert.equal(runProgram("esm.mjs", `import { load } from "parenmatch";${BODY}`), PRINTED);
});

test("CommonJS", { skip }, () => {
    const source = `(async () => { const { load } = await import("parenmatch");${BODY} })();`;
    assert.equal(runProgram("common.cjs", source), PRINTED);
});

test("the program of README.md", { skip }, () => {
    const [, program] = /```js\n([^]*?)```/.exec(readFileSync(join(PACKAGE, "README.md"), "utf8"));
    writeFileSync(join(project, "data.json"), '{"a": [1, [2]]}');
    // What the comments say.
    const printing = program
        .replace(/^(pm\.match.*|tree\.[fp].*|checker\.finish.*|document\.faults.*);( *\/\/.*)?$/gm, "say($1);$2")
        .replace("// false;", "say(balanced, faults[0].fault, faults[0].partner.column); //");
    const say = "const say = (...values) => console.log(JSON.stringify(values.map((v) => ArrayBuffer.isView(v) ? [...v] : v)));\n";
    assert.deepEqual(runProgram("readme.mjs", say + printing).trim().split("\n"), [
        "[[-1,0,1,0,3,0]]", "[[-1,0,1,0,3,0]]", "[[-1,0,-1,0,1,0]]", "[5]", "[0]", '[false,"kind mismatch",4]', "[3]", "[[]]",
    ]);
});

test("what the package has, and nothing else", { skip }, () => {
    const installed = JSON.parse(run("npm", ["ls", "--json", "--all"]));
    assert.deepEqual(Object.keys(installed.dependencies), ["parenmatch"]);
    assert.equal(installed.dependencies.parenmatch.dependencies, undefined);
    const portable = `import { load, ParenmatchError } from "parenmatch";
        const pm = await load({ simd: false });
        console.log(pm.simd, pm.check("(").balanced, typeof ParenmatchError);`;
    assert.equal(runProgram("portable.mjs", portable), "portable false function\n");
    const wasm = `import { readFileSync } from "node:fs";
        import { createRequire } from "node:module";
        import { loadFrom } from "parenmatch";
        const bytes = readFileSync(createRequire(import.meta.url).resolve("parenmatch/parenmatch.wasm"));
        console.log((await loadFrom(bytes)).match("()").join());`;
    assert.equal(runProgram("wasm.mjs", wasm), "-1,0\n");
});

const TYPED = `import { load, ParenmatchError } from "parenmatch";
import type { Bp, CheckResult, Document, Fault, Parenmatch } from "parenmatch";

export async function all(wasm: Uint8Array): Promise<number> {
    const pm: Parenmatch = await load({ simd: wasm.length > 0 });
    const match: Int32Array = pm.match(new Uint8Array([0b001011]), 6, new Int32Array(6));
    const batch: Int32Array = pm.matchBatch("()(())", [0, 2, 6]);
    const tree: Bp = pm.bp("(()())");
    const found: CheckResult = pm.check("f(a[1)];", "c", { maxFaults: 1 });
    const document: Document = pm.document(wasm, "c");
    const faults: Fault[] = document.faults();
    const column: number | undefined = found.faults[0]?.partner?.column;
    if (faults.length > 9) throw new ParenmatchError();
    return match.length + batch.length + tree.lca(1, 3) + (column ?? 0);
}
`;

test("types under tsc --strict, with the types of the language alone", { skip: skip || missing("tsc") }, () => {
    writeFileSync(join(project, "typed.mts"), TYPED);
    const options = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022", "--module"];
    for (const module of ["node16", "nodenext"]) run("tsc", [...options, module, "typed.mts"]);
    writeFileSync(join(project, "wrong.mts"), TYPED.replace('"()(())", [0, 2, 6]', "[0, 2, 6]"));
    assert.throws(() => run("tsc", [...options, "node16", "wrong.mts"]), /wrong\.mts\(\d+,\d+\): error TS/);
});
