import { printNumber } from '../../../../shared/base/quantity.ts';
import { bySide, labelsOf, sideNames } from '../../../../shared/base/transport.ts';
import { ciOf } from '../../../../shared/kinds/comparison/comparison.ts';
import { describeLink } from '../../../../shared/kinds/comparison/link.ts';
import { printLength } from '../../../../shared/kinds/comparison/load-names.ts';
import { describePath } from '../../../../shared/kinds/comparison/path.ts';
import { describePlacement } from '../../../../shared/kinds/comparison/placement.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { serversOfSides } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import { askedSidesOf } from '../../../../shared/kinds/comparison/side.ts';
import {
  figures,
  list,
  type Report,
  type Section,
  table,
  text,
  texts,
} from '../../../../shared/report/report.ts';
import { describeReadings } from '../../../../shared/target/remote-readings.ts';
import { printUsers } from '../../../../shared/words/at-load-words.ts';
import { hostsInWords } from '../../../../shared/words/host-words.ts';
import { poolInWords } from '../../../../shared/words/pool-words.ts';
import { differencesInWords } from '../../../../shared/words/side-words.ts';
import { softwareInWords } from '../../../../shared/words/software-in-words.ts';
import { targetsInSentence } from '../../../../shared/words/targets-of-sides.ts';
import { unaskedInWords } from '../../../../shared/words/unasked-differences.ts';
import { evidenceOf } from '../../../../shared/words/verdict-evidence.ts';
import { repeatSection, whereSection } from '../../../base/text/report/common-sections.ts';
import { columnTitles, type DeltaRow, deltaRows } from './delta-rows.ts';
import {
  cacheSection,
  droppedSection,
  errorSection,
  fairnessSection,
  hostSection,
  launchSection,
  phaseSection,
  precisionSection,
  programSection,
} from './detail-sections.ts';
import { blocksInWords, headlineOf } from './headline.ts';

/** A run: the verdict and what it rests on, the delta table with its reasons, and the details. */
export function reportComparison(document: RunDocument): Report {
  const {
    id,
    scenario,
    plan,
    createdAt,
    warnings,
    link,
    path,
    hosts,
    readings,
    sides,
    environment,
    command,
  } = document;
  const [baseline, comparison] = columnTitles(document);
  const below = [differencesInWords(askedSidesOf(document)), evidenceOf(document), poolInWords(document)];
  const caution = unaskedInWords(document);
  return {
    title: headlineOf(document),
    lead: [
      ...below.flatMap((line) => (line === null ? [] : text(`${line}.`))),
      ...(caution === null ? [] : [text(caution)]),
    ],
    about: [
      ...(link === undefined ? [] : [describeLink(link)]),
      ...(path === undefined ? [] : [describePath(path, sides)]),
      ...(hosts === undefined ? [] : [`The load came from ${hostsInWords(hosts)}.`]),
      ...(readings === undefined ? [] : [describeReadings(readings)]),
      `Run ${id} of ${new Date(createdAt).toISOString()}: scenario ${scenario.name} on ${targetsInSentence(document)}, ${baseline} against ${comparison}, ${printLength(plan.length)}; ${blocksInWords(document)}.`,
    ],
    notes: warnings,
    sections: [
      deltaSection(document),
      programSection(document),
      launchSection(document),
      precisionSection(document),
      phaseSection(document),
      fairnessSection(document),
      hostSection(document),
      cacheSection(document),
      errorSection(document),
      droppedSection(document),
      whereSection(environment, surroundings(document)),
      repeatSection(command),
    ],
  };
}

function deltaSection(document: RunDocument): Section {
  const rows = deltaRows(document);
  const columns = [
    ...texts('Metric'),
    ...figures(...columnTitles(document), 'Difference', 'Change', ciOf(document.metrics[0] ?? {})),
    ...texts('Outcome'),
    ...figures('Twin'),
  ];
  const cells = rows.map(({ title, baseline, comparison, delta, shift, interval, outcome, twin }) => [
    title,
    ...[baseline, comparison, delta, shift, interval].map(orNone),
    outcome,
    orNone(twin),
  ]);
  return { heading: null, parts: [table(columns, cells), list(reasonsOf(rows))] };
}

function orNone(figure: string): string | null {
  return figure === '' ? null : figure;
}

/** Each reason once, after the metrics that it is given for. */
function reasonsOf(rows: readonly DeltaRow[]): string[] {
  const titles = new Map<string, string[]>();
  for (const { title, reasons } of rows) {
    for (const reason of reasons) titles.set(reason, [...(titles.get(reason) ?? []), title]);
  }
  return [...titles].map(([reason, of]) =>
    of.length === rows.length && of.length > 1 ? `Every metric: ${reason}` : `${of.join('; ')}: ${reason}`,
  );
}

function surroundings(document: RunDocument): string[] {
  const { environment, plan, placement } = document;
  const { users, connectionPolicy, ratePerS, seed } = plan;
  const load = document.atLoad?.users ?? users;
  const openLoad =
    ratePerS === null ? 'no open load' : `${printNumber(ratePerS, 1)} transactions/s in open load`;
  return [
    ...serverLines(document),
    environment.sharedMachine
      ? 'Generator and target share this machine.'
      : 'Generator and target run on different machines.',
    describePlacement(placement),
    [
      ...(load === null ? [] : [printUsers(load)]),
      ...[`connections: ${connectionPolicy}`, openLoad, `seed ${seed}`],
    ].join(', '),
  ];
}

/** `Server: nginx 1.22.1, OpenSSL 3.0.19`; a line for each side where they differ. */
function serverLines(document: RunDocument): string[] {
  const servers = serversOfSides(document);
  const lines = bySide((side) => {
    const server = servers[side];
    if (server === null) return null;
    return softwareInWords(server);
  });
  const { baseline, comparison } = lines;
  if (baseline === null || comparison === null) return [];
  if (baseline === comparison) return [`Server: ${baseline}`];
  const labels = labelsOf(document.sides);
  return sideNames.map((side) => `Server of ${labels[side]}: ${lines[side]}`);
}
