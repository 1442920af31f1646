import { problem } from '../../../../../shared/base/problem.ts';

/** @param at where it was opened */
export function unclosed(text: string, at: number, what: string) {
  const line = text.slice(0, at).split('\n').length;
  return problem('import_unreadable', `Line ${line} opens ${what.slice(0, 40)} and never closes it.`);
}
