import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { cut } from '../../../shared/base/cut.ts';

/**
 * Lines of what another program writes, each cut while it is read: `node:readline` keeps a line of any length in memory. Yields
 * the last one too if no line feed ends it.
 */
export async function* cutLines(from: Readable, most: number): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  for await (const chunk of from) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n');
    line = cut(line + first, most);
    for (const next of rest) {
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
      line = cut(next, most);
    }
  }
  line = cut(line + decoder.end(), most);
  if (line !== '') yield line;
}
