import { accessSync, appendFileSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ProblemError, problem } from '../../shared/problem.ts';
import type { RunDocument } from '../../shared/run.ts';
import { permalinkIdSchema } from '../../shared/units.ts';
import { annotationOf } from '../gate/annotation.ts';
import { type Condition, parseCondition } from '../gate/condition.ts';
import { type Judgment, judge } from '../gate/judge.ts';
import { printJunit } from '../gate/junit.ts';
import type { comparison } from '../kinds/comparison/kind.ts';
import { upgradeDocument } from '../measurement/upgrade.ts';
import type { ApiClient } from './api-client.ts';
import { readText } from './read-text.ts';

/** What a build asks of a run. */
export type Gate = {
  conditions: Condition[];
  strict: boolean;
  /** An earlier run; null for no difference between the sides. */
  against: { id: string } | { value: unknown } | null;
  junitPath: string | null;
};

type GateOptions = { failIf?: string[]; strict?: boolean; against?: string; junit?: string };

/** Throws invalid_arguments, file_unreadable. What would fail after the run is refused before it. */
export function gateOf({ failIf = [], strict = false, against, junit }: GateOptions): Gate {
  const given = [strict && '--strict', against && '--against', junit && '--junit'].filter(Boolean);
  if (failIf.length === 0 && given.length > 0) {
    throw problem('invalid_arguments', `${given[0]} needs at least one --fail-if.`);
  }
  if (junit !== undefined) demandWritable(junit);
  return {
    conditions: failIf.map(parseCondition),
    strict,
    against: against === undefined ? null : earlierOf(against),
    junitPath: junit ?? null,
  };
}

function demandWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw problem(
      'invalid_arguments',
      `--junit: ${path} cannot be written. Give a file in a directory that can.`,
    );
  }
}

function earlierOf(against: string): { id: string } | { value: unknown } {
  if (permalinkIdSchema.safeParse(against).success) return { id: against };
  const text = readText(against, '--against');
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    throw problem(
      'invalid_arguments',
      `--against: ${against} is not JSON: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/**
 * What judges a finished run, a sentence for each condition on stderr: 0 where none has failed, 3 where one has, 2 where one
 * cannot be judged. On GitHub the sentences are annotations, and the report stands in the summary of the job.
 */
export function openGate(gate: Gate, kind: typeof comparison) {
  let earlier: RunDocument | null = null;
  return {
    /** Before anything is measured. Throws invalid_arguments, run_newer, run_not_found. */
    async readEarlier(api: ApiClient): Promise<void> {
      const { against } = gate;
      if (against === null) return;
      const value = 'id' in against ? JSON.parse(await api.readDocument(`/r/${against.id}`)) : against.value;
      earlier = runOf(value, kind);
    },
    async judge(document: RunDocument): Promise<number> {
      const { conditions, strict, junitPath } = gate;
      if (conditions.length === 0) return 0;
      const judgments = conditions.map((condition) =>
        judge(document, condition, { against: earlier, strict }),
      );
      for (const { sentence } of judgments) process.stderr.write(`${sentence}\n`);
      if (junitPath !== null) {
        const seconds = ((document.endedAt ?? 0) - (document.startedAt ?? 0)) / 1000;
        writeFileSync(junitPath, printJunit(judgments, document.command, seconds));
      }
      tellGithub(judgments, () => kind.markdown(document));
      const ended = (outcome: Judgment['outcome']) => judgments.some((each) => each.outcome === outcome);
      return ended('failed') ? 3 : ended('unknown') ? 2 : 0;
    },
  };
}

function runOf(value: unknown, kind: typeof comparison): RunDocument {
  try {
    const run = upgradeDocument(kind, value);
    if (run.state === 'finished') return run;
    throw problem('invalid_arguments', `--against: that run is ${run.state}, not finished.`);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw problem(
      'invalid_arguments',
      '--against: that is not the JSON of a run. Save one with compare --json.',
    );
  }
}

function tellGithub(judgments: readonly Judgment[], report: () => string): void {
  const { GITHUB_ACTIONS: onGithub, GITHUB_STEP_SUMMARY: summaryPath } = process.env;
  if (onGithub !== 'true') return;
  for (const line of judgments.flatMap((judgment) => annotationOf(judgment) ?? [])) {
    process.stderr.write(`${line}\n`);
  }
  if (summaryPath !== undefined) appendFileSync(summaryPath, report());
}
