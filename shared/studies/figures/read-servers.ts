import { printNumber } from '../../base/quantity.ts';
import type { Estimate } from '../../kinds/comparison/comparison.ts';
import type { CellSettings } from '../../kinds/servers/servers.ts';
import type { CellResult, Effect, LevelGroup, ServersDocument } from '../../kinds/servers/servers-result.ts';
import type { ServerName } from '../../target/server-names.ts';
import { serverTitles } from '../../words/target-words.ts';
import { exactly, inverseOf, mapped, quotientOf, type Read, type ServersFigure } from './figure.ts';

/** Apache of 2011 stopped at 256 clients. */
const manyConnections = 256;

type Swept = Pick<ServersDocument, 'effects' | 'levels' | 'cells' | 'warnings'>;

/**
 * Figures of a sweep over servers, over HTTPS. Factors are judged by requests per second of server CPU, because the load generator may limit
 * requests per second. A figure that the plan of the sweep does not cover is missing.
 */
export function readServers(figure: ServersFigure, swept: Swept): Read {
  const own = swept.effects
    .filter(({ metric, view }) => metric === 'cpu' && view === 'https')
    .map((effect) => ({ ...effect, factorOf: inverseOf(effect.factorOf) }));
  const read = () => {
    switch (figure.of) {
      case 'keep-alive':
        return keepAliveAgainstOthers(own);
      case 'keep-alive gain':
        return keepAliveGain(own);
      case 'key length':
        return swept.cells.some(({ cell }) => !cell.settings.keepAlive) ? keyLength(own) : null;
      case 'cipher':
        return cipher(own);
      case 'servers apart':
        return serversApart(swept.levels);
      default:
        return ofCell(figure.of, figure.cell, swept.cells);
    }
  };
  const found = read();
  if (found !== null) return found;
  const asked = 'cell' in figure ? (figure.cell.server ?? null) : null;
  const skipped = swept.warnings.find((warning) => asked !== null && warning.startsWith(serverTitles[asked]));
  return { missing: skipped ?? swept.warnings[0] ?? 'The plan of the sweep does not cover it.' };
}

/** How many times as much with it than without. */
function gainOf(effects: readonly Effect[]): Estimate | null {
  const keepAlive = effects.find(({ factor }) => factor === 'keepAlive');
  if (keepAlive === undefined) return null;
  return keepAlive.from === 'true' ? inverseOf(keepAlive.factorOf) : keepAlive.factorOf;
}

function keepAliveGain(effects: readonly Effect[]): Read | null {
  const gain = gainOf(effects);
  if (gain === null) return null;
  return [
    {
      values: [gain],
      today: `${printTimes(gain)} as many requests per CPU second on connections that stay open.`,
    },
  ];
}

function keepAliveAgainstOthers(effects: readonly Effect[]): Read | null {
  const gain = gainOf(effects);
  const others = (['key', 'cipher'] as const).flatMap((factor) => {
    const of = effects.filter((effect) => effect.factor === factor).map(timesOf);
    return of.length === 0 ? [] : [{ factor, ...widestOf(of) }];
  });
  if (gain === null || others.length === 0) return null;
  const against = others.map((other) => `${printTimes(other)} for the ${other.factor}`).join(' and ');
  return [
    {
      values: [quotientOf(gain, widestOf(others))],
      today: `${printTimes(gain)} as many requests per CPU second with it, against ${against}.`,
    },
  ];
}

function keyLength(effects: readonly Effect[]): Read | null {
  const lengths = effects.flatMap((effect) => {
    const [from, to] = [bitsOf(effect.from), bitsOf(effect.to)];
    return effect.factor !== 'key' || from === null || to === null ? [] : [{ effect, from, to }];
  });
  const widest = lengths.toSorted((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))[0];
  if (widest === undefined) return null;
  const { effect, from, to } = widest;
  const slower = to > from ? inverseOf(effect.factorOf) : effect.factorOf;
  const [short, long] = [Math.min(from, to), Math.max(from, to)];
  return [
    {
      values: [slower],
      today: `${printTimes(slower)} as many requests per CPU second with RSA-${short} as with RSA-${long}.`,
    },
  ];
}

function cipher(effects: readonly Effect[]): Read | null {
  const [first, ...others] = effects.filter(
    ({ factor, from, to }) => factor === 'cipher' && from !== 'null' && to !== 'null',
  );
  if (first === undefined) return null;
  const figures = [first, ...others].map(
    ({ factorOf, from, to }) =>
      `${printTimes(factorOf)} as many requests per CPU second with ${to} as with ${from}`,
  );
  return [
    {
      values: [first.factorOf, ...others.map(({ factorOf }) => factorOf)],
      today: `${figures.join('; ')}.`,
    },
  ];
}

function serversApart(levels: ServersDocument['levels']): Read | null {
  const view = levels.find(({ factors }) => factors.join() === 'server,concurrency');
  const most = Math.max(0, ...(view?.groups ?? []).map(({ levels: [, connections] }) => Number(connections)));
  const servers = (view?.groups ?? []).flatMap(({ levels: [server, connections], cpu }: LevelGroup) =>
    Number(connections) !== most || cpu === null
      ? []
      : [{ title: serverTitles[server as ServerName], ...perCpuSecond(cpu.https) }],
  );
  const [slowest, ...faster] = servers.toSorted((a, b) => a.center - b.center);
  const fastest = faster.at(-1);
  if (slowest === undefined || fastest === undefined || most < manyConnections) return null;
  const rate = ({ title, center, lo, hi }: typeof slowest) =>
    `${title} ${printNumber(center, 0)} (${printNumber(lo, 0)} to ${printNumber(hi, 0)})`;
  return [
    {
      values: [quotientOf(fastest, slowest)],
      today: `At ${printNumber(most, 0)} connections ${rate(fastest)} and ${rate(slowest)} requests per CPU second.`,
    },
  ];
}

function ofCell(
  of: 'errors' | 'requests' | 'ms per request',
  asked: Partial<CellSettings>,
  cells: readonly CellResult[],
): Read | null {
  const [result] = cells
    .filter(({ cell: { settings } }) =>
      Object.entries(asked).every(([name, value]) => settings[name as keyof CellSettings] === value),
    )
    .toSorted((a, b) => b.cell.settings.concurrency - a.cell.settings.concurrency);
  const at = result?.cell.settings.concurrency ?? 0;
  if (result === undefined || (of === 'errors' && at <= manyConnections)) return null;
  const connections = `At ${printNumber(at, 0)} connections`;
  if (of === 'errors') {
    if (result.errorShare === null) return { missing: result.failures[0] ?? 'It answered nothing.' };
    const percent = 100 * result.errorShare;
    return [
      {
        values: [exactly(percent)],
        today: `${connections}, ${printNumber(percent, percent < 10 ? 1 : 0)} % of the requests fail.`,
      },
    ];
  }
  if (result.throughput === null) return { missing: result.failures[0] ?? 'It was measured once only.' };
  const perS = result.throughput.https;
  const limited = result.generatorLimited ? { doubt: 'The load generator was the limit.' } : {};
  if (of === 'requests')
    return [{ values: [perS], ...limited, ...(result.generatorLimited && { atLeast: true }) }];
  return [{ values: [mapped(inverseOf(perS), (each) => 1000 * at * each)], ...limited }];
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

/** @param cpuUs of one request */
function perCpuSecond(cpuUs: Estimate): Estimate {
  return mapped(inverseOf(cpuUs), (perUs) => 1e6 * perUs);
}

function bitsOf(key: string): number | null {
  const bits = /^RSA-(\d+)$/.exec(key)?.[1];
  return bits === undefined ? null : Number(bits);
}

function printTimes({ center, lo, hi }: Estimate): string {
  const print = (value: number) => printNumber(value, value < 10 ? 2 : 1);
  return `${print(center)}× (${print(lo)} to ${print(hi)})`;
}
