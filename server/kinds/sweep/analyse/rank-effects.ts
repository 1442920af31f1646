import { printNumber } from '../../../../shared/quantity.ts';
import type { FactorName } from '../../../../shared/sweep.ts';
import type { Effect, SweepMetric } from '../../../../shared/sweep-result.ts';

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
 * be where none is certain.
 */
export function rankEffects(effects: readonly Effect[], metric: SweepMetric): string[] {
  const own = effects.filter((effect) => effect.metric === metric && effect.view === 'https');
  const factors = [...Map.groupBy(own, ({ factor }) => factor)].map(([factor, of]) => {
    const certain = of.filter((effect) => effect.certain).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
    return { factor, certain, most: Math.max(...of.map(reachOf)) };
  });
  const size = ({ certain }: (typeof factors)[number]) => (certain === undefined ? 0 : sizeOf(certain));
  return factors
    .toSorted((a, b) => size(b) - size(a))
    .map(({ factor, certain, most }) =>
      certain === undefined
        ? `${capitalized(names[factor])}: ${printMost(Math.exp(most))}.`
        : `${capitalized(names[factor])}: ${printTimes(certain)}.`,
    );
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

/** Said of the larger side: "6.1× (5.9 to 6.3) with true against false". */
function printTimes({ factorOf: { center, lo, hi }, from, to }: Effect): string {
  const up = center >= 1;
  const [times, least, most] = up ? [center, lo, hi] : [1 / center, 1 / hi, 1 / lo];
  const print = (value: number) => printNumber(value, value < 10 ? 2 : 0);
  const [more, less] = up ? [to, from] : [from, to];
  return `${print(times)}× (${print(least)} to ${print(most)}) with ${level(more)} against ${level(less)}`;
}

function level(name: string): string {
  if (name === 'true') return 'on';
  if (name === 'false') return 'off';
  return name === 'null' ? 'the library’s choice' : name;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
