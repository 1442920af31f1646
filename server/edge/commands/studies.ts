import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { studyEndpoints } from '../../../shared/api/session-endpoints.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { MeasurementState } from '../../../shared/measurement/measurement.ts';
import {
  list,
  noFigure,
  type Report,
  type Section,
  table,
  text,
  texts,
} from '../../../shared/report/report.ts';
import {
  countRows,
  isMeasuredHere,
  missingOf,
  type PlannedMeasurement,
  type StudyReport,
  type StudyRow,
} from '../../../shared/studies/study-report.ts';
import { examplesInWords } from '../../../shared/words/example-words.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { type ApiClient, withDashboard } from './api-client.ts';
import { follow } from './follow.ts';
import { verb } from './verb.ts';

const options = verb('studies')
  .description(
    'Checks what five studies from 1997 to 2011 and today’s field said about the cost of TLS: measures what is missing, one run after the other, and prints each claim with today’s figure.',
  )
  .option(
    '--full',
    'Also measure Malmgren’s whole grid, session tickets, and sizes of records, 14 minutes more, and two TLS libraries if they are known, 2 minutes',
  )
  .option('--no-measure', 'Print what is known and measure nothing')
  .option('--json', 'Print JSON')
  .option('--markdown', 'Print a report in Markdown');

export async function studies(args: string[]): Promise<number> {
  const { full, measure, format } = parseStudies(args);
  return withDashboard(async (api, url) => {
    const code = measure ? await measureMissing(api, full) : 0;
    const report = await api.call(studyEndpoints.showStudies);
    const prints = {
      json: () => `${JSON.stringify(report)}\n`,
      markdown: () => printMarkdown(reportStudies(report, url)),
      terminal: () => printTerminal(reportStudies(report, url)),
    };
    process.stdout.write(prints[format]());
    return code;
  });
}

/** Throws invalid_arguments. */
export function parseStudies(args: string[]) {
  options.parse(args, { from: 'user' });
  const { full = false, measure, json = false, markdown = false } = options.opts();
  if (json && markdown) throw problem('invalid_arguments', 'Choose one of --json and --markdown.');
  const format = json ? ('json' as const) : markdown ? ('markdown' as const) : ('terminal' as const);
  return { full, measure, format };
}

/**
 * One after the other, as the plan has them; what is on its way is followed, and what ended early goes on. Resolves to the exit code:
 * if one fails or is refused, its claims stay unmeasured, and the next one starts.
 */
async function measureMissing(api: ApiClient, full: boolean): Promise<number> {
  const { measurements: before } = await api.call(studyEndpoints.showStudies);
  for (const { title, why, lacking, full: onlyFull } of before) {
    if (lacking && (full || !onlyFull)) process.stderr.write(`Skipped: ${title}. ${why}\n`);
  }
  const all = [...missingOf(before, full), ...before.filter(({ going }) => going !== null)];
  if (all.length > 0) process.stderr.write(`${announce(all)}\n`);
  let code = 0;
  for (const [place, { name, title }] of before.filter((each) => all.includes(each)).entries()) {
    // Somebody else may have measured it meanwhile.
    const { measurements } = await api.call(studyEndpoints.showStudies);
    const now = measurements.find((each) => each.name === name);
    if (now === undefined || isMeasuredHere(now)) continue;
    process.stderr.write(`${place + 1} of ${all.length}: ${title}\n`);
    const state = await measureOne(api, now);
    if (state === 'incomplete' || state === 'interrupted') {
      process.stderr.write('Interrupted. What was measured stays; the same command goes on from here.\n');
      return 1;
    }
    if (state !== 'finished') code = state === 'refused' ? Math.max(code, 2) : 1;
  }
  return code;
}

/** `11 runs are missing: about 14 minutes on a quiet machine.` */
function announce(missing: readonly PlannedMeasurement[]): string {
  const minutes = Math.ceil(missing.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const count = missing.length === 1 ? '1 run is' : `${missing.length} runs are`;
  return `${count} missing: about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} on a quiet machine. Stop with Ctrl-C; what was measured stays.`;
}

async function measureOne(api: ApiClient, planned: PlannedMeasurement): Promise<MeasurementState> {
  try {
    const { id, url } = planned.going ?? (await start(api, planned));
    const text = await follow(api, id, url);
    const { state, problem: ended } = JSON.parse(text) as {
      state: MeasurementState;
      problem: { detail: string } | null;
    };
    if (ended !== null) process.stderr.write(`${ended.detail}\n`);
    return state;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    process.stderr.write(`${error.problem.detail}\n`);
    return error.problem.status < 500 ? 'refused' : 'failed';
  }
}

async function start(api: ApiClient, { request, resumes, key }: PlannedMeasurement) {
  if (resumes !== null) return api.call(measurementEndpoints.resumeMeasurement, { params: { id: resumes } });
  return api.call(measurementEndpoints.createMeasurement, {
    body: request,
    headers: { 'idempotency-key': key },
  });
}

/**
 * The claims, study by study, and the measurements that answer them.
 * @param url of a dashboard that stays, where their permalinks lead; null for one that ends with the command
 */
export function reportStudies({ studies, measurements, rows }: StudyReport, url: string | null): Report {
  return {
    title: `Of ${printNumber(rows.length, 0)} claims about the cost of TLS: ${countRows(rows)}`,
    lead: [],
    about: [
      'A claim holds if the whole 95 % interval of today’s figure is within the range next to it, and no longer holds if the whole interval is outside.',
      ...[examplesInWords(measurements) ?? []].flat(),
    ],
    notes: [],
    sections: [
      ...studies.flatMap(({ name, year, title, machine, source, date, url: address, group }): Section[] => {
        const own = rows.filter((row) => row.study === name);
        const of = group === 'study' ? source : `${source}, ${date}${address === null ? '' : `, ${address}`}`;
        return [
          {
            heading: `${title}, ${year}`,
            parts: [
              text(`${of}.`, ...(machine === null ? [] : [`Measured on: ${machine}.`])),
              claimTable(
                own.filter((row) => row.table === null),
                measurements,
              ),
              list(own.filter((row) => row.table === null).flatMap(noteOf)),
              list(tablesOf(own).map(([of, its]) => `${of}: ${countRows(its)} (${its.length} rows).`)),
            ],
          },
          ...tablesOf(own).map(
            ([of, its]): Section => ({
              heading: `${title}, ${year}: ${of}`,
              isDetail: true,
              parts: [claimTable(its, measurements)],
            }),
          ),
        ];
      }),
      evidence(measurements, url),
    ],
  };
}

function tablesOf(rows: readonly StudyRow[]): [string, StudyRow[]][] {
  return [...Map.groupBy(rows, (row) => row.table ?? '')].filter(([of]) => of !== '');
}

function claimTable(rows: readonly StudyRow[], measurements: readonly PlannedMeasurement[]) {
  return table(
    texts('Claim', 'Then', 'Now', 'Holds if', 'Outcome', 'By'),
    rows.map(({ said, printed, now, rule, word, by }) => [
      ...[said, printed ?? noFigure, now?.today.replace(/\.$/, '') ?? noFigure, rule ?? noFigure, word],
      by === null ? noFigure : `[${measurements.findIndex(({ name }) => name === by) + 1}]`,
    ]),
  );
}

/** Says what stands in for a measurement, and why something is not measured. */
function noteOf({ said, note, why }: StudyRow): string[] {
  const notes = [why, note].filter((each) => each !== null);
  return notes.length === 0 ? [] : [`${said}: ${notes.join(' ')}`];
}

function evidence(measurements: readonly PlannedMeasurement[], url: string | null): Section {
  return {
    heading: 'Measurements',
    parts: [
      list(
        measurements.map(({ title, measured, why, full }, index) => {
          const number = `[${index + 1}] ${title}`;
          if (measured === null)
            return `${number}: not measured${full ? ' (--full measures it)' : ''}. ${why ?? ''}`.trim();
          const { createdAt, cpuModel, cores, isExample } = measured;
          const at = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
          const link = url === null ? measured.id : `${url}${measured.url}`;
          return `${number}: ${isExample ? 'example, not measured here, ' : ''}${at} UTC, ${cpuModel}, ${cores} cores, ${link}`;
        }),
      ),
    ],
  };
}
