import { exactly, excludes } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber, printQuantity, printShare, scaleFor } from '../../../shared/base/quantity.ts';
import { bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { BillRow } from '../../../shared/kinds/comparison/bill.ts';
import type { PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import type {
  Limit,
  MissingPrice,
  PricedRequest,
  Traffic,
  TrafficBill,
  TrafficRequest,
} from '../../../shared/kinds/prices/traffic.ts';
import type { SpeedDocument } from '../../../shared/kinds/speed/speed.ts';
import { listed } from '../../../shared/words/example-words.ts';
import { printBilled, printEstimate } from '../../../shared/words/precision-words.ts';
import { type BillLine, billOf, scaledUse, type Use } from '../../method/bill.ts';
import { inverse } from '../../method/statistics/estimates.ts';
import { costPerRequest, wirePerRequest } from './price-bill.ts';

type Priced = Pick<PricesDocument, 'cells' | 'rounds' | 'command' | 'items' | 'negotiated' | 'environment'>;

/**
 * Cores, memory, bandwidth, latency, and money of a traffic on both sides, by the prices of a list.
 * @param speed speed table of the same machine, which knows what a signature takes; null without one
 */
export function billOfTraffic(
  list: Priced,
  { traffic, prices }: TrafficRequest,
  speed: Pick<SpeedDocument, 'rows'> | null,
): Omit<TrafficBill, 'list'> {
  const cost = costPerRequest(list, traffic);
  const memory = memoryOf(list, traffic);
  const latency = latencyOf(list, traffic);
  const wire = wirePerRequest(list, traffic);
  const perS = (way: 'read' | 'written') =>
    useOf(bySide((side) => (wire[side] === null ? null : exactly(traffic.requestsPerS * wire[side][way]))));
  const cores = coresOf(cost, traffic);
  const limits = limitsOf(list, { traffic, cores, memory, sent: perS('read'), speed });
  const isBroken = limits.some(({ broken }) => broken);
  const bill = billOf(
    {
      sides: { baseline: 'HTTP', comparison: 'HTTPS' },
      isUnclear: cores.added === null || isBroken,
      cores: [cores],
      bytesPerS: [{ ...{ id: 'responses', title: 'Bytes sent', note: null }, ...perS('read') }],
      notIncluded: [],
    },
    prices,
  );
  const [coresRow, ...others] = bill.rows as [BillRow, ...BillRow[]];
  const mbit = (id: string, title: string, way: 'read' | 'written'): BillRow => ({
    ...{ id, title, unit: 'Mbit/s', note: null },
    ...scaledUse(perS(way), 8 / 1e6),
  });
  const rows = [
    coresRow,
    ...(traffic.openConnections === 0 ? [] : [memory]),
    mbit('sent', 'Sent by the server', 'read'),
    mbit('received', 'Received by the server', 'written'),
    latency,
    ...others,
  ];
  const missing = [...cost.missing, ...missingOf(list, rows)];
  return {
    ...{ ...bill, rows, traffic, missing, limits },
    verdict: isBroken
      ? 'The prices contradict a limit, so there is no verdict.'
      : verdictOf(rows, missing, traffic),
  };
}

function useOf({ baseline, comparison }: Record<SideName, Estimate | null>): Use {
  const isKnown = baseline !== null && comparison !== null;
  return { baseline, comparison, added: isKnown ? exactly(comparison.center - baseline.center) : null };
}

function coresOf(
  { baseline, comparison, difference }: PricedRequest,
  { requestsPerS, utilization }: Traffic,
): BillLine {
  return {
    ...{ id: 'cores', title: 'Cores', note: `At ${printShare(utilization)} CPU utilization.` },
    ...scaledUse({ baseline, comparison, added: difference }, requestsPerS / 1e6 / utilization),
  };
}

/** A straight line through 0 to 2,000 connections, and beyond. */
function memoryOf({ items }: Priced, { openConnections }: Traffic): BillRow {
  const item = items.find(({ id }) => id === 'memory');
  const use = { baseline: item?.baseline ?? null, comparison: item?.comparison ?? null };
  return {
    ...{ id: 'memory', title: 'Memory of open connections', unit: 'GB', note: null },
    ...scaledUse({ ...use, added: item?.difference ?? null }, openConnections / 1e9),
  };
}

/** TCP takes one round trip; TLS 1.3 one more; TLS 1.2 two more, and one if it resumes a session (RFC 8446, section 2; RFC 5246, 7.3). */
function latencyOf({ negotiated }: Priced, { roundTripMs, returningShare }: Traffic): BillRow {
  const more = negotiated === null ? null : negotiated.protocol === 'TLSv1.2' ? 2 - returningShare : 1;
  return {
    ...{ id: 'latency', title: 'Latency of a new connection', unit: 'ms' },
    baseline: exactly(roundTripMs),
    comparison: more === null ? null : exactly(roundTripMs * (1 + more)),
    added: more === null ? null : exactly(roundTripMs * more),
    note:
      more === null
        ? null
        : `Round trips: 1 for TCP, and ${printNumber(more, 1).replace(/\.0$/, '')} more for TLS.`,
  };
}

function missingOf({ command }: Priced, rows: readonly BillRow[]): MissingPrice[] {
  const lacks = (wanted: string) => rows.some(({ id, added }) => id === wanted && added === null);
  return lacks('memory')
    ? [
        {
          item: 'the memory of an open connection',
          why: 'The list has no memory.',
          remedy: `Measure a list with it: ${command} --memory.`,
        },
      ]
    : [];
}

/** `HTTPS needs 1.3 more cores (95 % CI 1.2 to 1.4), 2.1 GB more memory, and $45 more per month.` */
function verdictOf(
  rows: readonly BillRow[],
  missing: readonly MissingPrice[],
  { requestsPerS }: Traffic,
): string {
  const [cores] = rows as [BillRow];
  if (cores.added === null)
    return `The list has no price of ${listed(missing.map(({ item }) => item))}, so there is no sum.`;
  const at = `At ${printNumber(requestsPerS, requestsPerS < 10 ? 1 : 0)} requests per second, HTTPS needs`;
  const { center, lo, hi } = cores.added;
  // With the digits of the table.
  const print = (row: BillRow, value: number) => printBilled(row, exactly(value));
  if (!excludes(cores.added, 0))
    return `${at} ${print(cores, lo)} to ${print(cores, hi)} more cores than HTTP. The difference is not certain.`;
  const others = phrases.flatMap(({ id, say }) => {
    const row = rows.find((each) => each.id === id);
    const added = row?.added ?? null;
    if (row === undefined || added === null || !excludes(added, 0)) return [];
    const much = Math.abs(added.center);
    return [say(print(row, much), added.center < 0 ? 'less' : 'more', much)];
  });
  const [least, most] = [lo, hi].map(Math.abs).toSorted((a, b) => a - b) as [number, number];
  const interval = lo === hi ? '' : ` (95 % CI ${print(cores, least)} to ${print(cores, most)})`;
  return `${at} ${listed([`${print(cores, Math.abs(center))} ${center < 0 ? 'fewer' : 'more'} cores${interval}`, ...others])}.`;
}

type Phrase = { id: string; say(amount: string, more: string, value: number): string };

const phrases: Phrase[] = [
  {
    id: 'memory',
    say: (_, more, gb) => `${printQuantity(gb * 1e9, scaleFor('bytes', [gb * 1e9]))} ${more} memory`,
  },
  { id: 'latency', say: (amount, more) => `${amount} ms ${more} per new connection` },
  { id: 'total', say: (amount, more) => `${amount} ${more} per month` },
];

type Needs = {
  traffic: Traffic;
  cores: Use;
  memory: Use;
  sent: Use;
  speed: Pick<SpeedDocument, 'rows'> | null;
};

/** Every bound that the traffic comes up against. */
function limitsOf(list: Priced, { traffic, cores, memory, sent, speed }: Needs): Limit[] {
  const { environment } = list;
  const most = (use: Use) => Math.max(...sideNames.map((side) => use[side]?.center ?? 0));
  const gbit = (most(sent) * 8) / 1e9 / payloadShare;
  const port = ports.find((each) => each >= gbit);
  const loadShare = list.items.find(({ id }) => id === 'request')?.loadShare;
  const limits: (Limit | false)[] = [
    loadShare !== undefined &&
      limit(
        'Load',
        `The list was measured at ${printShare(loadShare)} of full load, and prices add up at one load only. Measure a list while nothing else runs.`,
      ),
    signatureLimit(list, traffic, speed) ?? false,
    most(cores) > environment.cores &&
      limit(
        'Cores',
        `The machine that was measured has ${environment.cores}, and cores that share a machine are slower. Measure more than one, or spread the traffic over machines.`,
      ),
    most(memory) * 1e9 > environment.memoryBytes &&
      limit(
        'Memory',
        `The machine that was measured has ${printNumber(environment.memoryBytes / 1e9, 0)} GB.`,
      ),
    gbit > 1 &&
      limit(
        'Network',
        port === undefined
          ? `The server sends ${printNumber(gbit, 0)} Gbit/s with headers of TCP, which no port carries. Spread the traffic over machines.`
          : `The server sends ${printNumber(gbit, 1)} Gbit/s with headers of TCP, which needs a port of ${port} Gbit/s.`,
      ),
    traffic.openConnections > usualFiles &&
      limit(
        'Open files',
        `Each open connection is a file, and the usual limit of a process is ${printNumber(usualFiles, 0)}. Raise it (ulimit -n), and the server’s own limit of connections.`,
      ),
  ];
  return limits.filter((each) => each !== false);
}

function limit(name: string, sentence: string, broken = false): Limit {
  return { name, sentence, broken };
}

/** Bit rates of Ethernet ports, Gbit/s. */
const ports = [1, 2.5, 10, 25, 40, 100, 200, 400, 800];
/** Share of full Ethernet frames (1,538 bytes on the wire) that is the payload of TCP (1,448). */
const payloadShare = 1448 / 1538;
/** Soft limit of open files on Linux, unless somebody raised it. */
const usualFiles = 1024;

/** A full handshake takes at least its signature (study of 2005). Null where the speed table does not know the key. */
function signatureLimit(
  { items, negotiated }: Priced,
  { requestsPerS, requestsPerConnection, returningShare }: Traffic,
  speed: Needs['speed'],
): Limit | null {
  const key = negotiated?.key ?? null;
  const id = key === null ? null : signatureOf(key);
  const rate = speed?.rows.find((row) => row.id === id)?.operationsPerS;
  const handshake = items.find((item) => item.id === 'connection')?.difference ?? null;
  const perS = (requestsPerS / requestsPerConnection) * (1 - returningShare);
  if (rate === undefined || perS === 0) return null;
  const us = inverse(rate, 1e6);
  if (handshake !== null && handshake.hi < us.lo)
    return limit(
      'Signatures',
      `A new connection costs ${printEstimate(handshake)} µs more over HTTPS, but the speed table of this machine has ${printEstimate(us)} µs for the signature alone. The machine changed its speed in between: measure both again.`,
      true,
    );
  const print = (value: number) => printNumber(value, value < 10 ? 1 : 0);
  return limit(
    'Signatures',
    `A core makes ${print(rate.center)} signatures per second with ${key}, and accepts at most as many new connections that resume nothing. This traffic has ${print(perS)} of them per second.`,
  );
}

/** Row of the speed table. */
function signatureOf(key: string): string {
  const curve = /P-\d+/.exec(key)?.[0];
  return `${curve === undefined ? key.replace(/^RSA /, 'RSA-') : `ECDSA-${curve}`}/sign`;
}
