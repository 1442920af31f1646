import { problem } from '../../../shared/base/problem.ts';

/** In UTF-16 units, of all that an import yields, written as JSON: a few lines of its source may stand for far more. */
const mostYielded = 16 * 2 ** 20;

/** Takes one part of what an import yields. Throws import_unreadable with the line, once all parts are too large together. */
export type TakeYield = (line: number | null, part: unknown) => void;

export function openYield(): TakeYield {
  let size = 0;
  return (line, part) => {
    size += JSON.stringify(part).length;
    if (size <= mostYielded) return;
    const where = line === null ? '' : `Line ${line}: `;
    throw problem(
      'import_unreadable',
      `${where}${where === '' ? 'This' : 'this'} comes to more than ${mostYielded / 2 ** 20} MiB of requests and actions. Import it in parts.`,
    );
  };
}
