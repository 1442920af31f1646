import type { Estimate } from './comparison.ts';
import { quotientOf } from './independent-estimates.ts';
import type { HandshakesDocument } from './lab.ts';
import { problem } from './problem.ts';
import { printNumber } from './quantity.ts';
import type { ChangeOutcome, LabChange, LabChanges, SetupDifference } from './result-changes.ts';
import type { SpeedDocument } from './speed.ts';

/** What changed between two measurements of the lab: cells and rows have the same ID in every document. */

export type ComparableLab = { document: HandshakesDocument | SpeedDocument; title: string };

/** Smaller changes count as none, as in a run. */
const tolerance = 0.05;

/** Throws results_not_comparable when they have no figure in common. */
export function compareLabs(from: ComparableLab, to: ComparableLab): LabChanges {
  const [before, after] = [figuresOf(from), figuresOf(to)];
  const ids = new Set([...before.keys(), ...after.keys()]);
  const rows = [...ids].map((id) => changeOf(id, before.get(id) ?? null, after.get(id) ?? null));
  const known = rows.filter(({ ratio }) => ratio !== null);
  if (known.length === 0) {
    throw problem('results_not_comparable', 'They have no figure with an interval in common.');
  }
  return {
    kind: to.document.kind,
    from: describe(from),
    to: describe(to),
    sentence: sentenceOf(known),
    setup: setupDifferences(from, to),
    cautions: known.length < 10 ? [] : [chanceOf(known.length)],
    rows,
  };
}

function describe({ document: { id, createdAt }, title }: ComparableLab): LabChanges['from'] {
  return { id, url: `/l/${id}`, title, createdAt };
}

/** Of handshakes CPU as a share of the baseline cell's, of primitives operations per second of CPU. */
function figuresOf({ document }: ComparableLab): Map<string, Estimate> {
  if (document.kind === 'primitives') {
    return new Map(document.rows.map(({ id, operationsPerS }) => [id, operationsPerS]));
  }
  return new Map(
    document.cells.flatMap((result) =>
      result.status === 'measured' && result.ratio !== null ? [[result.cell.id, result.ratio] as const] : [],
    ),
  );
}

function changeOf(id: string, from: Estimate | null, to: Estimate | null): LabChange {
  const isKnown = from !== null && to !== null && from.lo > 0 && to.lo > 0;
  const ratio = isKnown ? quotientOf(to, from) : null;
  return { id, from, to, ratio, outcome: outcomeOf(ratio) };
}

function outcomeOf(ratio: Estimate | null): ChangeOutcome {
  if (ratio === null) return 'unknown';
  if (ratio.lo > 1 || ratio.hi < 1) return 'changed';
  return ratio.lo > 1 - tolerance && ratio.hi < 1 + tolerance ? 'no_change' : 'inconclusive';
}

/** `3 of 40 figures changed, 1 up and 2 down`. */
function sentenceOf(known: readonly LabChange[]): string {
  const changed = known.filter(({ outcome }) => outcome === 'changed');
  const all = `${printNumber(known.length, 0)} ${known.length === 1 ? 'figure' : 'figures'}`;
  if (changed.length === 0) return `None of ${all} changed`;
  const up = changed.filter(({ ratio }) => ratio !== null && ratio.center > 1).length;
  return `${changed.length} of ${all} changed, ${up} up and ${changed.length - up} down`;
}

function chanceOf(known: number): string {
  const expected = printNumber(known * 0.05, 0);
  return `With ${printNumber(known, 0)} intervals of 95 %, expect about ${expected} to exclude no change by chance alone.`;
}

function setupDifferences(from: ComparableLab, to: ComparableLab): SetupDifference[] {
  const others = new Map(setupOf(to));
  return setupOf(from).flatMap(([name, value]) => {
    const other = others.get(name);
    return other === undefined || other === value ? [] : [{ name, from: value, to: other }];
  });
}

function setupOf({ document }: ComparableLab): [name: string, value: string][] {
  const { cpuModel, cpuFlags, cores, platform, kernel, governor, node, openssl, product } =
    document.environment;
  return [
    ['Rounds', printNumber(document.plan.rounds, 0)],
    ...ownSetup(document),
    ['CPU', cpuModel],
    ['Cores', printNumber(cores, 0)],
    ['CPU instructions', cpuFlags.join(' ') || 'not known'],
    ['CPU governor', governor ?? 'not known'],
    ['Operating system', `${platform}, kernel ${kernel}`],
    ['Node', node],
    ['OpenSSL of TLS Toll', openssl],
    ['TLS Toll', product],
  ];
}

function ownSetup(document: ComparableLab['document']): [name: string, value: string][] {
  if (document.kind === 'primitives') return [['openssl speed', document.opensslProgram ?? 'none']];
  const { baseline } = document;
  return [['Baseline cell', baseline === null ? 'none' : baseline.cell.id]];
}
