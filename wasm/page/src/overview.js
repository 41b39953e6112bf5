// SPDX-License-Identifier: Apache-2.0
// A strip that shows the depth over the whole text, the faults, and which part is on the screen.

const PARTS = 300;
const PARTS_AT_ONCE = 20;

export class Overview {
    #canvas;
    #ask;
    #depths = [];
    #faults = [];
    #range = { from: 0, to: 0, length: 0 };
    #round = 0;

    /** ask(from, to, count) returns the largest depths of parts from ... to - 1 of the text. */
    constructor(canvas, ask, go) {
        this.#canvas = canvas;
        this.#ask = ask;
        canvas.addEventListener("mousedown", (event) => go(event.offsetY / canvas.clientHeight));
    }

    /** Asks for the depths again, a few parts at a time, so that edits are not kept waiting. */
    async update() {
        const round = ++this.#round;
        const depths = [];
        while (depths.length < PARTS) {
            const more = await this.#ask(depths.length, depths.length + PARTS_AT_ONCE, PARTS);
            if (round !== this.#round) return;
            if (more.length === 0) break;
            depths.push(...more);
        }
        this.#depths = depths;
        this.#draw();
    }

    setFaults(faults) {
        this.#faults = faults;
        this.#draw();
    }

    setRange(from, to, length) {
        this.#range = { from, to, length };
        this.#draw();
    }

    #draw() {
        const { width, height } = this.#canvas;
        const context = this.#canvas.getContext("2d");
        const style = getComputedStyle(this.#canvas);
        const deepest = Math.max(1, ...this.#depths.map((depth) => depth + 1));
        context.clearRect(0, 0, width, height);
        context.fillStyle = style.getPropertyValue("--depth0");
        this.#depths.forEach((depth, k) => {
            const top = Math.floor((height * k) / PARTS);
            context.fillRect(0, top, (width * (depth + 1)) / deepest, Math.ceil(height / PARTS));
        });
        const { from, to, length } = this.#range;
        if (length === 0) return;
        context.fillStyle = style.getPropertyValue("--fault");
        for (const { offset } of this.#faults) context.fillRect(0, (height * offset) / length - 1, width, 2);
        context.fillStyle = "#8886";
        context.fillRect(0, (height * from) / length, width, Math.max(4, (height * (to - from)) / length));
    }
}
