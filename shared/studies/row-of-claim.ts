import { type Claim, ruleInWords } from './claim.ts';
import type { Figure, Read } from './figures/figure.ts';
import { judgeClaim } from './judge-claim.ts';
import type { PlannedMeasurement, StudyRow } from './study-report.ts';

type Planned = Pick<PlannedMeasurement, 'name' | 'measured' | 'going' | 'why' | 'full' | 'lacking'>;

/**
 * A claim with today's figure.
 * @param measurements those of the plan
 * @param read a figure of one that was measured
 */
export function rowOfClaim(
  claim: Claim,
  measurements: readonly Planned[],
  read: (name: Planned['name'], figure: Figure) => Read,
): StudyRow {
  const { id, study, said, printed, unit, table = null, note = null } = claim;
  const frame = { id, study, said, printed, unit, table, note };
  const nothing = { rule: null, now: null, by: null, url: null, why: null };
  if (claim.by === null) return { ...frame, ...nothing, word: claim.word };
  const rule = claim.rule === null ? null : ruleInWords(claim.rule, unit);
  const asked = claim.by.flatMap((name) => measurements.filter((each) => each.name === name));
  const answers = asked.find(({ measured }) => measured !== null);
  const [first] = [...asked.filter(({ full, lacking }) => !full && !lacking), ...asked];
  if (answers?.measured == null)
    return { ...frame, ...nothing, rule, word: 'not measured', by: first?.name ?? null, why: whyNot(first) };
  const { name, measured } = answers;
  const found = read(name, claim.figure);
  const row = { ...frame, rule, by: name, url: measured.url };
  if ('missing' in found) return { ...row, now: null, word: 'not measured', why: found.missing };
  const [reading] = found;
  if (reading === undefined) return { ...row, now: null, word: 'not measured', why: null };
  const { word, value, today } = judgeClaim(claim, reading);
  return { ...row, now: { value, today }, word, why: reading.doubt ?? null };
}

/** What ended the last attempt; else what is to be measured. */
function whyNot(first: Planned | undefined): string | null {
  if (first === undefined) return null;
  if (first.going !== null) return 'Being measured.';
  return first.why;
}
