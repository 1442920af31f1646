import type { ScenarioLine } from '../../../../shared/scenario/stored-scenario.ts';
import type { LinkLine } from '../../../components/link-list.tsx';
import { printCount } from '../../../format/count.ts';
import { printAgo } from '../../../format/when.ts';

const origins = { editor: 'Written', import: 'Imported', recording: 'Recorded' } as const;

export function describeScenario(
  { id, name, description, steps, secrets, revision }: ScenarioLine,
  now: number,
): LinkLine {
  const facts = [
    printCount(steps, 'step'),
    ...(secrets.length === 0 ? [] : [printCount(secrets.length, 'secret')]),
    ...(revision === null ? [] : [`revision ${revision.number}`, printAgo(revision.createdAt, now)]),
    ...(description === '' ? [] : [description]),
  ];
  return {
    href: `/scenarios/${id}`,
    title: name,
    detail: facts.join(' · '),
    look: { word: revision === null ? 'Built in' : origins[revision.origin], tone: 'quiet', icon: 'arrow' },
  };
}
