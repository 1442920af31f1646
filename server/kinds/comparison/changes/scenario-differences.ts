import { printNumber } from '../../../../shared/base/quantity.ts';
import type { SetupDifference } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';

type Sent = Pick<RunDocument, 'scenario' | 'revisionId'>;

/** Whether two runs sent the same: its name, its steps, and where those are alike all that a request has. */
export function scenarioDifferences(from: Sent, to: Sent): SetupDifference[] {
  const names = difference('Scenario', from.scenario.name, to.scenario.name);
  const steps = difference('Steps', stepsInWords(from.scenario), stepsInWords(to.scenario));
  if (steps.length > 0 || contentOf(from.scenario) === contentOf(to.scenario)) return [...names, ...steps];
  const requests = { name: 'Requests', from: revisionInWords(from), to: revisionInWords(to) };
  return [...names, requests.from === requests.to ? { ...requests, to: otherwise } : requests];
}

const otherwise = 'other headers, bodies, checks, pauses or data';
const mostSteps = 6;

function difference(name: string, from: string, to: string): SetupDifference[] {
  return from === to ? [] : [{ name, from, to }];
}

function stepsInWords({ steps }: Scenario): string {
  const shown = steps.slice(0, mostSteps).map(({ method, path }) => `${method} ${path}`);
  const more = steps.length - shown.length;
  return [...shown, ...(more > 0 ? [`${printNumber(more, 0)} more`] : [])].join(', ');
}

function revisionInWords({ revisionId }: Sent): string {
  return revisionId === null ? 'not stored' : `revision ${revisionId}`;
}

/** What is sent and checked. Names say nothing to a server, and pages are for the browser. */
export function contentOf({ steps, cookies, data }: Scenario): string {
  return JSON.stringify([steps.map(({ name, recorded, ...step }) => step), cookies, data]);
}
