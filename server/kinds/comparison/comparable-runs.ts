import { printDayOfYear } from '../../../shared/base/moment.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { printCipher, printTlsVersion } from '../../../shared/base/tls.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import type { AtLoad } from '../../../shared/kinds/comparison/at-load.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import type { RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import { printUsers } from '../../../shared/words/side-words.ts';
import { findSegments } from '../../method/statistics/drift.ts';
import type { RunEstimate } from '../../method/statistics/pool-runs.ts';
import { errorAmongRuns } from '../../method/statistics/precision.ts';

/** Set-up of a run, without its results. */
export type MadeWith = Omit<RunOfQuestion, 'id' | 'createdAt' | 'metrics' | 'atLoad'>;

type Comparable = {
  /** Oldest first, the run itself not among them. */
  runs: RunOfQuestion[];
  leftOut: { id: string; reason: string }[];
};

/**
 * Earlier runs of its question that are comparable with a run: of the same machine, kernel and versions, at the same
 * load, and since the last step of their series. One set for all metrics, chosen by the first primary metric that the run has.
 * @param earlier oldest first
 */
export function comparableRuns(own: RunOfQuestion, earlier: readonly RunOfQuestion[]): Comparable {
  const metric = primaryMetrics.find((id) => own.metrics[id] !== undefined);
  if (metric === undefined) return { runs: [], leftOut: [] };
  const reasons = new Map<string, string>();
  const alike = earlier.filter((run) => {
    const reason =
      differenceOf(run, own) ??
      differenceOfLoad(run, own) ??
      (run.metrics[metric] === undefined ? 'it says nothing of this metric' : null);
    if (reason !== null) reasons.set(run.id, reason);
    return reason === null;
  });
  const series = [...alike, own];
  const from = lastStepOf(series.flatMap((run) => estimateOf(run, metric) ?? []));
  for (const run of series.slice(0, from)) {
    reasons.set(run.id, `before the step of ${printDayOfYear(series[from]?.createdAt ?? 0)}`);
  }
  return {
    runs: alike.slice(from),
    leftOut: earlier.flatMap(({ id }) => {
      const reason = reasons.get(id);
      return reason === undefined ? [] : [{ id, reason }];
    }),
  };
}

export function estimateOf({ metrics }: RunOfQuestion, metric: MetricId): RunEstimate | null {
  const found = metrics[metric];
  if (found === undefined) return null;
  const { center, error, widened } = found;
  return { center, error: errorAmongRuns({ withinError: error, widened }) };
}

/** A machine's clock rate changes the difference between the sides, but not their ratio. */
const baselineShare = 0.25;

/** The difference of a run in the metric's unit; null if it is unknown, or about another baseline. */
export function differenceAbout(
  own: RunOfQuestion,
  { metrics }: RunOfQuestion,
  metric: MetricId,
): RunEstimate | null {
  const [ours, theirs] = [own.metrics[metric], metrics[metric]];
  if (ours === undefined || theirs?.difference === undefined) return null;
  return Math.abs(theirs.baseline / ours.baseline - 1) <= baselineShare ? theirs.difference : null;
}

/** In which way a run was made otherwise; null where it was made alike. A machine that is not known is another one. */
export function differenceOf(run: MadeWith, own: MadeWith): string | null {
  if (run.machine === null || run.machine !== own.machine) return 'another machine';
  if (run.cpuModel !== own.cpuModel) return 'another CPU';
  if (run.cores !== own.cores) return `${coresOf(run)} instead of ${own.cores}`;
  if (run.kernel !== own.kernel) return 'another kernel';
  if (!isBesideSame(run.beside, own.beside))
    return `${besideInWords(run.beside)} instead of ${besideInWords(own.beside)}`;
  if (run.departed !== own.departed) return run.departed ?? 'its connections were as planned';
  const [first] = sideNames.flatMap((side) => differenceOfSide(run.sides[side], own.sides[side]) ?? []);
  return first ?? null;
}

/** Runs are of one level, and pooled, only where the same programs work. */
export function isBesideSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}

/** `node, postgres`. */
export function besideInWords(names: readonly string[]): string {
  return names.length === 0 ? 'no other program' : names.join(', ');
}

function coresOf({ cores }: MadeWith): string {
  return cores === 1 ? '1 core' : `${printNumber(cores, 0)} cores`;
}

type MadeSide = MadeWith['sides']['baseline'];

function differenceOfSide(run: MadeSide, own: MadeSide): string | null {
  return differenceOfServer(run.server, own.server) ?? differenceOfTls(run.negotiated, own.negotiated);
}

function differenceOfServer(run: MadeSide['server'], own: MadeSide['server']): string | null {
  if (run === null || own === null) return run === own ? null : 'another server';
  if (run.title !== own.title) return `${run.title} instead of ${own.title}`;
  if (run.version !== own.version) return `${run.title} ${run.version} instead of ${own.version}`;
  if (run.tlsLibrary === own.tlsLibrary) return null;
  return run.tlsLibrary === null || own.tlsLibrary === null
    ? 'another TLS library'
    : `${run.tlsLibrary} instead of ${own.tlsLibrary}`;
}

/** A group that is not known may have been the same. */
function differenceOfTls(run: MadeSide['negotiated'], own: MadeSide['negotiated']): string | null {
  if (run === null || own === null) {
    if (run === own) return null;
    return `${versionOf(run, 'no TLS')} instead of ${versionOf(own, 'none')}`;
  }
  const [version, ownVersion] = [printTlsVersion(run.protocol), printTlsVersion(own.protocol)];
  if (version !== ownVersion) return `${version} instead of ${ownVersion}`;
  if (run.cipher !== own.cipher) return `${printCipher(run.cipher)} instead of ${printCipher(own.cipher)}`;
  if (run.group === null || own.group === null || run.group === own.group) return null;
  return `${run.group} instead of ${own.group}`;
}

function versionOf(negotiated: MadeSide['negotiated'], none: string): string {
  return negotiated === null ? none : printTlsVersion(negotiated.protocol);
}

/** An unknown load counts as different. */
function differenceOfLoad({ atLoad: theirs }: RunOfQuestion, { atLoad: ours }: RunOfQuestion): string | null {
  if (theirs === null || ours === null) return 'at an unknown load';
  if (isSameLoad(theirs, ours)) return null;
  return `${loadOf(theirs)} instead of ${loadOf(ours)}`;
}

/** The fields that distinguish loads. */
export type LoadOfRun = Pick<AtLoad, 'users' | 'ratePerS'>;

/** Runs at different loads are never pooled. An unknown load equals no other. */
export function isSameLoad(one: LoadOfRun | null, other: LoadOfRun | null): boolean {
  return one !== null && other !== null && one.users === other.users && one.ratePerS === other.ratePerS;
}

export function loadOf({ users, ratePerS }: LoadOfRun): string {
  const who = printUsers(users);
  return ratePerS === null ? who : `${printNumber(ratePerS, 0)} transactions/s of ${who}`;
}

/** Place of the first run after the last step; 0 without a step. */
function lastStepOf(estimates: readonly RunEstimate[]): number {
  const { segments } = findSegments(
    estimates.map(({ center, error }) => ({ value: center, standardError: error })),
  );
  return segments.at(-1)?.from ?? 0;
}
