import { groupNames, keyNames } from '../../../shared/base/cipher-suites.ts';
import { exactly } from '../../../shared/base/estimate-arithmetic.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import { bySide, isEncrypted, labelsOf, type SideName } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { Bill, BillLoad, BillRequest } from '../../../shared/kinds/comparison/bill.ts';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { opensMany } from '../../../shared/words/precision-words.ts';
import { type BillLine, billOf, scaledUse, type Use } from '../../method/bill.ts';
import { type AskedHandshake, costsOfGrid, handshakeBytes, recordOverhead } from '../../method/grid-costs.ts';
import { scaled, sum } from '../../method/statistics/estimates.ts';
import { soundBlocksOf } from './compared-metric.ts';

type Billed = Pick<
  RunDocument,
  'metrics' | 'scenario' | 'sides' | 'tls' | 'blocks' | 'connections' | 'connectionsPerTransaction'
>;

/**
 * Monthly cost of a load on both sides of a run, from its CPU at load and the bytes that its servers sent. It contains handshakes
 * if the run opened new connections; otherwise, they come from the grid.
 */
export function billOfRun(
  run: Billed,
  { load, prices }: Pick<BillRequest, 'load' | 'prices'>,
  grid: HandshakesDocument | null,
): Bill {
  const kept = run.connectionsPerTransaction === undefined && !opensMany(run.connections);
  const asked = kept && load.fullPerS + load.resumedPerS > 0;
  const handshakes = asked ? handshakesOf(run, load, grid) : null;
  return billOf(
    {
      sides: labelsOf(run.sides),
      isUnclear: isUnclear(run),
      cores: [requestsOf(run, load), ...(handshakes === null ? [] : [handshakes.cores])],
      bytesPerS: [responsesOf(run, load), ...(handshakes === null ? [] : [handshakes.bytes])],
      notIncluded: [
        ...(kept && !asked
          ? ['new connections and their handshakes: this run kept its connections open']
          : []),
        ...(load.responseBytes === null ? [] : ['the CPU of a response of another size than measured']),
      ],
    },
    prices,
  );
}

function isUnclear({ metrics }: Billed): boolean {
  const outcome = metrics.find(({ id }) => id === 'cpu_at_load')?.outcome;
  return outcome === 'inconclusive' || outcome === 'not_tested';
}

const unmeasured: Use = { baseline: null, comparison: null, added: null };

function requestsOf(run: Billed, load: BillLoad): BillLine {
  const use = measuredOf(run, 'cpu_at_load') ?? unmeasured;
  const { connectionsPerTransaction: opened, connections, scenario } = run;
  const opens =
    opened === undefined
      ? opensMany(connections)
        ? ' With the new connections that the run had.'
        : ''
      : ` With the handshakes of ${opened} new connections for ${scenario.steps.length} requests.`;
  return {
    ...{ id: 'requests', title: 'Cores for requests' },
    ...scaledUse(use, perSecond(run, load) / 1e6 / load.utilization),
    note:
      use.added === null
        ? 'The run did not measure CPU at full load.'
        : `At ${printShare(load.utilization)} CPU utilization.${opens}`,
  };
}

/** Transactions. */
function perSecond({ scenario }: Billed, { requestsPerS }: BillLoad): number {
  return requestsPerS / scenario.steps.length;
}

/** Null where the run refuses it. */
function measuredOf({ metrics }: Billed, id: MetricId): Use | null {
  const row = metrics.find((each) => each.id === id);
  return row === undefined || row.outcome === 'refused' || row.delta === null
    ? null
    : { baseline: row.baseline, comparison: row.comparison, added: row.delta };
}

function responsesOf(run: Billed, load: BillLoad): BillLine {
  const line = { id: 'responses', title: 'Bytes of responses' } as const;
  if (load.responseBytes !== null) {
    const { responseBytes, requestsPerS } = load;
    const of = bySide((side) =>
      exactly(requestsPerS * (responseBytes + (overheadOf(run, side, responseBytes) ?? 0))),
    );
    const added = exactly(of.comparison.center - of.baseline.center);
    return { ...line, ...of, added, note: 'TLS records add 22 to 29 bytes to each 16 KiB.' };
  }
  const use = sentOf(run);
  if (use === null) return { ...line, ...unmeasured, note: 'The run has no bytes on the wire.' };
  return { ...line, ...scaledUse(use, perSecond(run, load)), note: 'As measured, with headers.' };
}

function overheadOf({ sides, tls }: Billed, side: SideName, bytes: number): number | null {
  if (!isEncrypted(sides[side].transport)) return null;
  const isTwelve = tls[side].negotiated?.protocol === 'TLSv1.2';
  return recordOverhead(bytes, isTwelve ? 'TLSv1.2' : 'TLSv1.3');
}

/** The server's part of the bytes in both directions. */
function sentOf(run: Billed): Use | null {
  const use = measuredOf(run, 'wire_bytes_per_transaction');
  const slots = soundBlocksOf(metricOf('wire_bytes_per_transaction'), run.blocks).flatMap(
    ({ slots }) => slots,
  );
  const shares = bySide((side) => {
    const loads = slots.filter(({ arm }) => arm === side).map(({ load }) => load);
    const read = loads.reduce((total, load) => total + load.wireBytesRead, 0);
    const both = loads.reduce((total, load) => total + load.wireBytesRead + load.wireBytesWritten, 0);
    return both === 0 ? null : read / both;
  });
  if (use?.baseline == null || use.comparison === null || use.added === null) return null;
  if (shares.baseline === null || shares.comparison === null) return null;
  const baseline = scaled(use.baseline, shares.baseline);
  const comparison = scaled(use.comparison, shares.comparison);
  const center = comparison.center - baseline.center;
  const { lo, hi } = use.added;
  // Its interval is at most that of both directions.
  return {
    ...{ baseline, comparison },
    added: { center, lo: center + lo - use.added.center, hi: center + hi - use.added.center },
  };
}

type Handshakes = { cores: BillLine; bytes: BillLine };

function handshakesOf(run: Billed, load: BillLoad, grid: HandshakesDocument | null): Handshakes {
  const cpuUs = bySide((side) => perHandshake(run, side, load, (asked) => cpuOf(grid, asked)));
  const bytes = bySide((side) => perHandshake(run, side, load, (asked) => bytesOf(grid, asked)));
  const missing = 'Not measured: no run of handshakes has this key and group.';
  const line = (use: Use, note: string) => ({ ...use, note: use.added === null ? missing : note });
  const cores = scaledUse(togetherOf(cpuUs), 1 / 1e6 / load.utilization);
  return {
    cores: {
      ...{ id: 'handshakes', title: 'Cores for handshakes' },
      ...line(cores, 'From the TLS lab, with the library in TLS Toll.'),
    },
    bytes: {
      ...{ id: 'handshakeBytes', title: 'Bytes of handshakes' },
      ...line(togetherOf(bytes), 'From the TLS lab, with its certificates.'),
    },
  };
}

type EachHandshake = { full: Estimate | null; resumed: Estimate | null };

/** Cost of all handshakes per second; null if one of them is not known. */
function perHandshake(
  { sides, tls }: Billed,
  side: SideName,
  { fullPerS, resumedPerS }: BillLoad,
  known: (asked: AskedHandshake) => EachHandshake,
): Estimate | null {
  if (!isEncrypted(sides[side].transport)) return exactly(0);
  const asked = askedOf(tls[side].negotiated);
  if (asked === null) return null;
  const { full, resumed } = known(asked);
  if ((full === null && fullPerS > 0) || (resumed === null && resumedPerS > 0)) return null;
  return sum([
    ...(full === null ? [] : [scaled(full, fullPerS)]),
    ...(resumed === null ? [] : [scaled(resumed, resumedPerS)]),
  ]);
}

/** The same handshake on both sides adds nothing, whatever it costs. */
function togetherOf({ baseline, comparison }: Record<SideName, Estimate | null>): Use {
  if (baseline === null || comparison === null) return unmeasured;
  const isSame = JSON.stringify(baseline) === JSON.stringify(comparison);
  return { baseline, comparison, added: isSame ? exactly(0) : sum([comparison, scaled(baseline, -1)]) };
}

function cpuOf(grid: HandshakesDocument | null, asked: AskedHandshake): EachHandshake {
  const costs = grid === null ? null : costsOfGrid(grid, asked.version);
  return {
    full: costs?.full(asked.key, asked.group) ?? null,
    resumed: costs?.resumed(asked.group) ?? null,
  };
}

function bytesOf(grid: HandshakesDocument | null, asked: AskedHandshake): EachHandshake {
  const of = (resumption: 'full' | 'resumed') => {
    const bytes = handshakeBytes(grid, asked, resumption);
    return bytes === null ? null : exactly(bytes);
  };
  return { full: of('full'), resumed: of('resumed') };
}

/** By the names of the lab; null where it has none for them. */
function askedOf(negotiated: NegotiatedTls | null): AskedHandshake | null {
  const named = negotiated?.key?.replace(/^EC /, '').replace('RSA ', 'RSA-').toLowerCase();
  const key = keyNames.find((name) => name.toLowerCase() === named);
  const group = groupNames.find((name) => name === negotiated?.group);
  const version = negotiated?.protocol;
  if (key === undefined || group === undefined) return null;
  return version === 'TLSv1.3' || version === 'TLSv1.2' ? { version, key, group } : null;
}
