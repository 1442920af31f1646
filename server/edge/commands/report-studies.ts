import { printNumber } from '../../../shared/base/quantity.ts';
import {
  list,
  noFigure,
  type Report,
  type Section,
  table,
  text,
  texts,
} from '../../../shared/report/report.ts';
import { countRows } from '../../../shared/studies/count-rows.ts';
import type { PlannedMeasurement, StudyReport, StudyRow } from '../../../shared/studies/study-report.ts';
import { examplesInWords } from '../../../shared/words/example-words.ts';

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
              text(`${of}.`, `Measured on: ${machine}.`),
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

/** What stands in, and why something is not measured. */
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
