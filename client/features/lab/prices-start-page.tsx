import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { pricesOptions } from '../../../shared/kinds/prices/options.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { MoreFields } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, OptionRows, RecentOfKinds, useOptionForm } from '../../components/start-form.tsx';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';
import {
  noAddresses,
  RunningServerFields,
  readRunning,
  type TargetChoice,
  targetChoices,
} from './explain-start-page.tsx';

export default function PricesStartPage() {
  return (
    <>
      <PageHead tab="Prices" title="What does TLS cost, item by item?" above={<LabTabs />} />
      <PricesCard />
      <RecentOfKinds kinds={['prices']} />
    </>
  );
}

const ofEither = ({ part, name }: (typeof pricesOptions)[number]) => part === null && name !== 'document';
const shownFirst: Record<TargetChoice, readonly string[]> = {
  started: ['target.server', 'target.key'],
  running: ['document'],
};

function PricesCard() {
  const { data: found } = useQuery(managedServersQuery);
  const [asked] = useSearchParams();
  const { fields, submit, ...sending } = useOptionForm(pricesOptions, {
    target: Object.fromEntries(asked.entries().filter(([name]) => name === 'server')),
  });
  const [choice, setChoice] = useState<TargetChoice>('started');
  const [addresses, setAddresses] = useState(noAddresses);
  const [tried, setTried] = useState(false);
  const isRunning = choice === 'running';
  const running = readRunning(addresses, new Set(['http', 'https']));
  const first = pricesOptions.filter(({ id }) => shownFirst[choice].includes(id));
  const others = pricesOptions.filter(
    (each) => ofEither(each) || (!isRunning && each.part === 'target' && !first.includes(each)),
  );
  const missing =
    whatIsMissing(found?.find(({ name }) => name === fields.form['target.server'])) ?? undefined;
  const send = () => {
    setTried(true);
    if (isRunning && Object.keys(running.messages).length > 0) return;
    submit(({ target, document, ...asked }) => ({
      ...{ ...asked, kind: 'prices' },
      ...(isRunning
        ? { target: running.target, document }
        : { target: { kind: 'managed', ...(target as object) } }),
    }));
  };
  return (
    <RequestForm calls={measurementEndpoints.createMeasurement} action="Measure" onSubmit={send} {...sending}>
      <p>
        A request, the size of a body, and a new connection, over HTTP and HTTPS at full load. About 90
        seconds.
      </p>
      <ChoicePills
        legend="Target"
        legendShown
        name="target"
        value={choice}
        choices={targetChoices}
        onChange={setChoice}
      />
      {isRunning ? (
        <RunningServerFields
          form={addresses}
          set={(change) => setAddresses((typed) => ({ ...typed, ...change }))}
          messages={tried ? running.messages : {}}
        />
      ) : null}
      <OptionRows
        {...fields}
        messages={{ 'target.server': missing, ...fields.messages }}
        choices={{
          'target.server': ({ value }) => serverChoices(found).find((each) => each.value === value) ?? null,
        }}
        options={first}
      />
      <MoreFields title="Options" open={others.some(({ id }) => fields.messages[id] !== undefined)}>
        <OptionRows {...fields} options={others} />
      </MoreFields>
    </RequestForm>
  );
}
