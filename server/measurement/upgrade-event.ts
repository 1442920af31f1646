import { isRecord } from '../text/is-record.ts';

/** An event as it was stored by any version, as today's. */
export function upgradeEvent(body: string): string {
  const event: unknown = JSON.parse(body);
  if (!isRecord(event)) return body;
  if (event.type === 'progress' && !('counts' in event)) return JSON.stringify(withCounts(event));
  if (!isRecord(event.medians)) return body;
  return JSON.stringify({
    ...withoutLaunches,
    ...event,
    medians: namedCosts(namedSides(event.medians)),
    ratios: namedCosts(event.ratios),
    intervals: namedCosts(event.intervals ?? {}),
  });
}

/** Of a block that was measured before there were launches. */
const withoutLaunches = {
  launch: 0,
  epoch: 0,
  windows: { measured: 0, aside: 0 },
  intervals: {},
  fromPrior: [],
};

/** Blocks, or rounds and cells, had fields of their own. */
function withCounts(event: Record<string, unknown>): object {
  const { type, phase, fraction, secondsLeft } = event;
  const counts = ['round', 'cell', 'block'].flatMap((of) => {
    const [done, planned] = [event[`${of}sDone`], event[`${of}sPlanned`]];
    return done === undefined ? [] : [{ of, done, planned }];
  });
  return { type, phase, fraction, counts, secondsLeft };
}

/** What costs were called before they were read at load. */
const costNames: Record<string, string> = {
  cpu_per_transaction: 'cpu_lone',
  cpu_per_transaction_at_maximum: 'cpu_at_load',
};

function namedCosts(byMetric: unknown): unknown {
  if (!isRecord(byMetric)) return byMetric;
  return Object.fromEntries(Object.entries(byMetric).map(([id, value]) => [costNames[id] ?? id, value]));
}

/** They were called http and https, whatever they spoke. */
function namedSides(medians: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(medians).map(([metric, pair]) => {
      if (!isRecord(pair) || !('http' in pair)) return [metric, pair];
      return [metric, { baseline: pair.http, comparison: pair.https }];
    }),
  );
}
