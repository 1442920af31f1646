/** Protects measurements from whoever guesses an Idempotency-Key: no delete token follows from it. */
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startLabServer } from '../../testing/lab-in-test.ts';
import { endPrograms } from '../../testing/program-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-token-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

test('a delete token does not follow from a weak Idempotency-Key, and neither is stored in clear', async () => {
  const key = 'order-no-1';
  const lab = await startLabServer({ TLS_TOLL_DATA: directory });
  const { body: created } = await lab.create(20, { 'Idempotency-Key': key });
  await lab.watch(created.id).until(({ type }) => type === 'end');
  const guesses = ['sha256', 'sha512', 'sha1'].flatMap((name) => [
    createHmac(name, key).update(created.id).digest(),
    createHmac(name, created.id).update(key).digest(),
    createHash(name).update(key).digest(),
    createHash(name)
      .update(key + created.id)
      .digest(),
    createHash(name)
      .update(created.id + key)
      .digest(),
  ]);
  for (const guess of guesses.flatMap((bytes) => [bytes.toString('base64url'), bytes.toString('hex')])) {
    expect(await lab.remove(created.id, guess)).toMatchObject({ status: 403 });
  }
  // Who sends the same request with the same key later may be anybody who knows the key.
  const { status, body: replayed } = await lab.create(20, { 'Idempotency-Key': key });
  expect({ status, id: replayed.id }).toEqual({ status: 201, id: created.id });
  expect(replayed.deleteToken).toBeNull();
  const stored = readdirSync(directory)
    .filter((name) => name.startsWith('tls-toll.sqlite'))
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('');
  expect(stored).not.toContain(key);
  expect(stored).not.toContain(created.deleteToken);
  expect(await lab.remove(created.id, created.deleteToken)).toMatchObject({ status: 204 });
});
