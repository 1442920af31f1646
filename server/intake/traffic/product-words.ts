import { z } from 'zod';
import { runEventSchema } from '../../../shared/kinds/comparison/progress.ts';
import { runDocumentSchema } from '../../../shared/kinds/comparison/run.ts';
import { dryRunReportSchema } from '../../../shared/scenario/dry-run.ts';

/**
 * Words that stand for themselves in what is stored and told of a run, such as `https`, `pass` and `steady`. They would
 * be there whatever anybody's secret is.
 */
export function productWords(): ReadonlySet<string> {
  words ??= new Set([runDocumentSchema, runEventSchema, dryRunReportSchema].flatMap(wordsOf));
  return words;
}

let words: ReadonlySet<string> | null = null;

function wordsOf(schema: z.ZodType): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { enum: choices, const: word } = value as { enum?: unknown; const?: unknown };
    for (const choice of [choices, word].flat()) if (typeof choice === 'string') found.push(choice);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(z.toJSONSchema(schema));
  return found;
}
