/** Protects hours of measuring: a bench that was killed goes on with every part that had ended. */

import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openLedger } from './bench-options.ts';

let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tls-toll-ledger-')), 'results.jsonl');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

const open = () => openLedger(path, z.strictObject({ ratio: z.number() }));

test('what was kept is there for the next one that opens the file', () => {
  open().keep('quiet 1', { ratio: 1.4 });
  expect(open().get('quiet 1')).toEqual({ ratio: 1.4 });
  expect(open().get('quiet 2')).toBeUndefined();
});

test('a line that was cut off is skipped, and does not damage the next one', () => {
  open().keep('quiet 1', { ratio: 1.4 });
  appendFileSync(path, '{"key":"quiet 2","value":{"rat');
  const resumed = open();
  expect(resumed.get('quiet 2')).toBeUndefined();
  resumed.keep('quiet 2', { ratio: 1.5 });
  expect([open().get('quiet 1'), open().get('quiet 2')]).toEqual([{ ratio: 1.4 }, { ratio: 1.5 }]);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
});

test('a line of another form is skipped', () => {
  appendFileSync(path, '{"key":"quiet 1","value":{"ratio":"high"}}\n{"key":"quiet 2","value":{"ratio":1}}\n');
  expect([open().get('quiet 1'), open().get('quiet 2')]).toEqual([undefined, { ratio: 1 }]);
});
