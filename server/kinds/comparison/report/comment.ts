import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { asMarkdown } from '../../../../shared/words/digest/as-markdown.ts';
import { digestOf, withTitle } from '../../../../shared/words/digest/digest.ts';
import { quietly } from '../../../../shared/words/markdown-text.ts';
import { headlineOf } from './headline.ts';

type Beside = {
  /** Null where there is none that others could open. */
  link: string | null;
  /** That somebody gave it. */
  title: string | null;
};

/** A run in Markdown for a comment: the verdict with its figures, or why there is none. */
export function printComment(run: RunDocument, { link, title }: Beside): string {
  const digest = digestOf(run);
  if (digest !== null) return asMarkdown(withTitle(digest, title), link);
  const parts = [`### ${quietly(headlineOf(run))}`, ...(title === null ? [] : [quietly(title)])];
  return `${parts.join('\n\n')}\n`;
}
