import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { BrowserRequestInput } from '../../../../shared/browser-run.ts';
import type { StoredScenario } from '../../../../shared/stored-scenario.ts';
import type { TargetInput } from '../../../../shared/target.ts';
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
import { noTarget, type TargetForm, targetOfForm } from '../../../format/target-form.ts';
import classes from '../dry-run/dry-run.module.css';
import { TargetFields } from '../target-fields.tsx';

/** What was done in a browser when the scenario was recorded, measured in one over both transports. */
export function BrowserRunSection({ stored }: { stored: StoredScenario }) {
  const [form, setForm] = useState(noTarget);
  const run = useBrowserRun();
  const set = (change: Partial<TargetForm>) => {
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
            const target = targetOfForm(form);
            if (target !== null) run.mutate(requestOf(target, stored));
          }}
        >
          <div className={classes.fields}>
            <TargetFields label="Target of the browser" form={form} set={set} />
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

function requestOf(target: TargetInput, stored: StoredScenario): BrowserRequestInput {
  return {
    kind: 'browser',
    target,
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
