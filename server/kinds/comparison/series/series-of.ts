import type { Environment } from '../../../../shared/base/environment.ts';
import { quotientOf } from '../../../../shared/base/independent-estimates.ts';
import type { Estimate, VerdictOutcome } from '../../../../shared/kinds/comparison/comparison.ts';
import type { SeriesLevel, SeriesRun } from '../../../../shared/kinds/comparison/series.ts';
import type { MeasuredServer } from '../../../../shared/target/target.ts';
import { findSegments, type Segment } from '../../../method/statistics/change-points.ts';
import { errorAmongRuns } from '../../../method/statistics/widenings.ts';

/** A finished run as it was stored, of which a metric is known. */
export type StoredRun = {
  id: string;
  createdAt: number;
  ratio: Estimate;
  outcome: VerdictOutcome;
  /** Of the logarithm of the ratio, without what moves between runs; null where it was not noted. */
  withinError: number | null;
  /** What widened its interval to either side. */
  widened: number;
  /** As negotiated, such as `TLS 1.3, AES-256-GCM`; null where there is none. */
  tls: string | null;
  server: Pick<MeasuredServer, 'title' | 'version' | 'tlsLibrary'> | null;
  environment: Pick<Environment, 'cpuModel' | 'kernel' | 'node' | 'openssl' | 'product'> | null;
};

/**
 * Runs of which no error is known are shown, and are in no level: a printed interval does not say what it is made of.
 * @param stored of one series, oldest first
 */
export function seriesOf(stored: readonly StoredRun[]): { runs: SeriesRun[]; levels: SeriesLevel[] } {
  const known = stored.flatMap(({ ratio, withinError, widened }, place) =>
    withinError === null
      ? []
      : [
          {
            place,
            value: Math.log(ratio.center),
            standardError: errorAmongRuns({ withinError, widened }),
          },
        ],
  );
  const { segments, spread } = findSegments(known);
  const levels = segments.map((segment) => ({
    from: known[segment.from]?.place ?? 0,
    to: (known[segment.to - 1]?.place ?? 0) + 1,
    ratio: ratioOf(segment),
    noise: { lo: Math.exp(segment.mean - z * spread), hi: Math.exp(segment.mean + z * spread) },
  }));
  return {
    runs: stored.map(({ id, createdAt, ratio, outcome, ...run }, index) => ({
      ...{ id, url: `/r/${id}`, createdAt, ratio, outcome },
      versions: versionsBetween(stored[index - 1], run),
    })),
    levels: levels.map((level, index) => {
      const before = levels[index - 1];
      return { ...level, step: before === undefined ? null : quotientOf(level.ratio, before.ratio) };
    }),
  };
}

/** Of the normal distribution, for 95 %. */
const z = 1.959964;

function ratioOf({ mean, standardError }: Segment): Estimate {
  const reach = z * standardError;
  return { center: Math.exp(mean), lo: Math.exp(mean - reach), hi: Math.exp(mean + reach) };
}

type Versions = Pick<StoredRun, 'server' | 'tls' | 'environment'>;

function versionsBetween(before: Versions | undefined, run: Versions): string[] {
  if (before === undefined) return [];
  const [earlier, later] = [namedVersions(before), namedVersions(run)];
  return [...later].flatMap(([name, version]) => {
    const old = earlier.get(name);
    return old === undefined || old === version ? [] : [`${name} ${old} → ${version}`.trim()];
  });
}

/** TLS libraries and CPUs have their names in what they say of themselves. */
function namedVersions({ server, tls, environment }: Versions): Map<string, string> {
  return new Map([
    ...(server === null ? [] : ([[server.title, server.version]] as const)),
    ...(server?.tlsLibrary == null ? [] : ([['TLS library', server.tlsLibrary]] as const)),
    ...(tls === null ? [] : ([['negotiated', tls]] as const)),
    ...(environment === null
      ? []
      : ([
          ['OpenSSL', environment.openssl],
          ['Node', environment.node],
          ['TLS Toll', environment.product],
          ['kernel', environment.kernel],
          ['CPU', environment.cpuModel],
        ] as const)),
  ]);
}
