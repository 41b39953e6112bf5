// SPDX-License-Identifier: Apache-2.0
// The worker's calls as functions that return promises; they are answered in the order of the calls.
import source from "../../../build/page/worker.txt";

export function startWorker(onProgress) {
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    const waiting = new Map();
    let next = 0;
    worker.onmessage = ({ data }) => {
        if ("progress" in data) return onProgress(data.progress);
        const { resolve, reject } = waiting.get(data.id);
        waiting.delete(data.id);
        if ("error" in data) reject(new Error(data.error));
        else resolve(data.result);
    };
    return new Proxy({}, {
        get: (_, call) => (...values) =>
            new Promise((resolve, reject) => {
                waiting.set(next, { resolve, reject });
                worker.postMessage({ id: next++, call, values });
            }),
    });
}
