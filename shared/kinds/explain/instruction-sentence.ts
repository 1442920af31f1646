import { printNumber } from '../../base/quantity.ts';
import { sideNames } from '../../base/transport.ts';
import type { Estimate } from '../comparison/comparison.ts';
import type { ExplainDocument } from './explain.ts';
import { sideTitle } from './explain-sentence.ts';
import type { InstructionCounts } from './instruction-counts.ts';

/** What was counted, in sentences: the same on the page, in Markdown and in a terminal. */

type Found = Pick<ExplainDocument, 'request'> & { instructions: InstructionCounts };

/** The first is the headline. */
export function instructionSentences({
  request,
  instructions: { perRequest, delta, parts },
}: Found): string[] {
  const [base, other] = [sideTitle('baseline', request), sideTitle('comparison', request)];
  const [from, to] = sideNames.map((side) => printInstructions(perRequest[side].center));
  const isUncertain = delta.lo <= 0 && delta.hi >= 0;
  const more = `${printInstructions(Math.abs(delta.center))} ${delta.center < 0 ? 'fewer' : 'more'} instructions a request`;
  const spreads = sideNames.map(
    (side) => `${printNumber(100 * spreadOf(perRequest[side]), 2)} % over ${sideTitle(side, request)}`,
  );
  return [
    isUncertain
      ? `${other} takes about as many instructions a request as ${base}: ${to} and ${from}`
      : `${other} takes ${more} than ${base}: ${to} instead of ${from}`,
    `The lowest and the highest of ${parts.baseline.length} counts differ by ${spreads.join(' and ')}.`,
  ];
}

/** Of an interval, as a share of its center. */
function spreadOf({ center, lo, hi }: Estimate): number {
  return center === 0 ? 0 : (hi - lo) / center;
}

/** What a count does not say, in sentences. */
export const instructionNotes = [
  'These are instructions of the server’s processes in user space. Work in the kernel is not counted, so none of its extra cost shows.',
  'Valgrind does not emulate AVX-512, so libraries ran their code for CPUs without it.',
];

/** `7 counts of 128 requests on each side`. */
export function countsInWords({ parts, requests }: InstructionCounts): string {
  return `${parts.baseline.length} counts of ${requests} requests on each side`;
}

/** `13,034`. */
export function printInstructions(count: number): string {
  return printNumber(count, 0);
}

/** `+64,797`. */
export function printMoreInstructions(count: number): string {
  return Math.round(count) > 0 ? `+${printInstructions(count)}` : printInstructions(count);
}
