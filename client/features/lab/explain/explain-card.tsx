import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import { schemeOf, type Transport } from '../../../../shared/base/transport.ts';
import { explainOptions, explainTable, storefront } from '../../../../shared/kinds/explain/options.ts';
import { managedServersQuery } from '../../../api/queries.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { MoreFields } from '../../../components/more-fields.tsx';
import { OptionRows } from '../../../components/option-rows.tsx';
import { RequestForm } from '../../../components/request-form.tsx';
import { useOptionForm } from '../../../components/use-option-form.ts';
import { whatIsMissing } from '../../../format/server-choice.ts';
import { noAddresses, RunningServerFields, readRunning } from './running-server.tsx';

const targets = [
  { value: 'started', label: 'A server to start' },
  { value: 'running', label: 'A running server' },
] as const;
type TargetChoice = (typeof targets)[number]['value'];

const usual = ['server', 'baseline', 'comparison'];

export function ExplainCard() {
  const { data: found } = useQuery(managedServersQuery);
  const { fields, submit, ...sending } = useOptionForm(explainOptions);
  const [choice, setChoice] = useState<TargetChoice>('started');
  const [addresses, setAddresses] = useState(noAddresses);
  const [tried, setTried] = useState(false);
  const isRunning = choice === 'running';
  const spoken = [fields.form.baseline, fields.form.comparison] as Transport[];
  const running = readRunning(addresses, new Set(spoken.map(schemeOf)));
  const shown = explainOptions.filter(({ id }) => !isRunning || id !== 'server');
  const [usualOptions, seldomOptions] = [true, false].map((isUsual) =>
    shown.filter(({ id }) => usual.includes(id) === isUsual),
  );
  const missing = whatIsMissing(found?.find(({ name }) => name === fields.form.server)) ?? undefined;
  const choose = (chosen: TargetChoice) => {
    setChoice(chosen);
    // A running server has a path as the storefront has, and no documents or key of ours.
    fields.set({
      server: chosen === 'running' ? storefront : explainTable.server.default,
      instructions: false,
    });
  };
  const send = () => {
    setTried(true);
    if (isRunning && Object.keys(running.messages).length > 0) return;
    submit((asked) => ({ ...asked, kind: 'explain', ...(isRunning ? { target: running.target } : {}) }));
  };
  return (
    <RequestForm calls={measurementEndpoints.createMeasurement} action="Explain" onSubmit={send} {...sending}>
      <ChoicePills
        legend="Target"
        legendShown
        name="target"
        value={choice}
        choices={targets}
        onChange={choose}
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
        messages={{ server: missing, ...fields.messages }}
        options={usualOptions ?? []}
      />
      <MoreFields
        title="Server and load"
        open={seldomOptions?.some(({ id }) => fields.messages[id] !== undefined) ?? false}
      >
        <OptionRows {...fields} options={seldomOptions ?? []} />
      </MoreFields>
    </RequestForm>
  );
}
