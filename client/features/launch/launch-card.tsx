import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { starting } from '../../api/late-endpoints.ts';
import { limitsQuery, machineQuery } from '../../api/queries.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { AddressField } from './address-field.tsx';
import type { LaunchForm } from './form-shape.ts';
import classes from './launch.module.css';
import { LoadFields } from './load-fields.tsx';
import { machineInWords } from './machine-in-words.ts';
import { MoreOfOrigins } from './more-of-origins.tsx';
import { PlanField } from './plan-field.tsx';
import { PreflightPanel } from './preflight-panel.tsx';
import { QuestionField } from './question-field.tsx';
import { ResumedField } from './resumed-field.tsx';
import { RunnerField } from './runner-field.tsx';
import { ScenarioField } from './scenario-field.tsx';
import { SideFields } from './side-fields.tsx';
import { TargetChoice, TargetFields } from './target-fields.tsx';
import { trustField } from './tls-message.ts';
import { useLaunch } from './use-launch.ts';

export function LaunchCard() {
  const { fields, preflight, pending, error, problem, submit, check, take } = useLaunch();
  const { form } = fields;
  const limits = useQuery(limitsQuery);
  const runners = useQuery({ ...runnersQuery, enabled: limits.data?.generators === true });
  const isMeasuredHere = limits.data?.measures !== false && Object.keys(form.labelValues).length === 0;
  const report = preflight.data;
  const asksVersions = form['sides.comparison.tls.version'] !== '';
  return (
    <RequestForm
      calls={starting}
      action="Start run"
      onSubmit={submit}
      pending={pending}
      error={error}
      problem={problem}
      below={
        <div className="stack snug">
          <PreflightPanel
            pending={preflight.isPending}
            report={report}
            error={preflight.error}
            onTrust={(trust) => report !== undefined && take({ [trustField(report, form)]: trust })}
            onTwin={(twin) => take({ twin })}
            onVersion={asksVersions ? null : (version) => take({ 'tls.version': version })}
          />
          {isMeasuredHere && <MachineStrip form={form} />}
          <SideFields {...fields} />
          <LoadFields
            {...fields}
            hasHosts={(runners.data?.generators ?? []).length > 0}
            hasPods={(limits.data?.pods ?? 0) > 0}
          />
          <ResumedField set={fields.set} />
          {form.targetKind === 'origins' ? <MoreOfOrigins {...fields} /> : null}
          <RunnerField {...fields} />
          <Link to="/lab/mesh">What does a proxy or a sidecar cost?</Link>
        </div>
      }
      beside={
        <ActionButton variant="default" size="md" pending={preflight.isPending} onClick={check}>
          Check target
        </ActionButton>
      }
    >
      <FieldRow>
        <QuestionField form={form} set={fields.set} />
        <TargetChoice form={form} set={fields.set} />
      </FieldRow>
      {form.targetKind === 'managed' ? null : <AddressField form={form} set={fields.set} />}
      <TargetFields {...fields} />
      <ScenarioField {...fields} />
      <PlanField {...fields} />
    </RequestForm>
  );
}

/** How quiet the machine is now. */
function MachineStrip({ form }: { form: LaunchForm }) {
  const { data: machine } = useQuery(machineQuery);
  return (
    <p className={classes.machine} data-testid="machine">
      {machine === undefined
        ? 'Checking this machine.'
        : machineInWords(machine, form.length, form.targetKind)}
    </p>
  );
}
