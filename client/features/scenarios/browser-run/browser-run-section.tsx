import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { BrowserRequestInput } from '../../../../shared/browser-run.ts';
import type { StoredScenario } from '../../../../shared/stored-scenario.ts';
import { permalinkIdSchema } from '../../../../shared/units.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { rememberDeleteToken } from '../../../api/delete-tokens.ts';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { troubleOf } from '../../../api/trouble.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { Card } from '../../../components/card.tsx';
import { Section } from '../../../components/section.tsx';
import { TroubleNotice } from '../../../components/trouble-notice.tsx';
import { describeAction } from '../../../format/browser-action.ts';
import { printCount } from '../../../format/count.ts';
import classes from '../dry-run/dry-run.module.css';

type Form = { kind: 'storefront' | 'foreign'; http: string; https: string; ca: string };

/** What was done in a browser when the scenario was recorded, measured in one over both transports. */
export function BrowserRunSection({ stored }: { stored: StoredScenario }) {
  const [form, setForm] = useState<Form>({ kind: 'storefront', http: '', https: '', ca: '' });
  const run = useBrowserRun();
  const set = (change: Partial<Form>) => {
    setForm({ ...form, ...change });
    run.reset();
  };
  return (
    <Section
      id="browser-run"
      title="Run it in a browser"
      lead={`The ${printCount(stored.actions.length, 'action')} that were recorded, in a real browser over HTTP and HTTPS in turns: time to first byte, paints and load, with an empty cache and with a full one.`}
    >
      <Card>
        <details className={classes.actions}>
          <summary>What is done</summary>
          <ol>
            {stored.actions.map((action, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two actions may be alike, and none moves here
              <li key={index}>{describeAction(action)}</li>
            ))}
          </ol>
        </details>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            run.mutate(requestOf(form, stored));
          }}
        >
          <div className={classes.fields}>
            <NativeSelect
              label="Target of the browser"
              value={form.kind}
              onChange={(event) => set({ kind: event.currentTarget.value as Form['kind'] })}
              data={[
                { value: 'storefront', label: 'Built-in storefront' },
                { value: 'foreign', label: 'Two origins' },
              ]}
            />
            {form.kind === 'storefront' ? null : (
              <>
                <TextInput
                  label="HTTP origin"
                  placeholder="http://127.0.0.1:8080"
                  value={form.http}
                  required
                  onChange={(event) => set({ http: event.currentTarget.value })}
                  inputMode="url"
                />
                <TextInput
                  label="HTTPS origin"
                  placeholder="https://localhost:8443"
                  value={form.https}
                  required
                  onChange={(event) => set({ https: event.currentTarget.value })}
                  inputMode="url"
                />
                <Textarea
                  label="Certificate authority (PEM)"
                  description="Only when the certificate is not from a public authority."
                  rows={2}
                  value={form.ca}
                  onChange={(event) => set({ ca: event.currentTarget.value })}
                />
              </>
            )}
          </div>
          {run.error === null ? null : <TroubleNotice trouble={troubleOf(run.error)} />}
          <div>
            <ActionButton type="submit" variant="default" pending={run.isPending}>
              Measure in a browser
            </ActionButton>
          </div>
        </form>
      </Card>
    </Section>
  );
}

function requestOf({ kind, http, https, ca }: Form, stored: StoredScenario): BrowserRequestInput {
  return {
    kind: 'browser',
    target:
      kind === 'storefront'
        ? kind
        : { http: http.trim(), https: https.trim(), ...(ca.trim() === '' ? {} : { ca: ca.trim() }) },
    journey: {
      name: stored.scenario.name,
      actions: stored.actions,
      scenario: permalinkIdSchema.safeParse(stored.id).data ?? null,
    },
  };
}

/** Queues it as a measurement of the lab, and goes to its page. */
function useBrowserRun() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BrowserRequestInput) =>
      callEndpoint('createLab', { body, headers: { 'idempotency-key': newIdempotencyKey() } }),
    onSuccess: async ({ id, url, deleteToken }) => {
      rememberDeleteToken(id, deleteToken);
      await queryClient.invalidateQueries({ queryKey: ['labs'] });
      await navigate(url);
    },
  });
}
