// What all scripts share: clients, and waiting until what was added is read.
import { ZepClient } from "@getzep/zep-cloud";
import assert from "node:assert/strict";

export const baseUrl = process.env.ZEP_BASE_URL;
let counted = 0;

// check is assert, counted.
export const check = new Proxy(assert, {
    get: (target, name) =>
        typeof target[name] === "function"
            ? (...args) => {
                  counted++;
                  return target[name](...args);
              }
            : target[name],
});

export const client = (key) => new ZepClient({ apiKey: key, baseUrl });

// refused checks that a call fails with an error of a class and a status.
export async function refused(call, type, status, pattern = /./) {
    counted++;
    const error = await call().then(
        () => assert.fail("it was not refused"),
        (e) => e,
    );
    assert.ok(error instanceof type, `${error?.constructor?.name}: ${error?.message}`);
    assert.equal(error.statusCode, status);
    assert.match(JSON.stringify(error.body ?? ""), pattern);
}

// until asks again and again until the answer will do, for a minute.
export async function until(ask, enough) {
    for (let i = 0; i < 600; i++) {
        const answer = await ask();
        if (enough(answer)) return answer;
        await new Promise((r) => setTimeout(r, 100));
    }
    assert.fail("it took longer than a minute");
}

export const taskDone = (zep, id) =>
    until(
        () => zep.task.get(id),
        (t) => t.status === "succeeded" || t.status === "failed",
    );

export const finish = () => console.log(`${counted} assertions passed`);
