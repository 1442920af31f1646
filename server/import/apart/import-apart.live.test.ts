/** Protects the server from a heavy import: it ends at its limits, and comes to the same result. */
import { expect, test } from 'vitest';
import { trafficChoicesSchema } from '../../../shared/import.ts';
import { importStream } from '../import-stream.ts';
import { importApart } from './import-apart.ts';

const facts = { name: 'It', choices: trafficChoicesSchema.parse({}) };

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

const commands = (count: number) => 'curl http://shop.example/\n'.repeat(count);

test('an import in a thread of its own comes to the same, and to the same refusal', async () => {
  const text = commands(60);
  expect(await importApart(pieces(text), facts)).toEqual(await importStream(pieces(text), facts));
  const broken = "curl 'http://shop.example/";
  const refusal = await importStream(pieces(broken), facts).catch((error) => error.problem);
  await expect(importApart(pieces(broken), facts)).rejects.toMatchObject({ problem: refusal });
});

test('it ends when it takes too much memory or too long, and when its source breaks', async () => {
  const large = () => pieces(commands(150_000));
  await expect(importApart(large(), facts, { memoryMiB: 24, patienceMs: 60_000 })).rejects.toMatchObject({
    problem: { detail: 'Reading needs more than 24 MiB.' },
  });
  await expect(importApart(large(), facts, { memoryMiB: 200, patienceMs: 1 })).rejects.toMatchObject({
    problem: { detail: 'Reading timed out after 0.001 s.' },
  });
  async function* breaking() {
    yield* pieces('curl ');
    throw new Error('cut off');
  }
  await expect(importApart(breaking(), facts)).rejects.toThrow('cut off');
});
