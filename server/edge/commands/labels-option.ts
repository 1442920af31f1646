import { problemOfIssues } from '../../../shared/base/problem.ts';
import { type Labels, labelsTextSchema } from '../../../shared/measurement/runner.ts';

/** The same for every verb that measures. */
export const labelsOption = [
  '--labels <list>',
  'Measure on a runner with these labels, such as site=fra,cpu=arm; repeatable, once for each site',
  (text: string, previous: Labels[] = []) => [...previous, labelsIn(text)],
] as const;

/** Throws invalid_arguments. */
export function labelsIn(text: string): Labels {
  const parsed = labelsTextSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw problemOfIssues('invalid_arguments', parsed.error, '--labels');
}
