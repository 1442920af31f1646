/** Protects the choice of a browser: CHROMIUM_PATH first, then what is on the path and can be run. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChromium } from './find-chromium.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'find-chromium-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function program(...path: string[]): string {
  const file = join(directory, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

test('CHROMIUM_PATH comes before what is on the path', () => {
  const chosen = program('chosen', 'my-browser');
  program('bin', 'chromium');
  expect(findChromium({ CHROMIUM_PATH: chosen, PATH: join(directory, 'bin') })).toBe(chosen);
});

test('a CHROMIUM_PATH that cannot be run is not replaced by another browser', () => {
  program('bin', 'chromium');
  const PATH = join(directory, 'bin');
  expect(findChromium({ CHROMIUM_PATH: join(directory, 'gone'), PATH })).toBeNull();
  expect(findChromium({ CHROMIUM_PATH: directory, PATH })).toBeNull();
});

test('an empty CHROMIUM_PATH is as good as none', () => {
  const chromium = program('bin', 'chromium');
  expect(findChromium({ CHROMIUM_PATH: '', PATH: join(directory, 'bin') })).toBe(chromium);
});

test('chromium comes before google-chrome, wherever on the path they are', () => {
  program('first', 'google-chrome');
  const chromium = program('second', 'chromium');
  const PATH = ['first', 'second'].map((name) => join(directory, name)).join(delimiter);
  expect(findChromium({ PATH })).toBe(chromium);
});

test('a preferred browser comes before chromium, but not before CHROMIUM_PATH', () => {
  const shell = program('second', 'chromium-headless-shell');
  const chromium = program('first', 'chromium');
  const PATH = ['first', 'second'].map((name) => join(directory, name)).join(delimiter);
  expect(findChromium({ PATH }, ['chromium-headless-shell'])).toBe(shell);
  expect(findChromium({ PATH, CHROMIUM_PATH: chromium }, ['chromium-headless-shell'])).toBe(chromium);
});

test('a file that is not executable is passed over', () => {
  chmodSync(program('first', 'chromium'), 0o644);
  const chrome = program('second', 'google-chrome');
  const PATH = ['first', 'second'].map((name) => join(directory, name)).join(delimiter);
  expect(findChromium({ PATH })).toBe(chrome);
});
