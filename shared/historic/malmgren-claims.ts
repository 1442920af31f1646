import { printNumber } from '../base/quantity.ts';
import type { Estimate } from '../kinds/comparison/comparison.ts';
import type { Effect, LevelGroup, ServersDocument } from '../kinds/servers/servers-result.ts';
import type { ServerName } from '../target/server-names.ts';
import { serverTitles } from '../words/target-words.ts';
import { type Claim, judgeAbove, judgeWithin } from './claim.ts';

/** Below this, a factor is said to hardly matter. */
const tolerance = 1.05;
/** Apache of 2011 stopped at 256 clients. */
const manyConnections = 256;

/**
 * What Malmgren found in 2011, judged over HTTPS by the requests that a second of server CPU serves: requests per second may be
 * the load generator's. Only what the plan of the sweep can tell.
 */
export function malmgrenClaims({
  effects,
  levels,
  cells,
}: Pick<ServersDocument, 'effects' | 'levels' | 'cells'>): Claim[] {
  const own = effects
    .filter(({ metric, view }) => metric === 'cpu' && view === 'https')
    .map((effect) => ({ ...effect, factorOf: inverseOf(effect.factorOf) }));
  const opensConnections = cells.some(({ cell }) => !cell.settings.keepAlive);
  return [
    ...keepAliveGainsMost(own),
    ...(opensConnections ? keyLengthMatters(own) : []),
    ...cipherHardlyMatters(own),
    ...serversDiffer(levels),
  ];
}

function keepAliveGainsMost(effects: readonly Effect[]): Claim[] {
  const keepAlive = effects.find(({ factor }) => factor === 'keepAlive');
  const others = (['key', 'cipher'] as const).flatMap((factor) => {
    const of = effects.filter((effect) => effect.factor === factor).map(timesOf);
    return of.length === 0 ? [] : [{ factor, ...widestOf(of) }];
  });
  if (keepAlive === undefined || others.length === 0) return [];
  // How many times as much with it than without.
  const gain = keepAlive.from === 'true' ? inverseOf(keepAlive.factorOf) : keepAlive.factorOf;
  const verdict = others.every(({ hi }) => gain.lo > hi)
    ? 'holds'
    : others.some(({ lo }) => gain.hi < lo) || gain.hi < 1
      ? 'does not hold'
      : 'not decided';
  const against = others.map((other) => `${printTimes(other)} for the ${other.factor}`).join(' and ');
  return [
    {
      ...{ claim: 'Keep-alive gains most', verdict },
      today: `${printTimes(gain)} as many requests per CPU second with it, against ${against}.`,
    },
  ];
}

function keyLengthMatters(effects: readonly Effect[]): Claim[] {
  const lengths = effects.flatMap((effect) => {
    const [from, to] = [bitsOf(effect.from), bitsOf(effect.to)];
    return effect.factor !== 'key' || from === null || to === null ? [] : [{ effect, from, to }];
  });
  const widest = lengths.toSorted((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))[0];
  if (widest === undefined) return [];
  const { effect, from, to } = widest;
  const slower = to > from ? inverseOf(effect.factorOf) : effect.factorOf;
  const [short, long] = [Math.min(from, to), Math.max(from, to)];
  return [
    {
      ...{ claim: 'The length of the key matters', verdict: judgeAbove(slower, tolerance) },
      today: `${printTimes(slower)} as many requests per CPU second with RSA-${short} as with RSA-${long}.`,
    },
  ];
}

function cipherHardlyMatters(effects: readonly Effect[]): Claim[] {
  const ciphers = effects.filter(
    ({ factor, from, to }) => factor === 'cipher' && from !== 'null' && to !== 'null',
  );
  if (ciphers.length === 0) return [];
  const verdicts = ciphers.map(({ factorOf }) => judgeWithin(factorOf, 1 / tolerance, tolerance));
  const verdict = verdicts.includes('does not hold')
    ? 'does not hold'
    : verdicts.every((each) => each === 'holds')
      ? 'holds'
      : 'not decided';
  const figures = ciphers.map(
    ({ factorOf, from, to }) =>
      `${printTimes(factorOf)} as many requests per CPU second with ${to} as with ${from}`,
  );
  return [{ claim: 'The cipher hardly matters', verdict, today: `${figures.join('; ')}.` }];
}

function serversDiffer(levels: ServersDocument['levels']): Claim[] {
  const view = levels.find(({ factors }) => factors.join() === 'server,concurrency');
  const most = Math.max(0, ...(view?.groups ?? []).map(({ levels: [, connections] }) => Number(connections)));
  const servers = (view?.groups ?? []).flatMap(({ levels: [server, connections], cpu }: LevelGroup) =>
    Number(connections) !== most || cpu === null
      ? []
      : [{ title: serverTitles[server as ServerName], ...perCpuSecond(cpu.https) }],
  );
  const [slowest, ...faster] = servers.toSorted((a, b) => a.center - b.center);
  const fastest = faster.at(-1);
  if (slowest === undefined || fastest === undefined || most < manyConnections) return [];
  const apart = { lo: fastest.lo / slowest.hi, hi: fastest.hi / slowest.lo };
  const rate = ({ title, center, lo, hi }: typeof slowest) =>
    `${title} ${printNumber(center, 0)} (${printNumber(lo, 0)} to ${printNumber(hi, 0)})`;
  return [
    {
      ...{ claim: 'Servers differ under many connections', verdict: judgeAbove(apart, tolerance) },
      today: `At ${printNumber(most, 0)} connections ${rate(fastest)} and ${rate(slowest)} requests per CPU second.`,
    },
  ];
}

/** How many times as much, whichever way it goes; from 1 on where it may go either way. */
function timesOf({ factorOf }: Effect): Estimate {
  const turned = factorOf.center < 1 ? inverseOf(factorOf) : factorOf;
  return { ...turned, lo: Math.max(1, turned.lo), hi: Math.max(turned.hi, 1 / turned.lo) };
}

function widestOf(estimates: readonly Estimate[]): Estimate {
  return {
    center: Math.max(...estimates.map(({ center }) => center)),
    lo: Math.max(...estimates.map(({ lo }) => lo)),
    hi: Math.max(...estimates.map(({ hi }) => hi)),
  };
}

function inverseOf({ center, lo, hi }: Estimate): Estimate {
  return { center: 1 / center, lo: 1 / hi, hi: 1 / lo };
}

/** @param cpuUs of one request */
function perCpuSecond(cpuUs: Estimate): Estimate {
  const { center, lo, hi } = inverseOf(cpuUs);
  return { center: 1e6 * center, lo: 1e6 * lo, hi: 1e6 * hi };
}

function bitsOf(key: string): number | null {
  const bits = /^RSA-(\d+)$/.exec(key)?.[1];
  return bits === undefined ? null : Number(bits);
}

function printTimes({ center, lo, hi }: Estimate): string {
  const print = (value: number) => printNumber(value, value < 10 ? 2 : 1);
  return `${print(center)}× (${print(lo)} to ${print(hi)})`;
}
