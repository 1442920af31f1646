import type { GroupName, KeyName } from '../../shared/base/cipher-suites.ts';
import { lowered } from '../../shared/base/cut.ts';
import { exactly } from '../../shared/base/estimate-arithmetic.ts';
import { printChange, printNumber, printShare } from '../../shared/base/quantity.ts';
import { isEncrypted } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type {
  Bill,
  CapacityChange,
  CapacityFigure,
  CapacityLoad,
  CapacityReport,
  CapacityVersion,
  OwnFigures,
  PartName,
  Prices,
} from '../../shared/kinds/comparison/capacity.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../shared/kinds/handshakes/handshakes.ts';
import type { SpeedDocument } from '../../shared/kinds/speed/speed.ts';
import type { Headline } from '../../shared/measurement/measurement.ts';
import { dollarsLike } from '../../shared/words/precision-words.ts';
import {
  type BillLine,
  billOf,
  type Cost,
  type CostSource,
  demandOf,
  firstOf,
  protocolUs,
  typicalCosts,
} from './capacity-bill.ts';
import {
  cores,
  coresOf,
  costsOfGrid,
  difference,
  formulasOf,
  handshakeBytes,
  isClear,
  partsOf,
  partTitles,
  plain,
  recordOverhead,
  type Term,
  termsOf,
} from './capacity-formulas.ts';
import { inverse, scaled, sum } from './statistics/estimates.ts';

type Figures = {
  own: OwnFigures;
  grid: HandshakesDocument | null;
  speed: SpeedDocument | null;
  run: RunDocument | null;
};

/** Pasted figures go before measured ones, and handshakes before sums of primitives. */
export function planFromFigures(
  load: CapacityLoad,
  { own, grid, speed, run }: Figures,
  prices: Prices,
): CapacityReport {
  const report = planCapacity(
    load,
    firstOf([
      ownCosts(own, load),
      ...(grid === null ? [] : [costsOfGrid(grid, load.version)]),
      ...(speed === null ? [] : [costsOfSpeed(speed, load.version)]),
      ...(run === null ? [] : [costsOfRun(run)]),
      typicalCosts(load.version),
    ]),
  );
  const bill = billOfPlan(report, grid, prices);
  return {
    ...report,
    headline: headlineOfPlan(report, bill),
    notes: [...report.notes, ...machineNotes([grid, speed, run])],
    bill,
  };
}

function machineNotes(documents: readonly (Pick<RunDocument, 'environment'> | null)[]): string[] {
  const machines = new Set(documents.flatMap((each) => each?.environment.cpuModel ?? []));
  return machines.size < 2 ? [] : [`The figures are from different machines: ${[...machines].join(', ')}.`];
}

/** Pasted costs. Figures of handshakes and signatures are those of the load's key and group, and of no other. */
export function ownCosts(own: OwnFigures, { key, group }: CapacityLoad): CostSource {
  return {
    request: () => pasted(own.requestUs, 'Your own figure, which is assumed to be at full load.'),
    connection: () => pasted(own.connectionUs),
    full: (asked, agreed) => (asked === key && agreed === group ? pasted(own.fullUs) : null),
    resumed: (agreed) => (agreed === group ? pasted(own.resumedUs) : null),
    byte: () => pasted(own.nsPerByte === undefined ? undefined : scaled(own.nsPerByte, 1e-3)),
    signs: (asked) => (asked === key ? pasted(own.signsPerS) : null),
  };
}

function pasted(value: Estimate | undefined, from = 'Your own figure.'): Cost | null {
  return value === undefined ? null : { value, source: 'pasted', from };
}

/** Cost from a paired run: the CPU of a request at load on the side without TLS. */
export function costsOfRun({
  metrics,
  scenario,
  sides,
}: Pick<RunDocument, 'metrics' | 'scenario' | 'sides'>): Pick<CostSource, 'request'> {
  const row = metrics.find(({ id }) => id === 'cpu_at_load');
  const cpu = row === undefined || row.outcome === 'refused' ? null : row.baseline;
  const requests = scenario.steps.length;
  if (cpu === null || isEncrypted(sides.baseline.transport)) return { request: () => null };
  return {
    request: () => ({
      value: scaled(cpu, 1 / requests),
      source: 'measured',
      from: `From the run: CPU per transaction over HTTP at full load, divided by its ${requests} requests.`,
    }),
  };
}

/** Costs from a speed table: signatures, key agreement, and therefore handshakes, except for the protocol itself. */
export function costsOfSpeed({ rows }: Pick<SpeedDocument, 'rows'>, version: CapacityVersion) {
  const rateOf = (id: string) => rows.find((row) => row.id === id)?.operationsPerS ?? null;
  const timesOf = (ids: readonly string[]): Estimate[] | null => {
    const rates = ids.flatMap((id) => rateOf(id) ?? []);
    return rates.length < ids.length ? null : rates.map((rate) => inverse(rate, 1e6));
  };
  const put = (ids: readonly string[], protocol: number): Cost | null => {
    const times = timesOf(ids);
    if (times === null) return null;
    return {
      value: sum([...times, exactly(protocol)]),
      source: 'measured in part',
      from: `From the speed table: ${ids.join(', ')}, plus a typical ${protocol} µs for the protocol.`,
    };
  };
  return {
    full: (key, group) => put([...serverPart(group), signId(key)], protocolUs.full),
    // In TLS 1.2 there is nothing in it that was measured.
    resumed: (group) => (version === 'TLSv1.2' ? null : put(serverPart(group), protocolUs.resumed)),
    signs(key) {
      const value = rateOf(signId(key));
      return value === null
        ? null
        : { value, source: 'measured', from: `From the speed table: ${signId(key)}.` };
    },
  } satisfies Partial<CostSource>;
}

function signId(key: KeyName): string {
  return `${key.startsWith('P-') ? `ECDSA-${key}` : key}/sign`;
}

/** A hybrid group is a row of its own; alone, encapsulation answers the client, and any other group makes a key and agrees. */
function serverPart(group: GroupName): string[] {
  const encapsulation = /^MLKEM(\d+)$/.exec(group)?.[1];
  if (encapsulation !== undefined) return [`ML-KEM-${encapsulation}/encapsulate`];
  if (group.includes('MLKEM')) return [`${group}/server`];
  const primitive = group.startsWith('P-') ? `ECDH-${group}` : group;
  return [`${primitive}/generate`, `${primitive}/agree`];
}

type Planned = Pick<CapacityReport, 'load' | 'parts' | 'coresWithout' | 'coresWith'>;

/** The bill of a plan, with and without TLS. The bytes of handshakes come from a measured grid; without one they are not measured. */
export function billOfPlan(plan: Planned, grid: HandshakesDocument | null, prices: Prices): Bill {
  const { load, parts, coresWithout, coresWith } = plan;
  const ofTls = parts.filter((part) => !isClear(part)).map(({ cores }) => cores);
  return billOf(
    {
      sides: { baseline: 'HTTP', comparison: 'HTTPS' },
      cores: [
        {
          ...{ id: 'requests', title: 'Cores', note: `At ${printShare(load.utilisation)} CPU utilization.` },
          ...{ baseline: coresWithout, comparison: coresWith },
          added: scaled(sum(ofTls), 1 / load.utilisation),
        },
      ],
      bytesPerS: [responsesOf(load), handshakesOf(load, grid)],
      notIncluded: [],
    },
    prices,
  );
}

function responsesOf(load: CapacityLoad): BillLine {
  const { byte: bytes, request: requests } = demandOf(load);
  const records = requests * recordOverhead(load.pageBytes, load.version);
  return {
    ...{ id: 'responses', title: 'Bytes of responses' },
    ...{ baseline: exactly(bytes), comparison: exactly(bytes + records), added: exactly(records) },
    note: 'TLS records add 22 to 29 bytes to each 16 KiB.',
  };
}

function handshakesOf(load: CapacityLoad, grid: HandshakesDocument | null): BillLine {
  const { full, resumed } = demandOf(load);
  const title = 'Bytes of handshakes';
  const each = { full: handshakeBytes(grid, load, 'full'), resumed: handshakeBytes(grid, load, 'resumed') };
  if ((each.full === null && full > 0) || (each.resumed === null && resumed > 0)) {
    const note = 'Not measured: select a run of handshakes with this key and group.';
    return { id: 'handshakeBytes', title, baseline: null, comparison: null, added: null, note };
  }
  const sent = exactly(full * (each.full ?? 0) + resumed * (each.resumed ?? 0));
  return {
    ...{ id: 'handshakeBytes', title, baseline: exactly(0), comparison: sent, added: sent },
    note: 'With the certificates of the run.',
  };
}

/** How many cores a load takes without TLS and with it, from what its pieces cost. The last source has to know everything. */
export function planCapacity(
  load: CapacityLoad,
  costs: CostSource,
): Omit<CapacityReport, 'bill' | 'headline'> {
  const terms = termsOf(load, costs);
  const coresWithout = atCeiling(terms.filter(isClear), load);
  const coresWith = atCeiling(terms, load);
  const signs = costs.signs(load.key);
  const figures = figuresOf(terms, signs);
  const changes = changesOf(load, costs);
  return {
    load,
    figures,
    formulas: formulasOf(load, terms, { coresWithout, coresWith }),
    parts: partsOf(load, terms),
    coresWithout,
    coresWith,
    limit: limitOf(terms, changes[0]?.title),
    changes,
    bound: signs === null ? null : boundOf(load, terms, signs.value),
    // Two typical figures would only check each other.
    crossCheck: signs === null || signs.source === 'typical' ? null : crossCheckOf(load, terms, signs.value),
    notes: notesOf(figures),
  };
}

const titles: Record<CapacityFigure['id'], string> = {
  request: 'Request without TLS, at full load',
  connection: 'Accepting a connection',
  full: 'Full handshake, server side',
  resumed: 'Resumed handshake, server side',
  byte: 'Encrypting a byte',
  signs: 'Signatures per core',
};

function figuresOf(terms: readonly Term[], signs: Cost | null): CapacityFigure[] {
  const figures = terms.map(({ part, cost }): CapacityFigure => {
    const { value, ...origin } = cost;
    return part === 'byte'
      ? { id: part, title: titles[part], value: scaled(value, 1000), unit: 'ns', ...origin }
      : { id: part, title: titles[part], value, unit: 'µs', ...origin };
  });
  return signs === null
    ? figures
    : [...figures, { id: 'signs', title: titles.signs, unit: 'per s', ...signs }];
}

/** `At 20,000 requests/s, HTTPS needs 0.36 cores more`, `+75 % (0.48 → 0.84 cores), about $9 of $21 a month`. */
export function headlineOfPlan(
  { load, coresWith: withTls, coresWithout: without }: Omit<Planned, 'parts'>,
  { rows }: Pick<CapacityReport['bill'], 'rows'>,
): Headline {
  const more = withTls.center - without.center;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.max(1e-6, more))));
  const print = (value: number) => printNumber(value, Math.min(3, digits));
  const change = without.center === 0 ? '' : `${printChange(withTls.center / without.center)} `;
  const total = rows.find(({ id }) => id === 'total');
  const money =
    total?.added == null || total.comparison === null || total.added.lo <= 0
      ? ''
      : `, about ${dollarsLike(total.added)(total.added.center)} of ${dollarsLike(total.comparison)(total.comparison.center)} a month`;
  return {
    title: `At ${printNumber(load.visitsPerS * load.requestsPerVisit, 0)} requests/s, HTTPS needs ${print(more)} ${print(more) === '1' ? 'core' : 'cores'} more`,
    second: `${change}(${print(without.center)} → ${print(withTls.center)} cores)${money}`,
    third: `At ${printShare(load.utilisation)} CPU utilization${ofBoth(without, withTls)}. In whole cores, ${plain(whole(without))} and ${plain(whole(withTls))}.`,
  };
}

/** Rounded up, but not for the last bit of a sum. */
function whole({ center }: Estimate): number {
  return Math.ceil(center - 1e-9);
}

/** Intervals without TLS and with it; empty where nothing is uncertain. */
function ofBoth(without: Estimate, withTls: Estimate): string {
  if (withTls.lo === withTls.hi) return '';
  const print = ({ lo, hi }: Estimate) => `${plain(lo)} to ${plain(hi)}`;
  return `: 95 % CI ${print(without)} cores without TLS, ${print(withTls)} with it`;
}

function limitOf(terms: readonly Term[], change: string | undefined): string {
  const byCores = terms.toSorted((a, b) => coresOf(b).center - coresOf(a).center);
  const total = terms.reduce((sum, term) => sum + coresOf(term).center, 0);
  const [largest] = byCores;
  const ofTls = byCores.find((term) => !isClear(term));
  if (largest === undefined || ofTls === undefined || total === 0) return 'This load uses no CPU.';
  const shareOf = (term: Term) => printShare(coresOf(term).center / total);
  const first = `${partTitles[largest.part]} take the most CPU: ${shareOf(largest)}.`.replace(
    / take /,
    singular.has(largest.part) ? ' takes ' : ' take ',
  );
  const second =
    ofTls === largest
      ? ''
      : ` The largest TLS cost is ${partTitles[ofTls.part].toLowerCase()}: ${shareOf(ofTls)}.`;
  return `${first}${second}${change === undefined ? '' : ` Biggest saving: ${inSentence(change)}.`}`;
}

function inSentence(title: string): string {
  return /^[A-Z][a-z ]/.test(title) ? lowered(title) : title;
}

const singular = new Set<PartName>(['connection', 'byte']);

/** Apache Security, section 4.6: one signature for each new connection. */
function boundOf({ key }: CapacityLoad, terms: readonly Term[], signs: Estimate): string {
  const full = terms.find(({ part }) => part === 'full')?.count ?? 0;
  return `Upper bound: one core makes ${plain(signs.center)} signatures per second with ${key}, so it accepts at most that many full handshakes. Your ${plain(full)} per second need ${cores(full / signs.center)} for signatures alone.`;
}

/** Rule of thumb from a time when a handshake was little but its RSA signature. */
const rule = { lo: 0.45, hi: 0.6 };

function crossCheckOf({ key }: CapacityLoad, terms: readonly Term[], signs: Estimate): string {
  const cost = terms.find(({ part }) => part === 'full')?.cost.value;
  if (cost === undefined || cost.center === 0) return '';
  const perCore = inverse(cost, 1e6).center;
  const share = perCore / signs.center;
  const found = `Cross-check: one core makes ${plain(perCore)} full handshakes per second, ${printNumber(100 * share, 0)} % of its signatures with ${key}.`;
  if (share >= rule.lo && share <= rule.hi) return `${found} That matches the rule of thumb, 45 to 60 %.`;
  if (share < rule.lo) {
    return `${found} The rule of thumb is 45 to 60 %; signing is so cheap here that key agreement and the protocol weigh more.`;
  }
  return share > 1
    ? `${found} That is impossible, because each handshake needs a signature: the figures come from different machines, or one of the runs was disturbed.`
    : `${found} The rule of thumb is 45 to 60 %; signing weighs more here.`;
}

function notesOf(figures: readonly CapacityFigure[]): string[] {
  const typical = figures.filter(({ source, id }) => source === 'typical' && id !== 'signs');
  return typical.length === 0
    ? []
    : [
        `${typical.length} of ${figures.length} figures are typical values. Measure handshakes and a run on this machine, then select them here.`,
      ];
}

type Idea = { title: string; change: Partial<CapacityLoad>; note: string | null };

/** Possible changes to the load, each alone, the one that saves most first. Changes that save nothing are excluded. */
function changesOf(load: CapacityLoad, costs: CostSource): CapacityChange[] {
  const now = termsOf(load, costs);
  return ideasFor(load)
    .map(({ title, change, note }) => {
      const then = termsOf({ ...load, ...change }, costs);
      return {
        title,
        cores: atCeiling(then, load),
        saves: scaled(difference(now, then), 1 / load.utilisation),
        note: [note, guessOf(now, then)].filter((each) => each !== null).join(' ') || null,
      };
    })
    .filter(({ saves }) => saves.center > 0)
    .sort((a, b) => b.saves.center - a.saves.center);
}

/** Cores that a load takes when none of them may be busier than the ceiling. */
function atCeiling(terms: readonly Term[], { utilisation }: CapacityLoad) {
  return scaled(sum(terms.map(coresOf)), 1 / utilisation);
}

/** A typical figure beside a measured one is another machine's. */
function guessOf(now: readonly Term[], then: readonly Term[]): string | null {
  const isTypical = ({ cost }: Term) => cost.source === 'typical';
  return then.filter(isTypical).length > now.filter(isTypical).length
    ? 'Uses a typical figure, because that handshake was not measured.'
    : null;
}

function ideasFor({ keepAlive, connectionsPerVisit, resumption, key, group }: CapacityLoad): Idea[] {
  const ideas: (Idea | false)[] = [
    !keepAlive && { title: 'Keep connections alive', change: { keepAlive: true }, note: null },
    keepAlive &&
      connectionsPerVisit > 1 && {
        title: 'Use one connection per visit, as with HTTP/2',
        change: { connectionsPerVisit: 1 },
        note: null,
      },
    !resumption && {
      title: 'Resume sessions',
      change: { resumption: true },
      note: 'Multiple servers must share their ticket keys.',
    },
    key !== 'P-256' && {
      title: 'Use a P-256 certificate',
      change: { key: 'P-256' },
      note: key.startsWith('ML-DSA') ? 'A quantum computer could forge it while it is valid.' : null,
    },
    group !== 'X25519' && {
      title: 'Use X25519 key agreement',
      change: { group: 'X25519' },
      note: group.includes('MLKEM') ? 'A quantum computer could later decrypt traffic recorded today.' : null,
    },
  ];
  return ideas.filter((idea) => idea !== false);
}
