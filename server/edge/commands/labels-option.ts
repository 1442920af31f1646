import { type Labels, labelsTextSchema } from '../../../shared/measurement/runner.ts';
import { parsedBy } from './option-values.ts';

/** The same for every verb that measures. */
export const labelsOption = [
  '--labels <list>',
  'Measure on a runner with these labels, such as site=fra,cpu=arm; repeatable, once for each site',
  (text: string, previous: Labels[] = []) => [...previous, labelsIn(text)],
] as const;

/** Throws invalid_arguments. */
export function labelsIn(text: string): Labels {
  return parsedBy(labelsTextSchema, text, '--labels');
}
