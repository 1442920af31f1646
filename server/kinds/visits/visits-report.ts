import {
  addedTo,
  lessOne,
  mapEstimate,
  movedTo,
  scaledTo,
} from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber, printQuantity } from '../../../shared/base/quantity.ts';
import {
  type Arm,
  armTitles,
  type BySide,
  bySide,
  isEncrypted,
  type KnownSide,
  labelsOf,
  pairOf,
  sideNames,
  twoSidesAndTwin,
} from '../../../shared/base/transport.ts';
import {
  describeLink,
  type Link,
  linkInWords,
  loopbackFavorsTcp,
} from '../../../shared/kinds/comparison/link.ts';
import { printDifferenceOf, scaleOf, shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { visitProtocolNames } from '../../../shared/kinds/visits/options.ts';
import {
  isPrimary,
  keyOfRow,
  turnOf,
  visitsHeadline,
  visitTolerance,
  whereItPays,
} from '../../../shared/kinds/visits/visit-judgement.ts';
import {
  idleOf,
  journeyName,
  type PageRequest,
  type Pass,
  type PassKind,
  passesOf,
  passKinds,
  type Spoken,
  sidesOfVisits,
  timeInSentence,
  type Visit,
  type VisitQuantity,
  type VisitRow,
  type VisitsBlock,
  type VisitsDocument,
  type VisitsFacts,
  type VisitsRequest,
  visitQuantities,
  visitTimes,
  visitTimeTitles,
  type Waterfall,
} from '../../../shared/kinds/visits/visits.ts';
import {
  byReason,
  type Column,
  figures,
  leadOf,
  list,
  type Part,
  quantities,
  type Report,
  type ReportCell,
  table,
  text,
  texts,
} from '../../../shared/report/report.ts';
import { causesOfVisits } from '../../../shared/words/causes.ts';
import { outcomeInWords } from '../../../shared/words/change-words.ts';
import { reportOf } from '../../base/text/report.ts';
import { median, medianInterval } from '../../method/statistics/intervals.ts';
import { decideOutcomes } from '../../method/statistics/outcome-decision.ts';
import {
  comparePaired,
  fewestDifferences,
  type Pair,
  type PairedComparison,
} from '../../method/statistics/paired.ts';

/** Difference between the sides for a visitor: a row for each time of the cold and of the warm visit. */
export function reportVisits(document: VisitsDocument): Report {
  const { sides, rows, blocks, notes, browser, seed } = document;
  const headline = visitsHeadline(document);
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  const { baseline: first, comparison: second } = labelsOf(sides);
  const shown = rows.filter(({ link = 0 }) => link === 0);
  const columns = [
    ...texts('Visit', 'Time'),
    ...quantities([first, 'first'], [second, 'second'], ['Difference', 'difference']),
    ...quantities(['Change', 'change'], ['95 % CI', 'change']),
    ...texts('Outcome'),
  ];
  return reportOf(document, {
    title:
      headline?.title ?? `${second} compared with ${first} for a visitor: ${journeyName(document.request)}`,
    lead: leadOf(headline),
    measured: `${journeyName(document.request)}, ${kept} rounds of six visits in ${browser}, with 95 % CI, seed ${seed ?? 'none'}.`,
    sections: [
      {
        heading: null,
        parts: [
          table(columns, shown.map(cellsOf), null, shown.map(keyOfRow)),
          list([...byReason(reasonsOf(shown)), ...notes]),
        ],
      },
      ...sectionsOfLinks(document, columns),
      { heading: 'Page by page', isDetail: true, parts: pageTable(document) },
    ],
  });
}

/** The load of a first visit on each link, then all times of the links after the first. */
function sectionsOfLinks(document: VisitsDocument, columns: Column[]): Report['sections'] {
  const { rows, request } = document;
  const { links } = request;
  if (links.length < 2) return [];
  const loads = rows.filter((row) => row.link !== undefined && row.pass === 'cold' && row.time === 'loadUs');
  const wordsOf = ({ link = 0 }: VisitRow) => linkInWords(links[link] as Link);
  const pays = whereItPays(document);
  return [
    {
      heading: 'Load of a first visit by link',
      parts: [
        ...(pays === null ? [] : [text(pays)]),
        table(
          [...texts('Link'), ...columns.slice(2)],
          loads.map((row) => [wordsOf(row), ...cellsOf(row).slice(2)]),
          null,
          loads.map(keyOfRow),
        ),
      ],
    },
    ...links.slice(1).map((link, index) => {
      const own = rows.filter((row) => row.link === index + 1);
      return {
        heading: `Over ${linkInWords(link)}`,
        isDetail: true as const,
        parts: [table(columns, own.map(cellsOf), null, own.map(keyOfRow)), list(byReason(reasonsOf(own)))],
      };
    }),
  ];
}

function cellsOf(row: VisitRow): ReportCell[] {
  const compared = { ...row, unit: 'us' as const };
  const scale = scaleOf(compared);
  const shift = shiftOf(compared);
  const printed = shift === null ? null : printDifferenceOf(compared);
  const side = (estimate: VisitRow['baseline']) =>
    estimate === null ? null : printQuantity(estimate.center, scale);
  return [
    row.pass,
    visitTimeTitles[row.time],
    side(row.baseline),
    side(row.comparison),
    printed?.signed ?? null,
    printed?.change?.signed ?? null,
    shift?.interval ?? null,
    outcomeInWords(row.outcome, (row.ratio?.center ?? 1) - 1, 'lower', visitTolerance),
  ];
}

function reasonsOf(rows: readonly VisitRow[]) {
  return rows.flatMap(({ pass, time, reasons }) =>
    reasons.map((reason) => ({ name: `${pass} ${timeInSentence(time)}`, reason })),
  );
}

/** Summary of the waterfalls: a row for each page of each side and pass; nothing before there are any. */
function pageTable({ sides, waterfalls }: Pick<VisitsDocument, 'sides' | 'waterfalls'>): Part[] {
  if (waterfalls === undefined) return [];
  const labels = labelsOf(sides);
  const rows = passKinds.flatMap((pass) =>
    sideNames.flatMap((side) =>
      (waterfalls[side][pass] ?? []).map((page, index) => ({
        of: `visits/${pass}/${side} page ${index + 1}`,
        cells: [
          ...[page.path, pass, labels[side]],
          ...[page.ttfbUs, page.fcpUs, page.lcpUs, page.loadUs].map(printMs),
          printNumber(page.requests.length + page.more, 0),
          ...handshakesOf(page.requests),
        ],
      })),
    ),
  );
  const columns = [
    ...texts('Page', 'Visit', 'Side'),
    ...quantities(['First byte, ms', 'ttfb'], ['First paint, ms', 'fcp']),
    ...quantities(['Largest paint, ms', 'lcp'], ['Load, ms', 'load']),
    ...figures('Requests', 'TLS handshakes'),
    ...quantities(['In handshakes, ms', 'handshakes']),
  ];
  return [
    table(
      columns,
      rows.map(({ cells }) => cells),
      null,
      rows.map(({ of }) => of),
    ),
  ];
}

function handshakesOf(requests: readonly PageRequest[]): string[] {
  const made = requests.filter(({ tlsUs }) => tlsUs > 0);
  const us = made.reduce((sum, { tlsUs }) => sum + tlsUs, 0);
  return [printNumber(made.length, 0), printNumber(us / 1000, 1)];
}

function printMs(us: number | null): string | null {
  return us === null ? null : printNumber(us / 1000, 1);
}

/** Blocks → one row a time and pass, by the statistics of a run. Dropped blocks take no part. */
export function analyseVisits(blocks: readonly VisitsBlock[]): VisitRow[] {
  const overLinks = Map.groupBy(blocks, ({ link }) => link);
  if (overLinks.size === 0) return analysePath([]);
  return [...overLinks].flatMap(([link, own]) =>
    analysePath(own).map((row) => (link === undefined ? row : { ...row, link })),
  );
}

/** Rows of one link, which are decided apart from those of others. */
function analysePath(blocks: readonly VisitsBlock[]): VisitRow[] {
  const kept = blocks.filter(({ dropped }) => dropped === null);
  const isCpuRead = blocks.some(({ visits }) => visits.some(({ cold }) => cold.serverCpuUs !== undefined));
  const quantities = isCpuRead ? visitQuantities : visitTimes;
  const isResumed = blocks.some(({ visits }) => visits.some(({ resumed }) => resumed !== undefined));
  const passes = passesOf({ resumed: isResumed });
  const rows = passes.flatMap((pass) => quantities.map((time) => rowOf(kept, pass, time)));
  const inTurn = rows.toSorted((a, b) => turnOf(a) - turnOf(b));
  const decisions = decideOutcomes(
    inTurn.map(({ pass, time, paired, narrow, refusals }) => ({
      metric: { better: 'lower', primary: isPrimary({ pass, time }) },
      shift: mapEstimate(paired.ratio, lessOne),
      narrowShift: mapEstimate(narrow.ratio, lessOne),
      pValue: paired.pValue,
      tolerance: visitTolerance,
      refusals: refusals.length > 0 || paired.ratio !== null ? refusals : [tooFew(paired)],
    })),
  );
  const decided = new Map(inTurn.map((row, index) => [row, decisions[index]]));
  return rows.map((row) => ({
    ...{ pass: row.pass, time: row.time, baseline: row.baseline, ...secondOf(row) },
    ...{ ratio: row.paired.ratio, twinRatio: row.twin.ratio },
    pairs: row.paired.ratio === null ? [] : row.paired.perBlock,
    outcome: decided.get(row)?.outcome ?? 'refused',
    reasons: decided.get(row)?.reasons ?? [],
  }));
}

function rowOf(kept: readonly VisitsBlock[], pass: PassKind, time: VisitQuantity) {
  const read = (arm: Arm, { visits }: VisitsBlock) => valuesOf(visits, arm, pass, time);
  const complete = kept.filter((block) => block.visits.every((visit) => visit[pass]?.[time] != null));
  const pairs = (other: Arm): Pair[] =>
    complete.map((block) => ({ a: read('baseline', block), b: read(other, block) }));
  const medianOf = (arm: Arm) => medianInterval(complete.flatMap((block) => read(arm, block)));
  const full = kept.flatMap(({ visits }) => visits).filter((visit) => visit[pass]?.tlsResumed === false);
  const refusals = [
    ...(kept.length > 0 && complete.length === 0
      ? ['A document of the journey painted nothing, so this time does not exist.']
      : []),
    ...(full.length === 0
      ? []
      : [`The server made ${full.length} full TLS handshakes on these visits, so they resumed no session.`]),
  ];
  return {
    ...{ pass, time, refusals },
    baseline: medianOf('baseline'),
    comparison: medianOf('comparison'),
    paired: comparePaired(pairs('comparison'), 'ratio'),
    narrow: comparePaired(pairs('comparison'), 'ratio', 0.9),
    twin: comparePaired(pairs('twin'), 'ratio'),
  };
}

/** Centers come from the first side and the ratio, so that a reader who subtracts or divides gets what is printed. */
function secondOf({ baseline, comparison, paired: { ratio, delta } }: ReturnType<typeof rowOf>) {
  if (baseline === null || comparison === null || ratio === null) return { comparison, delta };
  const { center } = addedTo(baseline, ratio);
  return {
    comparison: scaledTo(comparison, baseline.center + center),
    delta: delta === null ? null : movedTo(delta, center),
  };
}

function tooFew({ perBlock }: PairedComparison): string {
  return `Only ${perBlock.length} of the rounds have this time. An interval needs ${fewestDifferences}.`;
}

function valuesOf(visits: readonly Visit[], arm: Arm, pass: PassKind, time: VisitQuantity): number[] {
  return visits.flatMap((visit) => {
    const value = visit.arm === arm ? visit[pass]?.[time] : null;
    return value == null ? [] : [value];
  });
}

type NotedFacts = Pick<VisitsFacts, 'spoken' | 'arrived' | 'links' | 'ownTwin' | 'unfilmed'>;

/** Sentences about what was compared, and how far its figures go. */
export function visitNotes(
  request: VisitsRequest,
  blocks: readonly VisitsBlock[],
  { spoken, arrived, links = [], ownTwin, unfilmed }: NotedFacts,
): string[] {
  const sides = sidesOfVisits(request);
  const labels = labelsOf(sides);
  const dropped = blocks.flatMap(({ dropped }) => (dropped === null ? [] : [dropped]));
  return [
    ...causesOfVisits({ spoken, sides }).map(({ sentence, remedy }) => `${sentence} ${remedy}`),
    ...(spoken === null ? [] : [comparedWhat(spoken, sides)]),
    ...(arrived === undefined ? [] : proofsOf(request, arrived)),
    ...links.map(describeLink),
    ...(links.some(({ by }) => by !== undefined) ? sendersOf(request) : []),
    ...(links.length < 2
      ? []
      : ['Links were visited one after the other. Waterfalls and pictures are those of the last one.']),
    ...passesOf(request).flatMap((pass) => countsOf(blocks, pass, labels)),
    ...(request.resumed && blocks.length > 0 ? returnsOf(request, blocks) : []),
    ...(ownTwin
      ? []
      : [
          `The control uses the ${labels.baseline} address itself, so it does not show differences between processes.`,
        ]),
    ...(dropped.length === 0
      ? []
      : [`${dropped.length} of ${blocks.length} rounds were discarded: ${dropped[0]}`]),
    ...(unfilmed === undefined ? [] : [unfilmed]),
    'Times are sums over the documents of the journey. Its pages share cached files, even on the first visit. Each visit is one browser on an idle server, so the times do not describe a server under load.',
  ];
}

function comparedWhat({ baseline, comparison }: BySide<Spoken>, sides: BySide<KnownSide>): string {
  const said = ({ protocols, encodings }: Spoken) =>
    `${protocols.join(' and ')} (encodings: ${encodings.join(', ')})`;
  if (isEncrypted(sides.baseline.transport) === isEncrypted(sides.comparison.transport))
    return `The first side spoke ${said(baseline)}, the second ${said(comparison)}.`;
  const { baseline: first, comparison: second } = labelsOf(sides);
  return said(baseline) === said(comparison)
    ? `Compared is TLS only: both sides spoke ${said(baseline)}.`
    : `Compared is what users get, not TLS only: ${first} spoke ${said(baseline)}, ${second} ${said(comparison)}.`;
}

/** Evidence that a side spoke what it is called by, and what the path over loopback does to the comparison. */
function proofsOf(request: VisitsRequest, arrived: NonNullable<VisitsFacts['arrived']>): string[] {
  const overUdp = sideNames.filter((side) => request[side] === 'h3');
  const proofs = sideNames.flatMap((side) => {
    const count = arrived[side][request[side]] ?? 0;
    const name = visitProtocolNames[request[side]];
    return count === 0 ? [] : [`${printNumber(count, 0)} of the ${armTitles[side]} over ${name}`];
  });
  return [
    ...(proofs.length === 0
      ? []
      : [
          `By the browser’s own account, every response came over the protocol of its side: ${proofs.join(', ')}, icons included.`,
        ]),
    ...(overUdp.length === 1 && request.links.length === 0
      ? [
          `There is no link between browser and server: ${loopbackFavorsTcp}. Add a link, such as --links 20ms.`,
        ]
      : []),
  ];
}

/** Congestion control of a side whose bytes QUIC sends; that of TCP is a part of the link. Source: quic-go, internal/congestion/cubic_sender.go. */
function sendersOf({ target, ...request }: VisitsRequest): string[] {
  if (!sideNames.some((side) => request[side] === 'h3')) return [];
  const caddys = 'Caddy’s is Reno with an initial window of 32 packets, by the source of quic-go';
  const whose = target.kind === 'managed' ? caddys : 'your server’s is unknown';
  return [`QUIC has congestion control of its own, not that of the link: ${whose}.`];
}

/** Requests, bytes and cache hits are the same on every visit, or else worth a word. */
function countsOf(blocks: readonly VisitsBlock[], pass: PassKind, labels: BySide<string>): string[] {
  const of = (arm: Arm) =>
    blocks.flatMap(({ visits }) => visits.flatMap((visit) => (visit.arm === arm ? (visit[pass] ?? []) : [])));
  const [baseline, comparison] = [of('baseline'), of('comparison')].map(describeCounts);
  if (blocks.length === 0) return [];
  const name = `${pass.charAt(0).toUpperCase()}${pass.slice(1)}`;
  return [
    baseline === comparison
      ? `${name}, on both sides: ${baseline}.`
      : `${name}: over ${labels.baseline} ${baseline}; over ${labels.comparison} ${comparison}.`,
  ];
}

/** Evidence that visitors who came back opened a connection and resumed their TLS session. */
function returnsOf(request: VisitsRequest, blocks: readonly VisitsBlock[]): string[] {
  const labels = labelsOf(sidesOfVisits(request));
  const passes = blocks.flatMap(({ visits }) => visits);
  const handshakes = sideNames
    .filter((side) => request[side] !== 'http')
    .map((side) => {
      const own = passes.flatMap(({ arm, resumed }) =>
        arm === side && resumed !== undefined ? [resumed] : [],
      );
      const told = own.flatMap(({ tlsResumed }) => tlsResumed ?? []);
      const resumed = told.filter((each) => each).length;
      return told.length === 0
        ? `Over ${labels[side]}, the server does not say whether it resumed the TLS session.`
        : `Over ${labels[side]}, the server says that it resumed the TLS session on ${resumed} of ${told.length} visits.`;
    });
  return [
    `Resumed visits came when idle connections had been closed, after ${idleOf(request)} s. By the browser’s own account, each opened new connections. ${handshakes.join(' ')}`.trim(),
  ];
}

function describeCounts(passes: readonly Pass[]): string {
  const range = (of: 'requests' | 'cacheHits' | 'bytes') => {
    const values = passes.map((pass) => pass[of]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return `${printNumber(least, 0)}${least === most ? '' : ` to ${printNumber(most, 0)}`}`;
  };
  if (passes.length === 0) return 'nothing';
  return `${range('requests')} requests, ${range('cacheHits')} from the cache, ${range('bytes')} bytes`;
}

/** The target that a request needs, with the page that a server of ours serves for it. */
export function askVisits(request: VisitsRequest) {
  return {
    ...{ target: request.target, arms: twoSidesAndTwin, transports: pairOf(sidesOfVisits(request)) },
    http3: sideNames.map((side) => request[side] === 'h3'),
    ...(request.target.kind === 'managed'
      ? { page: { objects: request.objects, idleS: idleOf(request) } }
      : {}),
    fieldOf: (side: Arm, field: string) => (field === 'transport' ? side : field),
  };
}

/** A visit with what it did request by request. */
export type SeenVisit = Visit & { waterfall: Waterfall };

/** Per side, the visit whose first load is nearest to the median: a real one, and no rare one. Null before both have one. */
export function typicalVisits(seen: readonly SeenVisit[]): BySide<Waterfall> | null {
  const typical = bySide((side) => {
    const own = seen.filter(({ arm }) => arm === side);
    if (own.length === 0) return null;
    const middle = median(own.map(({ cold }) => cold.loadUs));
    const away = ({ cold }: SeenVisit) => Math.abs(cold.loadUs - middle);
    return own.reduce((best, each) => (away(each) < away(best) ? each : best)).waterfall;
  });
  const { baseline, comparison } = typical;
  return baseline === null || comparison === null ? null : { baseline, comparison };
}
