import { printNumber } from '../../base/quantity.ts';
import { about, type Claim } from '../claim.ts';
import type { StudyName } from '../study.ts';
import { type OldSpeedFigure, oldSpeedFigures } from '../then-and-now/speed-then-and-now.ts';

/** Every figure of the old speed tables as a claim: it holds where today's is within a tenth of it. */
export function speedClaims(study: StudyName, year: OldSpeedFigure['year']): Claim[] {
  return oldSpeedFigures.filter((each) => each.year === year).map((each) => claimOf(study, each));
}

function claimOf(study: StudyName, { year, algorithm, bytes, thenPerS, asks }: OldSpeedFigure): Claim {
  const sized = bytes !== null;
  const figure = sized ? thenPerS / 1e6 : thenPerS;
  const unit = sized ? 'MB/s' : 'per second';
  const frame = {
    id: [`speed-${year}`, algorithm.replaceAll(/\W+/g, '-'), ...(sized ? [bytes] : [])]
      .join('-')
      .toLowerCase(),
    study,
    table: sized ? 'Digests and ciphers, by bytes of a block' : 'Signatures of one core',
    said: sized ? `${algorithm}, ${printNumber(bytes, 0)} B` : algorithm,
    printed: `${printNumber(figure, figure < 100 ? 2 : 0)} ${unit}`,
    unit,
  } as const;
  if (asks === null) {
    return { ...frame, by: null, word: 'not comparable', note: 'No TLS library has the algorithm any more.' };
  }
  return { ...frame, by: ['speed'], figure: { kind: 'speed', row: asks }, rule: about(figure) };
}
