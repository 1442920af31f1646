import {
  printChange,
  printChangeInterval,
  printNumber,
  printQuantity,
  scaleFor,
} from '../../../../shared/base/quantity.ts';
import { shiftOf } from '../../../../shared/base/shift.ts';
import { transportFacts } from '../../../../shared/base/transport.ts';
import type { DropReason } from '../../../../shared/kinds/comparison/block.ts';
import { describeLink } from '../../../../shared/kinds/comparison/link.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import { describePath } from '../../../../shared/kinds/comparison/path.ts';
import { describePlacement } from '../../../../shared/kinds/comparison/placement.ts';
import type { FairnessSide, RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { type Percentiles, type PhaseName, phaseNames } from '../../../../shared/kinds/comparison/slot.ts';
import { describeReadings } from '../../../../shared/target/remote-readings.ts';
import { nameInSentence } from '../../../../shared/target/target-facts.ts';
import { describeLoad } from '../../../../shared/words/at-load-words.ts';
import { dropAdvice } from '../../../../shared/words/drop-advice.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { poolInWords } from '../../../../shared/words/pool-words.ts';
import { describePrecision, printPlain } from '../../../../shared/words/precision-words.ts';
import { evidenceOf } from '../../../../shared/words/verdict-evidence.ts';
import { listOf } from '../../../base/text/markdown-parts.ts';
import { columnTitles, deltaRows } from './delta-rows.ts';
import { blocksInWords, headlineOf } from './headline.ts';

/** The run as a report in Markdown (CommonMark and tables). Names that come from outside are escaped. */
export function printMarkdown(document: RunDocument): string {
  const sections = [
    `# ${plainly(headlineOf(document))}`,
    introduction(document),
    deltaTable(document),
    launches(document),
    precision(document),
    phases(document),
    fairness(document),
    cache(document),
    errors(document),
    droppedBlocks(document),
    environment(document),
    repeat(document),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function introduction(document: RunDocument): string {
  const { id, scenario, plan, createdAt, warnings } = document;
  const [baseline, comparison] = columnTitles(document);
  const below = [evidenceOf(document), poolInWords(document)].filter((line) => line !== null);
  const facts = [
    ...below.map((line) => `${plainly(line)}.`),
    `Run ${id} of ${new Date(createdAt).toISOString()}: scenario ${plainly(scenario.name)} on ${plainly(nameInSentence(document))}, ${baseline} against ${comparison}, preset ${plan.preset}; ${blocksInWords(document)}.`,
    ...warnings.map((warning) => `**Note:** ${plainly(warning)}`),
  ];
  return facts.join('\n\n');
}

function deltaTable(document: RunDocument): string {
  const rows = deltaRows(document);
  if (rows.length === 0) return '';
  const table = tableOf(
    ['Metric', ...columnTitles(document), 'Difference', 'Change', '95 % CI', 'Outcome', 'Twin'],
    rows.map(({ title, baseline, comparison, delta, shift, interval, outcome, twin }) => [
      ...[title, baseline, comparison, delta, shift, interval, outcome, twin],
    ]),
  );
  const reasons = rows.flatMap((row) => row.reasons.map((reason) => `- ${row.title}: ${plainly(reason)}`));
  return ['## Result', table, ...(reasons.length === 0 ? [] : [reasons.join('\n')])].join('\n\n');
}

/** Of the primary metrics, the estimate of each launch alone. */
function launches(document: RunDocument): string {
  const rows = document.metrics.filter(({ id, launches }) => metricOf(id).primary && launches.length > 0);
  if (document.launches.length === 0 || rows.length === 0) return '';
  const table = tableOf(
    ['Launch', 'Warm-up', ...rows.map(({ id }) => metricOf(id).title)],
    document.launches.map(({ index, warmUp }) => [
      number(index + 1),
      `${printNumber(warmUp.ms / 1000, 1)} s, ${number(warmUp.requests)} requests`,
      ...rows.map((row) => {
        const own = row.launches.find(({ launch }) => launch === index);
        if (own === undefined) return '';
        // A launch of which nothing is known but its value has an interval of no width.
        return own.ratio.lo < own.ratio.hi ? printChangeInterval(own.ratio) : printChange(own.ratio.center);
      }),
    ]),
  );
  return `## Launches\n\nThe change in each launch: a 95 % CI for what varied within it, where that is known.\n\n${table}`;
}

/** What each interval rests on, and the one that this run alone would give. */
function precision({ metrics }: RunDocument): string {
  const rows = metrics.filter((row) => row.precision !== undefined && shiftOf(row) !== null);
  if (rows.length === 0) return '';
  const table = tableOf(
    ['Metric', '95 % CI', 'This run alone', 'Rests on'],
    rows.map((row) => [
      metricOf(row.id).title,
      shiftOf(row)?.interval ?? '',
      printPlain(row) ?? '',
      describePrecision(row).join(' '),
    ]),
  );
  return `## Precision\n\n${table}`;
}

const phaseTitles: Record<PhaseName, string> = {
  connectUs: 'Connecting',
  tlsUs: 'TLS handshake',
  ttfbUs: 'Waiting for the first byte',
  downloadUs: 'Download',
};

/** Where the time of a transaction goes; what never happened is left out. */
function phases(document: RunDocument): string {
  const sides = document.phases;
  if (sides === null) return '';
  const names = phaseNames.filter((name) => sides.baseline?.[name] || sides.comparison?.[name]);
  if (names.length === 0) return '';
  const rows = names.map((name) => {
    const figures = [sides.baseline?.[name], sides.comparison?.[name]];
    const scale = scaleFor(
      'us',
      figures.flatMap((each) => (each ? [each.p50, each.p90] : [])),
    );
    const print = (each: Percentiles | null | undefined) =>
      each ? `${printQuantity(each.p50, scale)} / ${printQuantity(each.p90, scale)}` : '';
    return [phaseTitles[name], ...figures.map(print)];
  });
  return `## Where the time goes\n\nOf a transaction, median / 90th percentile.\n\n${tableOf(['Phase', ...columnTitles(document)], rows)}`;
}

const points = 'lone user / at load / open load';

function fairness(document: RunDocument): string {
  if (document.fairness === null) return '';
  const { baseline, comparison } = document.fairness;
  const { tls } = document;
  const row = (title: string, read: (side: FairnessSide) => string) => [
    title,
    read(baseline),
    read(comparison),
  ];
  const table = tableOf(
    ['', ...columnTitles(document)],
    [
      row('HTTP version', (side) => side.httpVersion),
      row('Content encoding', (side) => (side.contentEncoding === '' ? 'none' : side.contentEncoding)),
      row('Body bytes per transaction', (side) => number(side.bodyBytesPerTransaction)),
      row(`Generator CPU, ${points}`, (side) => percentages(side.generatorCpuPercent)),
      row(`Target CPU, ${points}`, (side) => percentages(side.targetCpuPercent)),
      ['Connections', number(tls.connections.baseline), number(tls.connections.comparison)],
    ],
  );
  const negotiated = [tls.protocol, tls.cipher, tls.group, tls.key, tls.alpn].filter((part) => part !== null);
  const handshakes = `${number(tls.handshakes.full)} full and ${number(tls.handshakes.resumed)} resumed handshakes`;
  const sentence =
    negotiated.length === 0 ? '' : `Negotiated: ${plainly(negotiated.join(', '))}; ${handshakes}.`;
  const load = document.atLoad === undefined ? '' : describeLoad(document.atLoad).join(' ');
  return ['## Fairness', load, table, sentence].filter((part) => part !== '').join('\n\n');
}

function cache({ cache: { findings } }: RunDocument): string {
  return findings.length === 0 ? '' : `## Browser cache\n\n${listOf(findings)}`;
}

function errors(document: RunDocument): string {
  if (document.errors.length === 0) return '';
  const rows = document.errors.map(({ transport, step, outcome, detail, count }) => [
    transportFacts[transport].name,
    step ?? '',
    outcome.replaceAll('_', ' '),
    detail,
    number(count),
  ]);
  return `## Errors\n\n${tableOf(['Side', 'Step', 'What', 'Detail', 'Count'], rows)}`;
}

function droppedBlocks({ blocks }: RunDocument): string {
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  if (dropped.length === 0) return '';
  const lines = dropped.map(
    ({ index, kind, reasons }) =>
      `Block ${index} (${kind}), for ${whatIsSpoiled(reasons)}: ${reasons.map(({ message }) => message).join(' ')}`,
  );
  const codes = new Set(dropped.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
  const advice = [...codes].map((code) => dropAdvice[code]);
  return `## Blocks left out\n\n${listOf(lines)}\n\nWhat helps:\n\n${listOf(advice)}`;
}

function whatIsSpoiled(reasons: readonly DropReason[]): string {
  const spoiled = new Set(reasons.map(({ spoils }) => spoils));
  return spoiled.has('all') ? 'every metric' : [...spoiled].join(' and ');
}

function environment({
  environment: where,
  plan,
  server,
  placement,
  link,
  readings,
  path,
  sides,
}: RunDocument): string {
  const facts = [
    `${where.cpuModel}, ${where.cores} cores, ${printNumber(where.memoryBytes / 1e9, 1)} GB of memory, governor ${where.governor ?? 'unknown'}`,
    `${where.platform}, kernel ${where.kernel}`,
    `TLS Toll ${where.product}, Node ${where.node}, OpenSSL ${where.openssl}`,
    ...(server === null
      ? []
      : [
          `Server: ${plainly(`${server.title} ${server.version}, ${server.tlsLibrary ?? 'TLS library not readable'}`)}`,
        ]),
    where.sharedMachine
      ? 'Generator and target share this machine.'
      : 'Generator and target run on different machines.',
    describePlacement(placement),
    ...(link === undefined ? [] : [describeLink(link)]),
    ...(path === undefined ? [] : [describePath(path, sides)]),
    ...(readings === undefined ? [] : [plainly(describeReadings(readings))]),
    `${plan.connections} connections, ${plan.connectionPolicy}, ${plan.ratePerS === null ? 'no open load' : `${printNumber(plan.ratePerS, 1)} transactions/s in open load`}, seed ${plan.seed}`,
  ];
  return `## Environment\n\n${listOf(facts)}`;
}

/** The fence is longer than any run of backticks inside. */
function repeat({ command }: RunDocument): string {
  const longest = Math.max(2, ...(command.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `## Repeat\n\n${fence}sh\n${command}\n${fence}`;
}

function number(value: number | null): string {
  return value === null ? '' : printNumber(value, 0);
}

function percentages({ lockstep, maximum, steady }: FairnessSide['targetCpuPercent']): string {
  const print = (value: number | null) => (value === null ? '–' : `${printNumber(value, 1)} %`);
  return [lockstep, maximum, steady].map(print).join(' / ');
}
