import { useState } from 'react';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import { permalinkIdSchema } from '../../../../shared/base/units.ts';
import type { StoredScenario } from '../../../../shared/scenario/stored-scenario.ts';
import type { TargetInput } from '../../../../shared/target/target.ts';
import { mayCall } from '../../../api/identity.ts';
import { type CreateMeasurement, useCreateMeasurement } from '../../../api/use-create-measurement.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { Form } from '../../../components/form.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { TargetFields } from '../../../components/target-fields.tsx';
import { describeAction } from '../../../format/browser-action.ts';
import { printCount } from '../../../format/count.ts';
import { type TargetForm, targetOfForm, targetOfSite } from '../../../format/target-form.ts';
import classes from '../scenarios.module.css';
import { SecretFields, secretsIn } from '../secret-fields.tsx';

type VisitsForm = TargetForm & { secrets: Record<string, string> };

/** What was done in a browser when the scenario was recorded, measured in one over both transports. */
export function VisitsSection({ stored }: { stored: StoredScenario }) {
  const [form, setForm] = useState<VisitsForm>(() => ({ ...targetOfSite(stored.site), secrets: {} }));
  const run = useCreateMeasurement();
  const secrets = secretsIn(stored.actions);
  const set = (change: Partial<VisitsForm>) => {
    setForm({ ...form, ...change });
    run.reset();
  };
  if (!mayCall(measurementEndpoints.createMeasurement)) return null;
  return (
    <Section
      id="visits"
      title="Browser visits"
      lead={`Replay the ${printCount(stored.actions.length, 'recorded action')} in a real browser, alternating HTTP and HTTPS: time to first byte, paints, and load, with a cold and a warm cache.`}
      card
    >
      <details className={classes.actions}>
        <summary>Recorded actions</summary>
        <ol>
          {stored.actions.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two actions may be alike, and none moves here
            <li key={index}>{describeAction(action)}</li>
          ))}
        </ol>
      </details>
      <Form
        className={classes.form}
        onSubmit={() => {
          const target = targetOfForm(form);
          if (target !== null) run.mutate(requestOf(target, form, stored));
        }}
      >
        <div className={classes.dryRunFields}>
          <TargetFields label="Browser target" form={form} set={set} />
          <SecretFields
            names={secrets}
            values={form.secrets}
            required
            onChange={(values) => set({ secrets: values })}
          />
        </div>
        <ProblemNotice error={run.error} />
        <div>
          <ActionButton type="submit" variant="default" pending={run.isPending}>
            Measure in a browser
          </ActionButton>
        </div>
      </Form>
    </Section>
  );
}

function requestOf(target: TargetInput, { secrets }: VisitsForm, stored: StoredScenario): CreateMeasurement {
  return {
    kind: 'visits',
    target,
    journey: {
      name: stored.scenario.name,
      actions: stored.actions,
      scenario: permalinkIdSchema.safeParse(stored.id).data ?? null,
    },
    secrets,
  };
}
