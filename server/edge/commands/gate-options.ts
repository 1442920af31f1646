import { appendFileSync } from 'node:fs';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { Annotation } from '../../../shared/measurement/annotation.ts';
import { printMarkdown } from '../../base/text/report.ts';
import type { comparison } from '../../kinds/comparison/kind.ts';
import type { AnyDocument, Kind } from '../../kinds/kind.ts';
import {
  annotationOf,
  type Condition,
  type Judgment,
  judge,
  parseCondition,
  printJunit,
} from '../../method/gate.ts';
import type { ApiClient } from './api-client.ts';
import { type NamedRun, nameRun, readRun } from './finished-runs.ts';
import { demandWritable, writeText } from './option-values.ts';

/** Limits that a build sets for a result. */
type Gate<Asked = Condition> = {
  conditions: Asked[];
  strict: boolean;
  /** An earlier run, or the one pinned in the series; null to count from no difference between the sides. */
  against: NamedRun | typeof pinned | null;
  junitPath: string | null;
};

/** Value of `--against` that means the run pinned in the series. */
const pinned = 'baseline';

export type GateOptions = { failIf?: string[]; strict?: boolean; against?: string; junit?: string };

/** Throws invalid_arguments, file_unreadable. */
export function gateOf(options: GateOptions): Gate {
  return readGate(options, parseCondition);
}

/** Checks before anything is measured what would otherwise fail after it. Throws as above, and what `parse` throws. */
export function readGate<Asked>(
  { failIf = [], strict = false, against, junit }: GateOptions,
  parse: (text: string) => Asked,
): Gate<Asked> {
  const given = [strict && '--strict', against && '--against', junit && '--junit'].filter(Boolean);
  if (failIf.length === 0 && given.length > 0) {
    throw problem('invalid_arguments', `${given[0]} needs at least one --fail-if.`);
  }
  if (junit !== undefined) demandWritable(junit, '--junit');
  return {
    conditions: failIf.map(parse),
    strict,
    against: againstOf(against),
    junitPath: junit ?? null,
  };
}

function againstOf(text: string | undefined): Gate['against'] {
  if (text === undefined) return null;
  return text === pinned ? pinned : nameRun(text, '--against');
}

/** Gate of a run. */
export function openGate(gate: Gate, kind: typeof comparison, annotation: Annotation) {
  return openGateOf<RunDocument, Condition>(gate, { kind, judge }, annotation);
}

type Judged<Document extends AnyDocument, Asked> = {
  kind: Parameters<typeof readRun<Document>>[1] &
    Pick<Kind<unknown, unknown, unknown, Document, unknown>, 'page' | 'report'>;
  judge(document: Document, condition: Asked, how: { against: Document | null; strict: boolean }): Judgment;
};

type GatedDocument = AnyDocument & Pick<RunDocument, 'id' | 'startedAt' | 'endedAt' | 'command'>;

/**
 * Judges a finished result and writes a sentence for each condition to stderr. The exit code is 3 if a condition failed, 2 if one
 * cannot be judged, otherwise 0. On GitHub the sentences are annotations, and the report is added to the summary of the job.
 */
export function openGateOf<Document extends GatedDocument, Asked extends { text: string }>(
  gate: Gate<Asked>,
  { kind, judge }: Judged<Document, Asked>,
  annotation: Annotation,
) {
  const { conditions, strict, against, junitPath } = gate;
  let earlierOf = async (_document: Document): Promise<Document | null> => null;
  return {
    /** Before anything is measured. Throws invalid_arguments, run_newer, run_not_found. */
    async readEarlier(api: ApiClient): Promise<void> {
      const readStored = (id: string) => api.readDocument(`/${kind.page}/${id}`);
      if (against === null) return;
      if (against === pinned) {
        earlierOf = async (document) => {
          const { baseline: id } = await api.call(runEndpoints.showSeries, { params: { id: document.id } });
          return id === null ? null : readRun({ argument: '--against', id }, kind, readStored);
        };
        return;
      }
      const run = await readRun(against, kind, readStored);
      if (run.state !== 'finished') {
        const what = kind.noun.replace(/^an? /, '');
        throw problem('invalid_arguments', `--against: that ${what} is ${run.state}, not finished.`);
      }
      earlierOf = async () => run;
    },
    async judge(document: Document): Promise<number> {
      if (conditions.length === 0) return 0;
      const earlier = await earlierOf(document);
      const judgments = conditions.map((condition) =>
        against !== null && earlier === null
          ? withoutBaseline(condition)
          : judge(document, condition, { against: earlier, strict }),
      );
      for (const { sentence } of judgments) process.stderr.write(`${sentence}\n`);
      if (junitPath !== null) {
        const seconds = ((document.endedAt ?? 0) - (document.startedAt ?? 0)) / 1000;
        writeText(junitPath, printJunit(judgments, document.command, seconds), '--junit');
      }
      tellGithub(judgments, () => printMarkdown(kind.report(document), annotation));
      return exitCodeOf(judgments);
    },
  };
}

function exitCodeOf(judgments: readonly Judgment[]): number {
  const outcomes = new Set(judgments.map(({ outcome }) => outcome));
  if (outcomes.has('failed')) return 3;
  return outcomes.has('unknown') ? 2 : 0;
}

function withoutBaseline(condition: { text: string }): Judgment {
  const sentence = `${condition.text}: no reference is pinned for runs like this one. Pin one on its page.`;
  return { condition, outcome: 'unknown', sentence };
}

function tellGithub(judgments: readonly Judgment[], report: () => string): void {
  const { GITHUB_ACTIONS: onGithub, GITHUB_STEP_SUMMARY: summaryPath } = process.env;
  if (onGithub !== 'true') return;
  for (const line of judgments.flatMap((judgment) => annotationOf(judgment) ?? [])) {
    process.stderr.write(`${line}\n`);
  }
  if (summaryPath !== undefined) appendFileSync(summaryPath, report());
}
