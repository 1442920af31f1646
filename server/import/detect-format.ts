import type { ImportFormat } from '../../shared/import.ts';
import { problem } from '../../shared/problem.ts';

/** The format of a text by its beginning. Throws import_unreadable when it looks like none. */
export function detectFormat(head: string): ImportFormat {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) {
    if (/^\{\s*"log"\s*:/.test(text)) return 'har';
    // The first step's type tells DevTools' steps from ours, which have a method.
    if (/"steps"\s*:\s*\[\s*(\{[^{}]*"type"\s*:|\])/.test(text) && !/"method"\s*:/.test(text))
      return 'devtools';
    if (/"steps"\s*:/.test(text)) return 'json';
    return 'har';
  }
  if (/^(#[^\n]*\n\s*)*curl(\.exe)?\s/i.test(text)) return 'curl';
  if (
    /\bpage\d*\s*\.\s*\w+\s*\(|@playwright\/test|require\(\s*['"]playwright|\brequest\s*\.\s*\w+\s*\(/.test(
      text,
    )
  ) {
    return 'playwright';
  }
  throw problem('import_unreadable', 'Unknown format. Specify har, playwright, devtools, curl, or json.');
}
