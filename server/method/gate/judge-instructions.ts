import type { Estimate } from '../../../shared/base/estimate.ts';
import { differenceOf, quotientOf } from '../../../shared/base/independent-estimates.ts';
import { printChange } from '../../../shared/base/quantity.ts';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';
import {
  printInstructions,
  printMoreInstructions,
  sideTitle,
} from '../../../shared/words/explain-sentence.ts';
import type { Condition, InstructionMetric } from './condition.ts';
import { isBeyond, type Judgment } from './judge.ts';

export type CountedDocument = Pick<ExplainDocument, 'request' | 'server' | 'environment' | 'instructions'>;

type Judging = {
  /** Earlier counts, from whose comparison the limit is counted; null to count it from the baseline of these. */
  against: CountedDocument | null;
  /** By the median of the counts. Otherwise the lowest or the highest must be beyond the limit as well. */
  strict: boolean;
};

/** Whether a request of the comparison takes more instructions than it may. Unknown where the counts are of something else. */
export function judgeInstructions(
  document: CountedDocument,
  condition: Condition<InstructionMetric>,
  { against, strict }: Judging,
): Judgment {
  const { text, of } = condition;
  const unknown = (why: string): Judgment => ({ condition, outcome: 'unknown', sentence: `${text}: ${why}` });
  const { instructions: now, request } = document;
  if (now === null) return unknown('this result has no counts. Add --instructions.');
  if (against?.instructions === null) return unknown('the earlier result has no counts.');
  const differences = against === null ? [] : whatDiffers(against, document);
  if (differences.length > 0) {
    return unknown(`the earlier counts cannot be compared: ${differences.join(', ')}. Count a new baseline.`);
  }
  const before = against?.instructions?.perRequest.comparison ?? now.perRequest.baseline;
  const found = apart[of](now.perRequest.comparison, before);
  const failed = isBeyond(found, condition, strict);
  const than =
    against === null ? ` than over ${sideTitle('baseline', request)}` : ' compared with the earlier result';
  const count = printInstructions(now.perRequest.comparison.center);
  return {
    condition,
    outcome: failed ? 'failed' : 'passed',
    sentence: `${text}: a request over ${sideTitle('comparison', request)} takes ${count} instructions, ${printed[of](found.center)}${than}. ${failed ? 'Failed' : 'Passed'}.`,
  };
}

const apart: Record<Condition['of'], (to: Estimate, from: Estimate) => Estimate> = {
  change: quotientOf,
  difference: differenceOf,
};
const printed: Record<Condition['of'], (value: number) => string> = {
  change: (ratio) => printChange(ratio, 2),
  difference: (count) => `${printMoreInstructions(count)}`,
};

/** What must be the same for counts to be compared, in words where it is not. The key may differ: it may be what has changed. */
function whatDiffers(from: CountedDocument, to: CountedDocument): string[] {
  const [before, after] = [factsOf(from), factsOf(to)];
  return Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} was ${before[name]} and is ${after[name]}`],
  );
}

function factsOf({ environment, instructions, server, request }: CountedDocument): Record<string, string> {
  return {
    'the CPU': environment.cpuModel,
    Valgrind: instructions?.valgrind ?? 'unknown',
    'the server': `${server.title} ${server.version ?? 'of an unknown version'}`,
    'the TLS library': server.tlsLibrary ?? 'unknown',
    'the comparison': sideTitle('comparison', request),
    'the document': `${request.bytes} bytes`,
    'the connection policy': request.connectionPolicy,
  };
}
