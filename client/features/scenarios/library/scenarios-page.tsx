import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { scenarioEndpoints } from '../../../../shared/api/scenario-endpoints.ts';
import { permalinkIdSchema } from '../../../../shared/base/units.ts';
import type { ScenarioLine } from '../../../../shared/scenario/stored-scenario.ts';
import { mayCall } from '../../../api/identity.ts';
import { scenariosQuery } from '../../../api/queries.ts';
import { Answer } from '../../../components/answer.tsx';
import { ButtonRow } from '../../../components/button-row.tsx';
import { Card } from '../../../components/card.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import type { LinkLine } from '../../../components/link-list.tsx';
import { LinkList } from '../../../components/link-list.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import { printAgo } from '../../../format/when.ts';
import { ImportCard } from '../import/import-card.tsx';
import { RecordedCard } from '../import/recorded-card.tsx';

/** What this server can send, and the ways to bring more. `?recording={sid}` shows what came of a recording that has ended. */
export default function ScenariosPage() {
  const [address] = useSearchParams();
  const recording = permalinkIdSchema.safeParse(address.get('recording'));
  const now = Date.now();
  return (
    <>
      <PageHead tab="Scenarios" title="Scenarios">
        <p>What one visitor does, step by step. Both sides of a run get the same requests.</p>
      </PageHead>
      <Answer of={useQuery({ ...scenariosQuery, staleTime: 0 })} waiting="Loading scenarios">
        {(lines) => (
          <Card flush>
            <LinkList label="Scenarios" lines={lines.map((line) => describeScenario(line, now))} />
          </Card>
        )}
      </Answer>
      {mayCall(scenarioEndpoints.createScenario) ? (
        <Section
          id="new"
          title="Add a scenario"
          lead="Import a recording or a test, record in a browser, or write the steps yourself."
        >
          {recording.success ? <RecordedCard sid={recording.data} /> : <ImportCard />}
          <ButtonRow>
            <LinkButton to="/record">Record in a browser</LinkButton>
            <LinkButton to="/scenarios/new">Write a scenario</LinkButton>
          </ButtonRow>
        </Section>
      ) : null}
    </>
  );
}

const origins = { editor: 'Written', import: 'Imported', recording: 'Recorded' } as const;

function describeScenario(
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
