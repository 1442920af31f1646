import type { Arm, SideName } from '../../../shared/base/transport.ts';
import type { TargetCheck } from '../../../shared/target/preflight.ts';
import type { Listener, Target } from '../../../shared/target/target.ts';
import type { SideFindings } from './inspect-side.ts';
import { inspectToJudge, type PreflightOptions, preflight, reportOn } from './preflight.ts';

type Options = Omit<PreflightOptions, 'listeners'> & {
  /** Where the request says what holds for a side; as if no side had anything of its own when left out. */
  fieldOf?: ((side: SideName, field: string) => string) | undefined;
};

/** The preflight of both sides, and of the baseline with the twin where the target names one. */
export async function checkTarget(
  target: Target,
  listeners: Record<Arm, Listener>,
  { fieldOf = (_, field) => field, ...options }: Options,
): Promise<TargetCheck> {
  const { baseline, comparison, twin } = listeners;
  const { first, second, inspection } = await inspectToJudge({
    ...options,
    listeners: { baseline, comparison },
  });
  const report = reportOn(first, second, inspection);
  const waysOut = [first, second].map(({ problem }) => problem?.wayOut ?? {});
  const refusedOf = (side: SideName, { problem }: SideFindings) => {
    const field = problem?.wayOut.field;
    return problem === null || field === undefined
      ? null
      : { field: fieldOf(side, field), message: problem.message };
  };
  const twinProblem =
    report.ok && target.kind === 'origins' && target.twin !== undefined
      ? await problemOfTwin(baseline, twin, options)
      : null;
  return {
    ...report,
    ok: report.ok && twinProblem === null,
    problem: report.problem ?? twinProblem,
    untrusted: waysOut.find(({ untrusted }) => untrusted !== undefined)?.untrusted ?? null,
    refused: { baseline: refusedOf('baseline', first), comparison: refusedOf('comparison', second) },
    otherVersion: waysOut.find(({ otherVersion }) => otherVersion !== undefined)?.otherVersion ?? null,
    twinProblem,
  };
}

async function problemOfTwin(
  baseline: Listener,
  twin: Listener,
  options: Omit<PreflightOptions, 'listeners'>,
): Promise<string | null> {
  const { problem } = await preflight({ ...options, listeners: { baseline, comparison: twin } });
  return problem === null ? null : `The twin differs from the first side: ${problem}`;
}
