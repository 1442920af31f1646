import { batchEndpoints } from '../../../shared/api/batch-endpoints.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { BatchSite, CreatedBatch } from '../../../shared/measurement/batch.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { AnyDocument } from '../../kinds/kind.ts';
import type { ApiClient } from './api-client.ts';
import { follow } from './follow.ts';
import type { Printer } from './print-event.ts';
import { type Ending, type Format, type Printed, printResult } from './print-result.ts';

/** Throws invalid_arguments when one of these options is given: it is for one result. */
export function demandOneSite(options: Record<string, unknown>): void {
  const given = Object.keys(options).find((name) => options[name] != null);
  if (given === undefined) return;
  throw problem('invalid_arguments', `${given} is for one result. Give --labels only once.`);
}

/**
 * Follows the measurements of all sites, then prints the result of each below its name; as JSON, all of them as at the permalink.
 * Resolves to the exit code: 0 when all have finished, else 1 if one failed or was canceled, else 3 or 2.
 *
 * @param url of a dashboard that stays; null for one that ends with the command
 */
export async function followSites<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  { id, url: path, measurements }: CreatedBatch,
  { annotation, judge, told }: Ending<Document>,
  { api, url }: { api: ApiClient; url: string | null },
): Promise<number> {
  if (url !== null) process.stderr.write(`Permalink: ${url}${path}\n`);
  const ends = await Promise.all(
    measurements.map((each) =>
      follow(api, each.id, each.url, printerOf(printLabels(each.labels))).catch(asEnd),
    ),
  );
  const batch = await api.call(batchEndpoints.showBatch, { params: { id } });
  if (format === 'json') process.stdout.write(`${JSON.stringify(batch)}\n`);
  const codes: number[] = [];
  for (const [place, site] of batch.sites.entries()) {
    const text = ends[place] ?? '';
    if (text instanceof ProblemError) {
      process.stderr.write(`${nameOf(site)}: ${text.problem.detail}\n`);
      codes.push(1);
      continue;
    }
    const document = kind.documentSchema.parse(JSON.parse(text));
    if (format !== 'json') {
      const link = url === null ? null : `${url}${site.url}`;
      const printed = printResult(kind, format, { text, document }, { link, annotation });
      process.stdout.write(`${nameOf(site)}:\n\n${printed.trimEnd()}\n\n`);
    }
    const { state, problem: why } = document;
    process.stderr.write(`${nameOf(site)}: ${state}\n`);
    told?.(document);
    if (why !== null) process.stderr.write(`${why.detail}\n${why.advice}\n`);
    codes.push(state === 'finished' ? await judge(document) : state === 'refused' ? 2 : 1);
  }
  return [1, 3, 2].find((code) => codes.includes(code)) ?? 0;
}

/** One that is deleted meanwhile has no document. */
function asEnd(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}

function nameOf({ labels, runner }: BatchSite): string {
  return runner === null ? printLabels(labels) : `${printLabels(labels)} on ${runner}`;
}

/** Several sites share a terminal: each has lines of its own, which say whose they are. */
function printerOf(site: string): Printer {
  return { isTTY: false, write: (text) => process.stderr.write(`${site}: ${text}`) };
}
