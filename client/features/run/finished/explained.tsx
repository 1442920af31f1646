import { Fragment } from 'react';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Term } from '../../../components/term.tsx';
import { keepUnits } from '../../../format/keep-units.ts';
import { meaningOf } from './terms.ts';

/** As they stand in sentences; the first occurrence of each explains itself. */
const words: Record<string, string> = {
  '95 % CI': '95 % CI',
  launches: 'Launch',
  blocks: 'Block',
  windows: 'Window',
  twin: 'Twin',
  'at load': 'At load',
  'a lone request': 'Lone transaction',
  'a lone transaction': 'Lone transaction',
};
const anyWord = new RegExp(`(\\b(?:${Object.keys(words).join('|')})\\b)`);

/** A sentence whose terms explain themselves. */
export function Explained({ plan, children }: Pick<ShownRun, 'plan'> & { children: string }) {
  const parts = children.split(anyWord);
  return parts.map((part, index) => {
    const term = words[part];
    const meaning = term === undefined || parts.indexOf(part) < index ? null : meaningOf(plan, term);
    const shown = meaning === null ? keepUnits(part) : <Term meaning={meaning}>{part}</Term>;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no name but their place
    return <Fragment key={index}>{shown}</Fragment>;
  });
}
