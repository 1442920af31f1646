import { isCounting, type PlacedOption, valueIn } from '../base/option.ts';
import { isSame } from '../base/option-flag.ts';
import { sideNameOf } from '../base/option-text.ts';
import { comparisonOptions } from '../kinds/comparison/options.ts';
import type { RunRequest } from '../kinds/comparison/run-request.ts';
import { resolveSides } from '../kinds/comparison/side.ts';

/** Of the plan, those that make another question. */
const ofQuestion = [
  'users',
  'connectionPolicy',
  'requestsPerConnection',
  'thinkTimeScale',
  'pairUsers',
  'link',
];

/**
 * What both sides have in common and is not as usual, each to stand in a list: `one transaction, as a visit does`, `RSA-2048`. Two
 * questions with the same sides differ by it.
 */
export function commonSettings(request: RunRequest): string[] {
  const { baseline, comparison } = resolveSides(request);
  return comparisonOptions.flatMap((placed) => {
    const { id, part, option } = placed;
    if (part === null && !ofQuestion.includes(id)) return [];
    if (part === 'target' && request.target.kind !== 'managed') return [];
    const value = part === null ? valueIn(request, placed) : shared(placed, baseline, comparison);
    if (value === undefined || value === null || isSame(value, option.default)) return [];
    if (!isOn(placed, request, comparison)) return [];
    return [sideNameOf(option, value)];
  });
}

/** Undefined where the sides differ by it. */
function shared(placed: PlacedOption, baseline: object, comparison: object): unknown {
  const [one, other] = [valueIn(baseline, placed), valueIn(comparison, placed)];
  return isSame(one, other) ? other : undefined;
}

function isOn(placed: PlacedOption, request: RunRequest, side: object): boolean {
  const beside = { ...placed, name: placed.option.when?.option ?? '' };
  return isCounting(placed.option, valueIn(placed.part === null ? request : side, beside));
}
