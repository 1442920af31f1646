import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dryRunEndpoints } from '../../../../shared/api/dry-run-endpoints.ts';
import type { Site } from '../../../../shared/scenario/recording.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { mayCall } from '../../../api/identity.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { Answer } from '../../../components/answer.tsx';
import { Form } from '../../../components/form.tsx';
import { SelectField } from '../../../components/form-fields.tsx';
import { Section } from '../../../components/section.tsx';
import { TargetFields } from '../../../components/target-fields.tsx';
import classes from '../scenarios.module.css';
import { SecretFields } from '../secret-fields.tsx';
import { type DryRunForm, namesOfSecrets, pairs, requestOf, untouched } from './dry-run-form.ts';
import { DryRunResult } from './dry-run-result.tsx';

type Props = {
  /** As it is on the screen, saved or not; null while something in it is not right. */
  scenario: Scenario | null;
  /** Where it was recorded; null where that is not known. */
  site: Site | null;
};

export function DryRunSection({ scenario, site }: Props) {
  const [form, setForm] = useState<DryRunForm>(() => untouched(site));
  const secrets = scenario === null ? [] : namesOfSecrets(scenario);
  const request = scenario === null ? null : requestOf(form, scenario, secrets);
  const dryRun = useMutation({
    mutationFn: (body: NonNullable<typeof request>) => callEndpoint(dryRunEndpoints.dryRun, { body }),
  });
  const set = (change: Partial<DryRunForm>) => setForm({ ...form, ...change });
  if (!mayCall(dryRunEndpoints.dryRun)) return null;
  return (
    <Section
      id="dry-run"
      title="Dry run"
      lead="Visit each side once, without load, and compare the responses step by step."
      card
    >
      <Form
        className={classes.form}
        onSubmit={() => {
          if (request !== null) dryRun.mutate(request);
        }}
      >
        <div className={classes.dryRunFields}>
          <TargetFields
            label="Target"
            form={form.target}
            set={(change) => set({ target: { ...form.target, ...change } })}
          />
          <SelectField
            form={form}
            set={set}
            name="pair"
            label="Sides"
            data={Object.entries(pairs).map(([value, { label }]) => ({ value, label }))}
          />
          <SecretFields
            names={secrets}
            values={form.secrets}
            onChange={(values) => set({ secrets: values })}
          />
        </div>
        <div>
          <ActionButton type="submit" variant="default" blocked={request === null} pending={dryRun.isPending}>
            Start dry run
          </ActionButton>
        </div>
      </Form>
      <div aria-live="polite">
        <Answer of={dryRun} waiting="Visiting both sides">
          {(report) => (
            <>
              {JSON.stringify(dryRun.variables) === JSON.stringify(request) ? null : (
                <p className={classes.older}>Out of date: you have made changes since. Run again.</p>
              )}
              <DryRunResult report={report} />
            </>
          )}
        </Answer>
      </div>
    </Section>
  );
}
