import { problem } from '../../../shared/base/problem.ts';
import type { ImportFormat } from '../../../shared/scenario/import.ts';
import { adviceOnProgram } from './other-programs.ts';
import { adviceOnLanguage } from './playwright/other-languages.ts';

/** The format of a text by its beginning. Throws import_unreadable when it looks like none. */
export function detectFormat(head: string): ImportFormat {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) {
    if (/^\{\s*"log"\s*:/.test(text)) return 'har';
    refuseOther(text);
    // The first step's type tells DevTools' steps from ours, which have a method.
    if (/"steps"\s*:\s*\[\s*(\{[^{}]*"type"\s*:|\])/.test(text) && !/"method"\s*:/.test(text))
      return 'devtools';
    if (/"steps"\s*:/.test(text)) return 'json';
    return 'har';
  }
  if (curlCommand.test(text.slice(0, 1000).replace(/^(?:[ \t]*(?:#[^\n]*|```\w*)?\n)+/, ''))) return 'curl';
  if (
    adviceOnLanguage(text) !== null ||
    /\bpage\d*\s*\.\s*\w+\s*\(|@playwright\/test|require\(\s*['"]playwright|\brequest\s*\.\s*\w+\s*\(/.test(
      text,
    )
  ) {
    return 'playwright';
  }
  if (curlCommandInLine.test(text)) return 'curl';
  refuseOther(text);
  // In a loop or behind another program, which the reader of commands names.
  if (/(?:^|[\s;&|(`])curl(?:\.exe)?[ \t]/i.test(text)) return 'curl';
  throw problem(
    'import_unreadable',
    `Unknown format: it begins with ${beginningOf(text)}. You can import HAR, Playwright tests, DevTools recordings, curl commands, and scenarios in JSON.`,
  );
}

function refuseOther(text: string): void {
  const advice = adviceOnProgram(text);
  if (advice !== null) throw problem('import_unreadable', advice);
}

/** A word or two, as far as they can be shown. */
function beginningOf(text: string): string {
  const [line = ''] = text.slice(0, 40).split('\n', 1);
  if (text === '') return 'nothing';
  return /^[\x20-\x7e\xa0-\ufffc]+$/.test(line) ? `“${line.trim()}”` : 'bytes that are not text';
}

/** At the beginning of a line, behind a prompt, variables and a directory. */
const command = String.raw`[ \t]*(?:[^\n'"]{0,150}[$%#>❯][ \t]*)?(?:(?:sudo|time|env|\w+=\S{0,200})[ \t]+)*[^\s'"]{0,200}\bcurl(?:\.exe)?['"]?[ \t]`;
const curlCommand = new RegExp(`^${command}`, 'i');
const curlCommandInLine = new RegExp(`^${command}`, 'im');
