import type { Environment } from '../../../shared/base/environment.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { FigureChanges, SetupDifference } from '../../../shared/kinds/comparison/result-changes.ts';
import type { Annotation } from '../../../shared/measurement/annotation.ts';
import {
  type Finding,
  figures,
  filledParts,
  filledSections,
  leadOf,
  list,
  noFigure,
  type Part,
  type Report,
  type Section,
  table,
  text,
  texts,
} from '../../../shared/report/report.ts';
import type { MeasurementDocument } from '../../../shared/results/kinds.ts';
import { printFigureChange } from '../../../shared/words/change-words.ts';
import { plainly, tableOf } from '../../../shared/words/message.ts';

/**
 * A report in Markdown (CommonMark and tables). Whatever its texts hold, they stay text.
 * @param annotation what people wrote on the measurement, below the heading
 */
export function printMarkdown(report: Report, annotation: Annotation = noAnnotation): string {
  const { title, lead, about, notes, sections } = report;
  const paragraphs = [
    `# ${plainly(title)}`,
    ...annotationLines(annotation),
    ...filledParts(lead).map(print),
    ...(about.length === 0 ? [] : [about.map(plainly).join(' ')]),
    ...notes.map((note) => `**Note:** ${plainly(note)}`),
    ...filledSections(sections).flatMap(({ heading, lead, parts }) => [
      ...(heading === null ? [] : [`## ${plainly(heading)}`]),
      ...(lead === undefined ? [] : [plainly(lead)]),
      ...parts.map(print),
    ]),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

const noAnnotation: Annotation = { title: null, note: '', tags: [] };

function annotationLines({ title, note, tags }: Annotation): string[] {
  return [
    ...(title === null ? [] : [`**${plainly(title)}**`]),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.map(plainly).join(', ')}`]),
    ...(note === '' ? [] : [quote(note)]),
  ];
}

/** Lines stay lines. */
function quote(note: string): string {
  const paragraphs = note.split(/\n{2,}/).map((paragraph) =>
    paragraph
      .split('\n')
      .map((line) => `> ${plainly(line)}`)
      .join('\\\n'),
  );
  return paragraphs.join('\n>\n');
}

function print(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.sentences.map(plainly).join(' ');
    case 'list':
      return part.lines.map((line) => `- ${plainly(line)}`).join('\n');
    case 'facts':
      return part.facts.map(([name, value]) => `- ${plainly(name)}: ${plainly(value)}`).join('\n');
    case 'table': {
      const cells = tableOf(
        part.columns.map(({ title }) => title),
        part.rows.map((row) => row.map((cell) => cell ?? noFigure)),
        part.columns.map(({ holds }) => (holds === 'figure' ? 'right' : 'left')),
      );
      return part.caption === null ? cells : `${plainly(part.caption)}:\n\n${cells}`;
    }
    case 'command':
      return fence(part.command);
  }
}

/** The fence is longer than any run of backticks inside. */
function fence(command: string): string {
  const longest = Math.max(2, ...(command.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}sh\n${command}\n${mark}`;
}

/** Sections that reports of several kinds have. */

/** A report that begins with the measurement it is of, and ends with where that ran and how to repeat it. */
export function reportOf(
  document: MeasurementDocument,
  { title, lead, measured, about = [], notes = [], sections, where = [] }: Finding,
): Report {
  const { id, createdAt, state, problem, warnings, environment, command } = document;
  const name = `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}`;
  return {
    ...{ title, lead },
    about: [measured === undefined ? `${name}.` : `${name}: ${measured}`, ...about],
    notes: [...(problem === null ? [] : [`${problem.detail} ${problem.advice}`]), ...notes, ...warnings],
    sections: [...sections, whereSection(environment, where), repeatSection(command)],
  };
}

/** @param facts what else was there, in sentences or phrases */
export function whereSection(environment: Environment, facts: readonly string[] = []): Section {
  const { cpuModel, cores, memoryBytes, governor, platform, kernel, node, openssl, product } = environment;
  return {
    heading: 'Where',
    isDetail: true,
    parts: [
      list([
        `${cpuModel}, ${cores} cores, ${printNumber(memoryBytes / 1e9, 1)} GB of memory, governor ${governor ?? 'unknown'}`,
        `${platform}, kernel ${kernel}`,
        `${product}, Node ${node}, OpenSSL ${openssl}`,
        ...facts,
      ]),
    ],
  };
}

export function setupSection(differences: readonly SetupDifference[]): Section {
  const rows = differences.map(({ name, from, to }) => [name, from, to]);
  return {
    heading: 'Set-up',
    parts: [
      rows.length === 0 ? text('Nothing differs in the set-up.') : table(texts('', 'First', 'Second'), rows),
    ],
  };
}

export function repeatSection(command: string): Section {
  return { heading: 'Repeat', isDetail: true, parts: [{ type: 'command', command }] };
}

/** Changes between two measurements of the lab, figure by figure. */
export function reportFigureChanges(changes: FigureChanges): Report {
  const { headline, from, to, setup, cautions, figure, rows } = changes;
  const line = ({ id, title, createdAt }: FigureChanges['from']) =>
    `${id} of ${new Date(createdAt).toISOString()}, ${title}`;
  const columns = [...texts(''), ...figures('First', 'Second', 'Change', '95 % CI'), ...texts('Outcome')];
  const cells = rows.map((row) => {
    const words = printFigureChange(row, figure);
    return [row.name, words.from, words.to, words.change, words.interval, words.word];
  });
  return {
    title: headline.title,
    lead: [...leadOf(headline), list([`First: ${line(from)}`, `Second: ${line(to)}`])],
    about: [],
    notes: cautions,
    sections: [setupSection(setup), { heading: 'Figures', parts: [table(columns, cells)] }],
  };
}
