import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { Explanation, Predicted } from '../../../../shared/kinds/comparison/explanation.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import {
  type ExplainDocument,
  type ExplainRequest,
  explainRequestSchema,
} from '../../../../shared/kinds/explain/explain.ts';
import { printUsInterval } from '../../../../shared/kinds/explain/explain-sentence.ts';
import { whyNotExplained } from '../../../../shared/kinds/explain/why-not-explained.ts';
import { secretsOf } from '../../../intake/scenario/secrets.ts';
import { scaled, sum } from '../../../method/statistics/estimates.ts';
import { changedSince } from '../changes/changed-since.ts';

/** From a run to the explanation of its difference in CPU at load, and back. */

/** As many as half a minute holds. */
const launches = 4;

/** The same sides of the same target at the same load. Throws not_explainable, with the reason. */
export function explainRequestOf(run: RunDocument): ExplainRequest {
  const { id, target, asked, plan, scenario, atLoad } = run;
  if (deltaOf(run) === null || atLoad === undefined) {
    throw refusal('The run did not measure a difference in server CPU at load.');
  }
  const why = whyNotExplained(run);
  if (why !== null) throw refusal(why);
  if (secretsOf(scenario).length > 0) {
    throw refusal(
      'The scenario of the run has secrets, which are not stored. Explain a run without secrets.',
    );
  }
  const { connectionPolicy, requestsPerConnection, generators, thinkTimeScale } = plan;
  return explainRequestSchema.parse({
    ...{ kind: 'explain', launches },
    run: {
      ...{ id, target, scenario, sides: asked.sides, tls: asked.tls, load: atLoad },
      ...{ connectionPolicy, requestsPerConnection, generators, thinkTimeScale },
    },
  });
}

/** Throws not_explainable where the one does not explain the other. */
export function explanationOf(
  run: RunDocument,
  explain: ExplainDocument,
  lab: Predicted | null,
): Explanation {
  const delta = deltaOf(run);
  if (delta === null) throw refusal('The run did not measure a difference in server CPU at load.');
  if (explain.request.run?.id !== run.id) throw refusal('That measurement explains another run, or none.');
  const { delta: explained } = explain;
  const gap = explained === null ? null : sum([explained, scaled(delta, -1)]);
  const agrees = gap === null ? null : gap.lo <= 0 && gap.hi >= 0;
  return {
    ...{ run: run.id, explain: explain.id, delta, explained, agrees },
    sentence: sentenceOf(delta, explained, gap),
    changes: changedSince(run, explain),
    lab,
  };
}

/** The run’s difference and what the groups add up to. */
function sentenceOf(delta: Estimate, explained: Estimate | null, gap: Estimate | null): string {
  const measured = `The run measured ${printUsInterval(delta)} (95 % CI)`;
  if (explained === null || gap === null) return `${measured}.`;
  const both = `${measured}, and the groups add up to ${printUsInterval(explained)}`;
  if (gap.lo <= 0 && gap.hi >= 0) return `${both}. They agree within both intervals.`;
  const by = printNumber(Math.abs(gap.center), 1);
  const [least, most] = [gap.lo, gap.hi].map(Math.abs).sort((one, other) => one - other) as [number, number];
  const interval = `${printNumber(least, 1)} to ${printNumber(most, 1)}`;
  return `${both}. They do not agree: the groups are ${by} µs (${interval}) ${gap.center < 0 ? 'short of' : 'above'} the run.`;
}

function deltaOf({ metrics }: RunDocument): Estimate | null {
  return metrics.find(({ id }) => id === 'cpu_at_load')?.delta ?? null;
}

function refusal(detail: string): ProblemError {
  return problem('not_explainable', detail);
}
