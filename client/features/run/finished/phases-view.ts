import { printNumber, printQuantity, type Scale, scaleFor } from '../../../../shared/base/quantity.ts';
import { type BySide, bySide, sideNames } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { type PhaseName, type PhaseTimes, phaseNames } from '../../../../shared/kinds/comparison/slot.ts';

/** The phases of a transaction and of its steps as lengths that stand in a row. */
export type PhasesView = {
  bars: readonly PhaseBar[];
  /** Steps that the drawing leaves out, the quickest ones. */
  leftOut: number;
  scale: Scale;
};
/** In µs, in the order of `phaseNames`; null for a side without figures. */
type PhaseBar = { name: string; us: BySide<readonly number[] | null> };

const mostSteps = 12;

export function phasesView({ phases, steps }: Pick<ShownRun, 'phases' | 'steps'>): PhasesView | null {
  const whole = phases === null ? [] : [barOf('Transaction', phases)];
  const all = steps.map((step) => barOf(step.name, step));
  const longest = new Set(all.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, mostSteps));
  const bars = [...whole, ...all.filter((bar) => longest.has(bar))].filter((bar) => lengthOf(bar) > 0);
  if (bars.length === 0) return null;
  return {
    bars,
    leftOut: all.length - longest.size,
    scale: scaleFor('us', bars.map(lengthOf)),
  };
}

/** Without its full stop, of the transaction where it is known, else of the first step. */
export function phasesInWords({ bars: [first] }: PhasesView, labels: BySide<string>): string {
  if (first === undefined) return '';
  const { name, us } = first;
  const lengths = phaseNames.map((phase, index) => {
    const [a = 0, b = 0] = sideNames.map((side) => us[side]?.[index] ?? 0);
    return { phase, a, b };
  });
  const largest = lengths.reduce((most, one) => (one.a + one.b > most.a + most.b ? one : most));
  const widest = lengths.reduce((most, one) => (apart(one) > apart(most) ? one : most));
  const part = `The longest part of ${name === 'Transaction' ? 'a transaction' : `“${name}”`}`;
  if (us.baseline === null || us.comparison === null) return `${part} is ${nouns[largest.phase]}`;
  const both = ({ a, b }: { a: number; b: number }) => {
    const fine = scaleFor('us', [a, b], [Math.abs(b - a)]);
    const print = (value: number) => (value === 0 ? 'none' : printQuantity(value, fine));
    return `${print(a)} with ${labels.baseline}, ${print(b)} with ${labels.comparison}`;
  };
  if (widest === largest)
    return `${part}, and where the sides differ most, is ${nouns[largest.phase]}: ${both(largest)}`;
  return `${part} is ${nouns[largest.phase]}: ${both(largest)}. The sides differ most in ${nouns[widest.phase]}: ${both(widest)}`;
}

const nouns: Record<PhaseName, string> = {
  connectUs: 'connecting',
  tlsUs: 'the TLS handshake',
  ttfbUs: 'waiting for the first byte',
  downloadUs: 'the download',
};

/** Why a phase that the table has is missing from the bars; null when none is. */
export function rarePhases({ phases }: Pick<ShownRun, 'phases'>): string | null {
  const shares = sideNames.flatMap((side) => {
    const { connectUs, ttfbUs } = phases?.[side] ?? {};
    return connectUs && ttfbUs && isRare(connectUs, ttfbUs) ? [connectUs.count / ttfbUs.count] : [];
  });
  if (shares.length === 0) return null;
  const percent = Math.max(...shares) * 100;
  return `At most ${printNumber(percent, percent < 1 ? 1 : 0)} % of the transactions opened a connection, so the bars leave that out.`;
}

function barOf(name: string, sides: BySide<PhaseTimes | null>): PhaseBar {
  return { name, us: bySide((side) => lengthsOf(sides[side])) };
}

/** What the typical transaction spends: its median where the phase happens in most of them, else nothing. */
function lengthsOf(times: PhaseTimes | null): readonly number[] | null {
  if (times === null) return null;
  return phaseNames.map((phase) => {
    const [took, always] = [times[phase], times.ttfbUs];
    return took === null || (always !== null && isRare(took, always)) ? 0 : took.p50;
  });
}

function isRare(phase: { count: number }, always: { count: number }): boolean {
  return phase.count * 2 <= always.count;
}

function lengthOf({ us }: PhaseBar): number {
  return Math.max(...sideNames.map((side) => (us[side] ?? []).reduce((sum, value) => sum + value, 0)));
}

function apart({ a, b }: { a: number; b: number }): number {
  return Math.abs(b - a);
}
