import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { recordingEndpoints } from '../../../../shared/api/recording-endpoints.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { Form } from '../../../components/form.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import classes from '../scenarios.module.css';
import { SecretFields } from '../secret-fields.tsx';

const places = [
  { value: 'written', label: 'Original address' },
  { value: 'storefront', label: 'Built-in storefront' },
  { value: 'origin', label: 'Another origin' },
] as const;
type Place = (typeof places)[number]['value'];

/** What a test does in a browser, done in one on the server: so its clicks and typing become requests. */
export function ReplayActions({ report }: { report: ImportReport }) {
  const [place, setPlace] = useState<Place>('written');
  const [origin, setOrigin] = useState('');
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const needed = secretsOf(report);
  const navigate = useNavigate();
  const replay = useMutation({
    mutationFn: () =>
      callEndpoint(recordingEndpoints.createReplay, {
        body: {
          actions: report.actions,
          name: report.scenario?.name ?? 'Replayed',
          secrets,
          ...(place === 'written' ? {} : { at: place === 'origin' ? origin.trim() : place }),
        },
      }),
    onSuccess: ({ sid }) => navigate(`/scenarios?recording=${sid}`),
  });
  return (
    <Form className="stack" aria-labelledby="replay-title" onSubmit={() => replay.mutate()}>
      <div>
        <h4 id="replay-title">Replay in a browser</h4>
        <p className={classes.hint}>
          A browser on the server performs the actions. The requests it sends become the scenario.
        </p>
      </div>
      <ChoicePills
        legend="Replay at"
        legendShown
        name="replay-place"
        value={place}
        onChange={setPlace}
        choices={places}
      />
      {place === 'origin' ? (
        <TextInput
          label="Origin"
          placeholder="http://127.0.0.1:8080"
          value={origin}
          required
          maxLength={300}
          onChange={(event) => setOrigin(event.currentTarget.value)}
          inputMode="url"
          autoComplete="off"
        />
      ) : null}
      <SecretFields names={needed} values={secrets} required onChange={setSecrets} />
      <ProblemNotice error={replay.error} />
      <div>
        <ActionButton type="submit" variant="default" pending={replay.isPending}>
          Start replay
        </ActionButton>
      </div>
    </Form>
  );
}

/** Those that the actions type; the others are asked for at launch. */
function secretsOf({ secrets, actions }: ImportReport): string[] {
  const text = JSON.stringify(actions);
  return secrets.map(({ name }) => name).filter((name) => text.includes(`\${secret:${name}}`));
}
