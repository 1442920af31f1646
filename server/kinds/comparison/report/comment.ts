import { asMarkdown } from '../../../../shared/digest/as-markdown.ts';
import { digestOf } from '../../../../shared/digest/digest.ts';
import { plainly } from '../../../../shared/markdown-text.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import { headlineOf } from './headline.ts';

/** A run in Markdown for a comment: the verdict with its figures, or why there is none. */
export function printComment(run: RunDocument, link: string | null): string {
  const digest = digestOf(run);
  return digest === null ? `### ${plainly(headlineOf(run))}\n` : asMarkdown(digest, link);
}
