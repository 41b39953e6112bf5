// SPDX-License-Identifier: Apache-2.0
// The rows on the screen, the caret and what is selected; a click as an offset.
import { charactersOf } from "./text.js";

export const ROW_HEIGHT = 18;
const COLOURS = 6;

export class View {
    #element;
    #rows;
    #caret;
    #shown = []; // for each row { element, characters, end }

    constructor(element) {
        this.#element = element;
        this.#rows = element.querySelector("#rows");
        this.#caret = element.querySelector("#caret");
    }

    get rowCount() {
        return Math.max(1, Math.floor(this.#element.clientHeight / ROW_HEIGHT));
    }

    show({ rows, brackets, pair, length }, selection) {
        const colours = new Map(brackets.map((bracket) => [bracket.offset, bracket]));
        this.#element.classList.toggle("empty", length === 0);
        this.#shown = rows.map(({ offset, bytes, line }) => {
            const element = document.createElement("div");
            element.className = "row";
            element.dataset.line = line || "";
            const characters = charactersOf(bytes, offset);
            for (const piece of piecesOf(characters, colours, pair, selection)) element.append(piece);
            return { element, characters, end: offset + bytes.length };
        });
        this.#rows.replaceChildren(...this.#shown.map(({ element }) => element));
        this.#placeCaret(selection.caret);
    }

    /** The offset that a point of the window is nearest to. */
    offsetAt(x, y) {
        const top = this.#element.getBoundingClientRect().top;
        const index = Math.min(this.#shown.length - 1, Math.max(0, Math.floor((y - top) / ROW_HEIGHT)));
        const row = this.#shown[index];
        const edges = this.#edges(row);
        let nearest = 0;
        while (nearest + 1 < edges.length && x > (edges[nearest] + edges[nearest + 1]) / 2) nearest++;
        return nearest < row.characters.length ? row.characters[nearest].offset : row.end;
    }

    #placeCaret(caret) {
        const index = this.#shown.findLastIndex(({ characters, end }) => (characters[0]?.offset ?? end) <= caret && caret <= end);
        this.#caret.hidden = index < 0;
        if (index < 0) return;
        const row = this.#shown[index];
        const at = row.characters.findIndex(({ offset }) => offset >= caret);
        const edges = this.#edges(row);
        this.#caret.style.left = `${edges[at < 0 ? edges.length - 1 : at] - this.#element.getBoundingClientRect().left}px`;
        this.#caret.style.top = `${index * ROW_HEIGHT}px`;
    }

    /** The left edge of each character of a row, and the right edge of the last. */
    #edges({ element, characters }) {
        const range = document.createRange();
        const edges = [];
        let right = element.getBoundingClientRect().left + parseFloat(getComputedStyle(element).paddingLeft);
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        let node = walker.nextNode();
        let within = 0;
        for (const { text } of characters) {
            if (node && within >= node.data.length) [node, within] = [walker.nextNode(), 0];
            range.setStart(node, within);
            range.setEnd(node, (within += text.length));
            const box = range.getBoundingClientRect();
            edges.push(box.left);
            right = box.right;
        }
        return [...edges, right];
    }
}

/** Stretches of characters that look the same, as nodes. */
function piecesOf(characters, colours, pair, { from, to }) {
    const pieces = [];
    let before;
    for (const { text, offset } of characters) {
        const bracket = colours.get(offset);
        const classes = [
            bracket && (bracket.faulty ? "faulty" : `d${bracket.depth % COLOURS}`),
            pair.includes(offset) && "partner",
            from <= offset && offset < to && "selected",
        ].filter(Boolean).join(" ");
        if (classes === before) {
            pieces[pieces.length - 1].append(text);
        } else {
            const piece = document.createElement("span");
            piece.className = classes;
            piece.append(text);
            pieces.push(piece);
        }
        before = classes;
    }
    for (const piece of pieces) piece.normalize();
    return pieces;
}
