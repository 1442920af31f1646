import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { type Scheme, schemeOf, type Transport } from '../../../shared/base/transport.ts';
import { explainOptions, explainTable, storefront } from '../../../shared/kinds/explain/options.ts';
import { addressProblem, guessOther } from '../../../shared/target/address-problem.ts';
import type { OriginsTarget } from '../../../shared/target/target.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { AreaField, FieldRow, MoreFields, TextField } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, OptionRows, RecentOfKinds, useOptionForm } from '../../components/start-form.tsx';
import { whatIsMissing } from '../../format/server-choice.ts';

export default function ExplainPage() {
  return (
    <>
      <PageHead tab="Explain" title="Where do the microseconds go?" above={<LabTabs />}>
        <p>
          What the CPU time of a request is spent on: encryption, copying, the kernel, and more. Linux’s perf
          samples the server under load.
        </p>
      </PageHead>
      <ExplainCard />
      <RecentOfKinds kinds={['explain']} />
    </>
  );
}

export const targetChoices = [
  { value: 'started', label: 'A server to start' },
  { value: 'running', label: 'A running server' },
] as const;
export type TargetChoice = (typeof targetChoices)[number]['value'];

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
    <RequestForm calls={measurementEndpoints.createMeasurement} action="Measure" onSubmit={send} {...sending}>
      <ChoicePills
        legend="Target"
        legendShown
        name="target"
        value={choice}
        choices={targetChoices}
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

/** Addresses of a server that is already running, as they are typed. */
type RunningServer = { http: string; https: string; ca: string; pid: string };

export const noAddresses: RunningServer = { http: '', https: '', ca: '', pid: '' };

/**
 * The target, and the errors in its fields. If one of two addresses is empty, it is guessed from ports that usually go together.
 * @param needed schemes that the sides speak
 */
export function readRunning(
  typed: RunningServer,
  needed: ReadonlySet<Scheme>,
): { target: OriginsTarget; messages: Partial<RunningServer> } {
  const [ca, pid] = [typed.ca.trim(), typed.pid.trim()];
  const target: OriginsTarget = {
    kind: 'origins',
    ...(ca === '' ? {} : { ca }),
    ...(pid === '' ? {} : { pid: Number(pid) }),
  };
  const messages: Partial<RunningServer> = {};
  for (const scheme of needed) {
    const other = scheme === 'http' ? 'https' : 'http';
    const address = typed[scheme].trim() || guessOther(typed[other].trim(), other) || '';
    const problem = addressProblem(address, scheme);
    if (problem !== null) messages[scheme] = problem;
    target[scheme] = address;
  }
  if (!/^([1-9]\d{0,6})?$/.test(pid)) messages.pid = 'Give a process ID, a whole number above 0.';
  return { target, messages };
}

type Props = {
  form: RunningServer;
  set: (change: Partial<RunningServer>) => void;
  messages: Partial<RunningServer>;
};

export function RunningServerFields(props: Props) {
  return (
    <>
      <FieldRow>
        <TextField
          {...props}
          name="http"
          label="HTTP address"
          placeholder="http://127.0.0.1:8080"
          inputMode="url"
        />
        <TextField
          {...props}
          name="https"
          label="HTTPS address"
          placeholder="https://127.0.0.1:8443"
          inputMode="url"
        />
        <TextField
          {...props}
          name="pid"
          label="Process ID"
          placeholder="found by the listening port"
          inputMode="numeric"
        />
      </FieldRow>
      <AreaField
        {...props}
        name="ca"
        label="Certificate authority (PEM)"
        description="If the certificate is not signed by a public authority."
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={2}
      />
    </>
  );
}
