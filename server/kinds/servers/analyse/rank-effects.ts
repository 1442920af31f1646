import { capitalized } from '../../../../shared/base/capitalized.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { FactorName } from '../../../../shared/kinds/servers/servers.ts';
import type { Effect } from '../../../../shared/kinds/servers/servers-result.ts';

const names: Record<FactorName, string> = {
  server: 'server',
  protocol: 'protocol',
  cipher: 'cipher',
  key: 'key',
  keepAlive: 'keep-alive',
  resumption: 'resumption',
  clientCertificates: 'client certificates',
  kTls: 'kernel TLS',
  concurrency: 'concurrency',
  document: 'document size',
};

/**
 * What matters most over HTTPS, a sentence a factor, the largest first: its widest certain effect, or the most that it may
 * be where none is certain. By server CPU per request at load, which no load generator limits; by requests per second where it
 * could not be read.
 */
export function rankEffects(effects: readonly Effect[]): string[] {
  const overHttps = effects.filter(({ view }) => view === 'https');
  const metric = overHttps.some((effect) => effect.metric === 'cpu') ? 'cpu' : 'throughput';
  const own = overHttps.filter((effect) => effect.metric === metric);
  const factors = [...Map.groupBy(own, ({ factor }) => factor)].map(([factor, of]) => {
    const certain = of.filter((effect) => effect.certain).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
    return { factor, certain, most: Math.max(...of.map(reachOf)) };
  });
  const size = ({ certain }: (typeof factors)[number]) => (certain === undefined ? 0 : sizeOf(certain));
  return factors
    .toSorted((a, b) => size(b) - size(a))
    .map(({ factor, certain, most }, place) => {
      const name = capitalized(names[factor]);
      if (certain === undefined) return `${name}: ${printMost(Math.exp(most))}.`;
      const leads = place === 0 && factors.length > 1 ? ' matters most' : '';
      return `${name}${leads}: ${printTimes(certain, metric)}.`;
    });
}

/** On a log scale, whichever way it goes. */
function sizeOf({ factorOf }: Effect): number {
  return Math.abs(Math.log(factorOf.center));
}

/** The far end of the interval. */
function reachOf({ factorOf: { lo, hi } }: Effect): number {
  return Math.max(Math.abs(Math.log(lo)), Math.abs(Math.log(hi)));
}

/** More than twice as much is not said to be none. */
function printMost(most: number): string {
  return most < 2
    ? `no difference above ${printNumber(100 * (most - 1), 1)} %`
    : `not known yet, up to ${printNumber(most, 1)}×`;
}

const quantities = { cpu: 'server CPU at load', throughput: 'requests per second' };

/** Said of the larger side: "RSA-4096 has 6.1 times the server CPU at load of P-256 (95 % CI 5.9 to 6.3)". */
function printTimes(
  { factorOf: { center, lo, hi }, from, to }: Effect,
  metric: keyof typeof quantities,
): string {
  const up = center >= 1;
  const [times, min, max] = up ? [center, lo, hi] : [1 / center, 1 / hi, 1 / lo];
  const print = (value: number) => printNumber(value, value < 10 ? 2 : 0);
  const [more, less] = up ? [to, from] : [from, to];
  return `${level(more)} has ${print(times)} times the ${quantities[metric]} of ${level(less)} (95 % CI ${print(min)} to ${print(max)})`;
}

function level(name: string): string {
  if (name === 'true') return 'on';
  if (name === 'false') return 'off';
  return name === 'null' ? 'the library’s choice' : name;
}
