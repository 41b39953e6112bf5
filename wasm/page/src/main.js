// SPDX-License-Identifier: Apache-2.0
// The page: keys, files and clicks become calls of the worker; its answers are drawn.
import { startWorker } from "./caller.js";
import { Overview } from "./overview.js";
import { sentenceOf, sentenceOfRepair } from "./sentences.js";
import { ROW_HEIGHT, View } from "./view.js";

const $ = (id) => document.getElementById(id);
const AFTER_LAST_EDIT = 150; // ms, until faults are listed

const worker = startWorker((done) => { $("progress").value = done; });
const view = new View($("view"));
const overview = new Overview($("overview"), worker.depths, (share) => goTo(share));
let languages = [];
let top = 0;
let caret = 0;
let anchor = 0;
let length = 0;
let edited;

const selection = () => ({ caret, from: Math.min(anchor, caret), to: Math.max(anchor, caret) });

/* ---- One thing after another: what a key does begins when what the key before did is drawn ---- */

let last = Promise.resolve();
function then(action) {
    last = last.then(action).catch((error) => { $("message").textContent = error.message; });
    return last;
}

/* ---- Drawing ---- */

async function draw() {
    const screen = await worker.screen(top, view.rowCount, caret);
    top = screen.rows[0].offset;
    length = screen.length;
    view.show(screen, selection());
    overview.setRange(top, screen.end, length);
    $("path").textContent = screen.path.map(({ character, line }) => `${character} ${line}`).reverse().join("  ");
    return screen;
}

/** Draws the screen so that the caret is on it. */
async function drawAtCaret() {
    const row = await worker.rowStart(caret);
    const screen = await draw();
    if (row >= top && (caret <= screen.end || screen.rows.some(({ offset }) => offset === row))) return;
    top = await worker.rowStep(caret, -Math.floor(view.rowCount / 2));
    await draw();
}

function goTo(share) {
    then(async () => {
        top = await worker.rowStart(Math.floor(length * Math.min(1, Math.max(0, share))));
        await draw();
    });
}

function select(offset, extend) {
    caret = offset;
    if (!extend) anchor = offset;
    return drawAtCaret();
}

function goToOffset(offset) {
    $("keys").focus();
    then(() => select(offset, false));
}

/* ---- Faults ---- */

async function listFaults() {
    const found = await worker.faults();
    const { faults, faultCount, lines, maxDepth, brackets } = found;
    const number = (value) => value.toLocaleString("en");
    $("count").textContent = found.balanced
        ? `Balanced: ${number(brackets)} brackets, depth ${number(maxDepth)}, ${number(lines)} lines`
        : `${number(faultCount)} fault${faultCount > 1 ? "s" : ""}${faultCount > faults.length ? `, the first ${faults.length}` : ""}`;
    $("faults").replaceChildren(...faults.slice(0, 200).map((fault) => {
        const item = document.createElement("li");
        item.textContent = sentenceOf(fault);
        item.onclick = () => goToOffset(fault.offset);
        return item;
    }));
    overview.setFaults(faults);
    const repairs = found.balanced ? [] : await worker.repair();
    $("likely").replaceChildren(...repairs.map((repair) => {
        const button = document.createElement("button");
        button.textContent = sentenceOfRepair(repair);
        button.onclick = () => goToOffset(repair.offset);
        return button;
    }));
}

function afterEdit(ms) {
    $("message").textContent = "";
    $("speed").textContent = `the last edit took ${ms < 0.1 ? "less than 0.1" : ms.toFixed(1)} ms`;
    clearTimeout(edited);
    edited = setTimeout(() => then(async () => {
        await listFaults();
        overview.update().catch(() => {}); // of no text: it was replaced
    }), AFTER_LAST_EDIT);
}

async function replace(from, to, text) {
    const { caret: behind, ms } = await worker.replace(from, to - from, text);
    await select(behind, false);
    afterEdit(ms);
}

const type = (text) => then(() => replace(selection().from, selection().to, text));

/* ---- Files and languages ---- */

async function show({ language, bytes, ms }) {
    $("language").value = language;
    $("message").textContent = languages.find(({ name }) => name === language).hasBrackets
        ? "" : `${language} has delimiters: it is checked as a whole, without colours.`;
    caret = Math.min(caret, bytes);
    anchor = caret;
    await drawAtCaret();
    await listFaults();
    const rate = ms < 10 ? "" : ` (${(bytes / ms / 1e3).toFixed(0)} MB/s)`; // of less time the clock knows too little
    $("speed").textContent = `${bytes.toLocaleString("en")} bytes read in ${ms.toFixed(0)} ms${rate}`;
    overview.update().catch(() => {});
}

function open(file) {
    then(async () => {
        $("message").textContent = `Reading ${file.name} …`;
        $("progress").hidden = false;
        try {
            const opened = await worker.open(file);
            top = caret = 0;
            await show(opened);
        } finally {
            $("progress").hidden = true;
        }
    });
}

$("open").onclick = () => $("file").click();
$("file").onchange = () => $("file").files[0] && open($("file").files[0]);
$("language").onchange = () => then(async () => show(await worker.setLanguage($("language").value)));
for (const name of ["dragover", "dragleave", "drop"])
    document.addEventListener(name, (event) => {
        event.preventDefault();
        $("view").classList.toggle("dropping", name === "dragover");
        const file = name === "drop" && event.dataTransfer.files[0];
        if (file) open(file);
    });

/* ---- Keys ---- */

const keys = $("keys");
keys.addEventListener("input", (event) => {
    if (event.isComposing) return;
    if (keys.value) type(keys.value);
    keys.value = "";
});
keys.addEventListener("compositionend", () => {
    if (keys.value) type(keys.value);
    keys.value = "";
});
keys.addEventListener("paste", (event) => {
    event.preventDefault();
    const [file] = event.clipboardData.files;
    if (file) open(file);
    else type(event.clipboardData.getData("text/plain"));
});
for (const name of ["copy", "cut"])
    keys.addEventListener(name, (event) => {
        event.preventDefault();
        then(async () => {
            const { from, to } = selection();
            await navigator.clipboard.writeText(await worker.text(from, to));
            if (name === "cut") await replace(from, to, "");
        });
    });

const beside = async (step) => replace(...(anchor === caret
    ? [caret, await worker.characterStep(caret, step)].sort((a, b) => a - b)
    : [selection().from, selection().to]), "");
const rowsAway = (rows) => worker.rowsAway(caret, rows);
const moves = {
    ArrowLeft: () => worker.characterStep(caret, -1),
    ArrowRight: () => worker.characterStep(caret, 1),
    ArrowUp: () => rowsAway(-1),
    ArrowDown: () => rowsAway(1),
    PageUp: () => rowsAway(-view.rowCount),
    PageDown: () => rowsAway(view.rowCount),
    Home: ({ ctrlKey }) => (ctrlKey ? 0 : worker.rowStart(caret)),
    End: async ({ ctrlKey }) => {
        const start = await worker.rowStart(caret);
        const next = await worker.rowStep(start, 1);
        return ctrlKey || next === start ? length : next - 1;
    },
};
const edits = {
    Backspace: () => beside(-1),
    Delete: () => beside(1),
    Tab: () => replace(selection().from, selection().to, "    "),
};
keys.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    if (event.isComposing) return;
    if (command && event.key === "z")
        then(async () => {
            const { caret: at, ms } = await worker.undo();
            if (at >= 0) await select(at, false);
            if (at >= 0) afterEdit(ms);
        });
    else if (command && event.key === "a") then(() => { anchor = 0; caret = length; return draw(); });
    else if (moves[event.key]) then(async () => select(await moves[event.key](event), event.shiftKey));
    else if (edits[event.key] && !command) then(edits[event.key]);
    else return;
    event.preventDefault();
});

/* ---- Mouse ---- */

$("view").addEventListener("mousedown", (event) => {
    event.preventDefault();
    keys.focus();
    then(() => select(view.offsetAt(event.clientX, event.clientY), event.shiftKey));
});
$("view").addEventListener("mousemove", (event) => {
    if (event.buttons === 1) then(() => select(view.offsetAt(event.clientX, event.clientY), true));
});
$("view").addEventListener("wheel", (event) => {
    event.preventDefault();
    const rows = Math.round(event.deltaY / ROW_HEIGHT) || Math.sign(event.deltaY);
    then(async () => {
        top = await worker.rowStep(top, rows);
        await draw();
    });
}, { passive: false });
addEventListener("resize", () => then(draw));

/* ---- Beginning ---- */

then(async () => {
    languages = await worker.start();
    $("language").replaceChildren(...languages.map(({ name, description }) => {
        const option = new Option(name, name);
        option.title = description;
        return option;
    }));
    await draw();
    $("count").textContent = "";
    keys.focus();
    document.body.dataset.ready = "true";
});
