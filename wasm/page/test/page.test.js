// SPDX-License-Identifier: Apache-2.0
// The page in Debian's Chromium, from a file: as someone uses it. ./dev test wasm copies this to build/page and runs it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";

const PAGE = new URL("../parenmatch.html", import.meta.url).href;
const C_TEXT = "int f(int n) {\n    if (n > 0) {\n        g(n);\n    return 0;\n}\n";

let browser, folder;

before(async () => {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    folder = mkdtempSync(join(tmpdir(), "parenmatch-page-"));
});
after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
});

async function opened() {
    const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
    page.errors = [];
    page.on("pageerror", (error) => page.errors.push(error.message));
    await page.goto(PAGE);
    await page.waitForSelector("body[data-ready]");
    return page;
}

function fileOf(name, content) {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
}

async function openFile(page, name, content) {
    await page.setInputFiles("#file", fileOf(name, content));
    await page.waitForFunction(() => document.querySelector("#progress").hidden && !document.querySelector("#message").textContent.startsWith("Reading"));
}

// SCREENSHOTS=FOLDER keeps what the page looks like.
async function keepPicture(page, name) {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
}

const faults = (page) => page.locator("#faults li").allTextContents();
const heading = (page, text) => page.waitForFunction((part) => document.querySelector("#count").textContent.includes(part), text);
const rowsAre = (page, ...expected) =>
    page.waitForFunction((rows) => {
        const shown = [...document.querySelectorAll(".row")].map((row) => row.textContent);
        return JSON.stringify(shown) === JSON.stringify(rows);
    }, expected);

const rowShown = (page, text) =>
    page.waitForFunction((row) => [...document.querySelectorAll(".row")].some(({ textContent }) => textContent === row), text);

test("typing, a fault, its likely place, and mending it", async () => {
    const page = await opened();
    await page.selectOption("#language", "c");
    await page.click("#view");
    for (const line of C_TEXT.split("\n").slice(0, -1)) {
        await page.keyboard.type(line);
        await page.keyboard.press("Enter");
    }
    await heading(page, "1 fault");
    assert.deepEqual(await faults(page), ["line 1, column 14: '{' is never closed"]);
    assert.match(await page.locator("#likely").textContent(), /'}' is missing before line 4/);
    assert.equal(await page.locator(".faulty").first().textContent(), "{");
    await keepPicture(page, "typing");
    await page.click("#likely button");
    await page.keyboard.type("    }\n");
    await heading(page, "Balanced");
    await page.waitForFunction(() => document.querySelectorAll(".row").length === 7);
    assert.deepEqual(page.errors, []);
    await page.close();
});

test("keys: arrows, selection, deleting, undo, characters of several bytes", async () => {
    const page = await opened();
    await page.click("#view");
    await page.keyboard.type("(äö😀)");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Backspace");
    await rowsAre(page, "(äö)");
    await page.keyboard.press("Control+z");
    await rowsAre(page, "(äö😀)");
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.waitForSelector(".selected");
    await page.keyboard.press("Delete");
    await rowsAre(page, "ö😀)");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("x");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.type("[");
    await rowsAre(page, "ö[😀)", "x");
    assert.deepEqual(page.errors, []);
    await page.close();
});

test("100 MB of JSON: opened, shown at its end, typed into", async () => {
    const page = await opened();
    await page.evaluate(() => { // what the progress bar shows
        const bar = document.querySelector("#progress");
        window.shown = [];
        new MutationObserver(() => bar.hidden || window.shown.push(bar.value)).observe(bar, { attributes: true });
    });
    const record = '{"name": "value with (", "list": [1, [2, {"deep": null}]], "text": "and so on"},\n';
    await openFile(page, "large.json", `[\n${record.repeat(Math.ceil(1e8 / record.length))}{}\n`);
    await heading(page, "1 fault");
    assert.deepEqual(await faults(page), ["line 1, column 1: '[' is never closed"]);
    assert.equal(await page.inputValue("#language"), "json");
    assert.match(await page.locator("#speed").textContent(), /^100,000,0\d\d bytes read in \d+ ms \(\d+ MB\/s\)$/);
    const shown = await page.evaluate(() => window.shown);
    assert.ok(shown.length > 5 && shown.some((done) => done > 0.3 && done < 0.8), String(shown));
    await page.click("#view");
    await page.keyboard.press("Control+End");
    await rowShown(page, "{}");
    await page.keyboard.type("}"); // a fault at the end, which a click finds again
    await page.waitForFunction(() =>
        /^line \d{7}, column 1: '}' closes the '\[' of line 1, column 1$/.test(document.querySelector("#faults li").textContent));
    await page.keyboard.press("Control+Home");
    await rowShown(page, "[");
    await page.click("#faults li");
    await rowShown(page, "}");
    await keepPicture(page, "100-MB-of-JSON");
    await page.keyboard.press("Delete");
    await page.keyboard.type("]");
    await heading(page, "Balanced");
    assert.match(await page.locator("#speed").textContent(), /edit took .* ms/);
    await page.click("#overview", { position: { x: 20, y: 300 } });
    await page.waitForFunction(() => Number(document.querySelector(".row").dataset.line) > 100000);
    assert.deepEqual(page.errors, []);
    await page.close();
});

test("a C file of 5 MB, typed into at both ends and in between", async () => {
    const page = await opened();
    const functions = C_TEXT.replace("    return", "    }\n    return");
    await openFile(page, "functions.c", functions.repeat(5e6 / functions.length));
    await heading(page, "Balanced");
    await page.click("#view");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("/*"); // all of the file is a comment now
    await heading(page, "1 fault");
    assert.deepEqual(await faults(page), ["line 1, column 1: what begins here never ends"]);
    await page.keyboard.type(" */");
    await heading(page, "Balanced");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("g(");
    await heading(page, "1 fault");
    await page.keyboard.type(");");
    await heading(page, "Balanced");
    await page.click("#overview", { position: { x: 20, y: 300 } });
    await page.waitForFunction(() => Number(document.querySelector(".row").dataset.line) > 10000);
    await page.click("#view", { position: { x: 400, y: 300 } });
    await page.keyboard.press("End");
    await page.keyboard.type(" if (n) { '\"', \"(\" "); // a quote in a character, a bracket in a string
    await heading(page, "fault");
    await keepPicture(page, "C-file");
    await page.keyboard.type("}");
    await heading(page, "Balanced");
    assert.ok((await page.locator("#path").textContent()).length > 0);
    assert.deepEqual(page.errors, []);
    await page.close();
});

test("pasted text, and a pasted file", async () => {
    const page = await opened();
    const paste = (make) => page.evaluate((source) => {
        const clipboardData = new DataTransfer();
        new Function("data", source)(clipboardData);
        document.querySelector("#keys").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, make);
    await paste('data.setData("text/plain", "(a\\n[b)")');
    await heading(page, "2 faults");
    await rowsAre(page, "(a", "[b)");
    await paste('data.items.add(new File(["[("], "a.json"))');
    await heading(page, "1 fault");
    assert.equal(await page.inputValue("#language"), "json");
    assert.deepEqual(page.errors, []);
    await page.close();
});

test("one line of a million bytes, and XML", async () => {
    const page = await opened();
    await openFile(page, "line.json", `[${"[1],".repeat(250000)}1]`);
    await heading(page, "Balanced");
    await page.click("#view");
    await page.keyboard.press("Control+End");
    await page.waitForFunction(() => [...document.querySelectorAll(".row")].pop().textContent.endsWith("1]"));
    await openFile(page, "a.xml", "<a>\n<b></a>\n");
    await heading(page, "fault");
    assert.match(await page.locator("#message").textContent(), /xml has delimiters/);
    assert.deepEqual(page.errors, []);
    await page.close();
});

test("what cannot be shown gets a sentence, and the page lives on", async () => {
    const page = await opened();
    await page.setInputFiles("#file", fileOf("picture.bin", Buffer.from([1, 0, 2])));
    await page.waitForFunction(() => document.querySelector("#message").textContent.includes("binary"));
    const huge = join(folder, "huge.json");
    writeFileSync(huge, "[");
    truncateSync(huge, 3e9); // a file of 3 GB with one block on the disk
    await page.setInputFiles("#file", huge);
    await page.waitForFunction(() => document.querySelector("#message").textContent.includes("3,000,000,000 bytes"));
    await keepPicture(page, "3-GB");
    await page.evaluate(() => {
        const dropped = new DataTransfer();
        dropped.items.add(new File(["("], "cut.c"));
        document.dispatchEvent(Object.assign(new Event("drop"), { dataTransfer: dropped }));
    });
    await heading(page, "1 fault");
    await openFile(page, "cut.json", '{"a": [1, "cut sho');
    await heading(page, "3 faults");
    assert.equal(await page.locator("#likely button").count(), 0);
    await keepPicture(page, "cut-short");
    await openFile(page, "latin1.txt", Buffer.from([40, 0xe4, 0xff, 41]));
    await heading(page, "Balanced");
    await rowsAre(page, "(\ufffd\ufffd)");
    assert.deepEqual(page.errors, []);
    await page.close();
});
