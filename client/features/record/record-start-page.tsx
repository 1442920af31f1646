import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { recordingEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { recorderLimits } from '../../../shared/scenario/recorder.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form-fields.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import classes from './record.module.css';

const places = [
  { value: 'storefront', label: 'Demo shop' },
  { value: 'address', label: 'Another address' },
] as const;

/** `/record`: where the recording begins. `?url=` fills the address in. */
export default function RecordStartPage() {
  const [query] = useSearchParams();
  const given = query.get('url') ?? '';
  const [place, setPlace] = useState<'storefront' | 'address'>(given === '' ? 'storefront' : 'address');
  const [address, setAddress] = useState(given);
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: (url: string) =>
      callEndpoint(recordingEndpoints.createRecording, { body: { url, viewport: viewportHere() } }),
    onSuccess: ({ url }) => navigate(url),
  });
  return (
    <>
      <PageHead tab="Record" title="Record a scenario">
        <p>
          Use a browser on the server the way your users do. Your clicks, typing, and requests become a
          scenario that runs identically over HTTP and HTTPS.
        </p>
      </PageHead>
      <Card>
        <Form
          className={classes.startPageForm}
          onSubmit={() => open.mutate(place === 'storefront' ? 'storefront' : withScheme(address))}
        >
          <ChoicePills
            legend="Start at"
            legendShown
            name="place"
            value={place}
            onChange={setPlace}
            choices={places}
          />
          {place === 'storefront' ? null : (
            <TextInput
              label="Address"
              description="On this machine, or on a host that is allowed. Requests to other hosts are blocked."
              placeholder="http://127.0.0.1:8080/"
              value={address}
              required
              maxLength={8000}
              onChange={(event) => setAddress(event.currentTarget.value)}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <ProblemNotice error={open.error} />
          <ActionButton type="submit" size="md" pending={open.isPending}>
            Start recording
          </ActionButton>
          <p className="soft">
            A recording stops after {recorderLimits.durationMs / 60_000} minutes. Runs started meanwhile wait
            in the queue.
          </p>
        </Form>
      </Card>
    </>
  );
}

function withScheme(address: string): string {
  const trimmed = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
}

/** A telephone records what a telephone is shown. */
function viewportHere(): { width: number; height: number } {
  return window.innerWidth < 700
    ? { width: Math.max(320, window.innerWidth), height: Math.max(320, Math.round(window.innerHeight * 0.7)) }
    : { width: 1280, height: 720 };
}
