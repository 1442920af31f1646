import type { Environment } from '../../../shared/base/environment.ts';
import { mapEstimate, quotientOf } from '../../../shared/base/estimate-arithmetic.ts';
import { type BySide, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import type { SeriesLevel, SeriesRun } from '../../../shared/kinds/comparison/past.ts';
import { findSegments, type Segment } from '../../method/statistics/drift.ts';
import { errorAmongRuns } from '../../method/statistics/precision.ts';
import type { NamedServer } from './asked-question.ts';
import { besideInWords, isBesideSame, isSameLoad, type LoadOfRun, loadOf } from './comparable-runs.ts';

/** A finished run as it was stored, of which a metric is known. */
export type StoredRun = {
  id: string;
  createdAt: number;
  ratio: Estimate;
  /** The first side, in the metric's unit; null if unknown. */
  first: number | null;
  outcome: VerdictOutcome;
  /** Standard error of the ratio's logarithm, without variation between runs; null if it was not noted. */
  withinError: number | null;
  /** Widening of its interval to each side. */
  widened: number;
  /** Null if unknown. */
  load: LoadOfRun | null;
  /** Names of the programs that worked besides the target. */
  beside: readonly string[];
  /** How connections departed from the plan; null where they did not. */
  departed: string | null;
  /** Negotiated TLS, such as `TLS 1.3, AES-256-GCM`; null if there is none. */
  tls: string | null;
  servers: BySide<NamedServer | null>;
  environment: Pick<Environment, 'cpuModel' | 'kernel' | 'node' | 'openssl' | 'product'> | null;
};

/**
 * Runs without a known error are shown but belong to no level, because a printed interval does not show its parts. A run at another
 * load, with other programs, or with other connections, than the one before it begins a new level, however close their figures are.
 * @param stored of one series, oldest first
 * @param page first part of their addresses
 */
export function seriesOf(
  stored: readonly StoredRun[],
  page: 'r' | 'l' = 'r',
): { runs: SeriesRun[]; levels: SeriesLevel[] } {
  const known = pointsOf(stored);
  const starts = startsOf(known);
  const { segments, spread } = findSegments(known, starts);
  const levels = segments.map((segment) => ({
    from: known[segment.from]?.place ?? 0,
    to: (known[segment.to - 1]?.place ?? 0) + 1,
    ratio: ratioOf(segment),
    noise: { lo: Math.exp(segment.mean - z * spread), hi: Math.exp(segment.mean + z * spread) },
  }));
  return {
    runs: stored.map(({ id, createdAt, ratio, first, outcome, ...run }, index) => ({
      ...{ id, url: `/${page}/${id}`, createdAt, ratio, first, outcome },
      versions: versionsBetween(stored[index - 1], run),
    })),
    levels: levels.map((level, index) => {
      const before = levels[index - 1];
      const isComparable = before !== undefined && !starts.has(segments[index]?.from ?? 0);
      return { ...level, step: isComparable ? quotientOf(level.ratio, before.ratio) : null };
    }),
  };
}

/** Places of the runs at which the level of a series changed while load and programs stayed the same. */
export function stepsOf(runs: readonly Known[]): ReadonlySet<number> {
  const known = pointsOf(runs);
  const starts = startsOf(known);
  return new Set(
    findSegments(known, starts)
      .segments.slice(1)
      .filter(({ from }) => !starts.has(from))
      .map(({ from }) => known[from]?.place ?? 0),
  );
}

type Known = Pick<StoredRun, 'ratio' | 'withinError' | 'widened' | 'load' | 'beside' | 'departed'>;

/** Places in a series where the load, the programs, or the connections change. */
function startsOf(runs: readonly Pick<Known, 'load' | 'beside' | 'departed'>[]): ReadonlySet<number> {
  const places = runs.keys().filter((place) => {
    const [before, run] = [runs[place - 1], runs[place]];
    if (before === undefined || run === undefined) return false;
    return (
      !isSameLoad(before.load, run.load) ||
      !isBesideSame(before.beside, run.beside) ||
      before.departed !== run.departed
    );
  });
  return new Set(places);
}

/** Runs of which no error is known are in no level. */
function pointsOf(runs: readonly Known[]) {
  return runs.flatMap(({ ratio, withinError, widened, load, beside, departed }, place) =>
    withinError === null
      ? []
      : [
          {
            place,
            load,
            beside,
            departed,
            value: Math.log(ratio.center),
            standardError: errorAmongRuns({ withinError, widened }),
          },
        ],
  );
}

/** Half-width of the 95 % interval of a normal distribution, in standard errors. */
const z = 1.959964;

function ratioOf({ mean, standardError }: Segment): Estimate {
  const reach = z * standardError;
  return mapEstimate({ center: mean, lo: mean - reach, hi: mean + reach }, Math.exp);
}

type Versions = Pick<StoredRun, 'servers' | 'tls' | 'environment' | 'load' | 'beside' | 'departed'>;

function versionsBetween(before: Versions | undefined, run: Versions): string[] {
  if (before === undefined) return [];
  const [earlier, later] = [namedVersions(before), namedVersions(run)];
  return [...later].flatMap(([name, version]) => {
    const old = earlier.get(name);
    return old === undefined || old === version ? [] : [`${name} ${old} → ${version}`.trim()];
  });
}

/** TLS libraries and CPUs have their names in what they say of themselves. */
function namedVersions({ servers, tls, environment, load, beside, departed }: Versions): Map<string, string> {
  const ofServers = namedServers(servers);
  const ours =
    environment === null
      ? []
      : ([
          ['OpenSSL', environment.openssl],
          // A server may be Node as well, of another version.
          ...(ofServers.some(([name]) => name === 'Node') ? [] : [['Node', environment.node] as const]),
          ['TLS Toll', environment.product],
          ['kernel', environment.kernel],
          ['CPU', environment.cpuModel],
        ] as const);
  return new Map([
    ...ofServers,
    ...(load === null ? [] : [['load', loadOf(load)] as const]),
    ['programs behind it', besideInWords(beside)] as const,
    ['connections', departed ?? 'as planned'] as const,
    ...(tls === null ? [] : [['negotiated', tls] as const]),
    ...ours,
  ]);
}

/** Servers of each side. Sides with the same server are listed once. */
function namedServers(servers: Versions['servers']): (readonly [name: string, version: string])[] {
  const { baseline, comparison } = servers;
  const isOne = JSON.stringify(baseline) === JSON.stringify(comparison);
  return sideNames.flatMap((side) => {
    const server = servers[side];
    if (server === null || (isOne && side === 'comparison')) return [];
    const { title, version, tlsLibrary } = server;
    const which = baseline?.title === comparison?.title && !isOne ? ` of the ${side}` : '';
    const library = isOne ? 'TLS library' : `TLS library of ${which === '' ? title : `the ${side}`}`;
    return [
      [`${title}${which}`, version] as const,
      ...(tlsLibrary === null ? [] : [[library, tlsLibrary] as const]),
    ];
  });
}
