import { NativeSelect, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { printTlsVersion } from '../../../shared/base/tls.ts';
import type { TlsVersion } from '../../../shared/base/tls-profile.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import type { PreflightAnswer } from '../../../shared/target/preflight.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { targetChoices } from '../../../shared/target/target-words.ts';
import { managedServersQuery, scenarioQuery, scenariosQuery } from '../../api/queries.ts';
import { ActionButton, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Icon } from '../../components/card.tsx';
import { FieldRow, LinkedText, OptionFields, SelectField, TextField } from '../../components/form-fields.tsx';
import { CheckColumns, ChoicePills } from '../../components/pills.tsx';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';
import { checkColumns } from '../../format/sides.ts';
import {
  asksPaths,
  type FieldProps,
  type LaunchForm,
  ownScenario,
  sharedScheme,
  storedScenarioOf,
} from './form-shape.ts';
import classes from './launch.module.css';
import { optionsOf } from './load-fields.tsx';
import { guessOf } from './pasted-address.ts';

const documents = comparisonOptions.filter(({ id }) => id === 'target.documents');

/** A server of the machine for each side, and what they serve. */
function ManagedFields(props: FieldProps) {
  const { form, messages } = props;
  const { data: found } = useQuery(managedServersQuery);
  const missing = (server: ServerName | '') => whatIsMissing(found?.find(({ name }) => name === server));
  const { server, 'sides.comparison.target.server': other } = form;
  return (
    <FieldRow>
      <SelectField
        {...props}
        name="server"
        label="Server"
        error={messages.server ?? missing(server)}
        data={serverChoices(found)}
      />
      <SelectField
        {...props}
        name="sides.comparison.target.server"
        label="Server of the comparison"
        error={messages['sides.comparison.target.server'] ?? missing(other)}
        data={[{ value: '', label: 'As baseline' }, ...serverChoices(found)]}
      />
      <OptionFields {...optionsOf(props)} options={documents} />
    </FieldRow>
  );
}

export function TargetChoice({ form, set }: Pick<FieldProps, 'form' | 'set'>) {
  return (
    <ChoicePills
      legend="Target"
      legendShown
      name="target"
      value={form.targetKind}
      onChange={(targetKind) => set(targetKind === 'managed' ? { targetKind, scenario: '' } : { targetKind })}
      choices={targetChoices}
    />
  );
}

/** Fields for a target of the chosen kind. */
export function TargetFields(props: FieldProps) {
  const Fields = fieldsOfKind[props.form.targetKind];
  if (Fields === null) return null;
  return (
    <div className={classes.stack}>
      <Fields {...props} />
    </div>
  );
}

const fieldsOfKind: Record<TargetKind, ((props: FieldProps) => ReactNode) | null> = {
  storefront: null,
  origins: OriginFields,
  managed: ManagedFields,
};

function OriginFields(props: FieldProps) {
  const { form } = props;
  const scheme = sharedScheme(form);
  const trusted = [form.trust, form['sides.comparison.target.trust']].filter((each) => each !== '');
  return (
    <>
      <FieldRow>
        {scheme === null ? (
          <>
            <SideAddressField side="http" {...props} />
            <SideAddressField side="https" {...props} />
          </>
        ) : (
          <>
            <SideAddressField side={scheme} {...props} />
            <OtherAddressField {...props} />
          </>
        )}
        {asksPaths(form) ? <TextField {...props} name="path" label="Path" /> : null}
      </FieldRow>
      {trusted.map((fingerprint) => (
        <p key={fingerprint} className="soft">
          Trusted for this run: <code className={classes.fingerprint}>{fingerprint}</code>
        </p>
      ))}
    </>
  );
}

/** An address that was left out is guessed where it usually is, and said. */
function SideAddressField({ side, ...fields }: FieldProps & { side: 'http' | 'https' }) {
  const message = fields.messages[side];
  const guess = guessOf(fields.form);
  const guessed = guess?.side === side ? guess.address : null;
  return (
    <TextField
      {...fields}
      name={side}
      label={`${side.toUpperCase()} address`}
      description={guessed === null ? undefined : `Left empty: ${guessed} is used.`}
      placeholder={side === 'http' ? 'http://127.0.0.1:8080' : 'https://127.0.0.1:8443'}
      error={message && <LinkedText>{message}</LinkedText>}
      inputMode="url"
    />
  );
}

/** One address may be enough if both sides use the same scheme. */
function OtherAddressField(props: FieldProps) {
  const message = props.messages['sides.comparison.target.origin'];
  return (
    <TextField
      {...props}
      name="sides.comparison.target.origin"
      label="Address of the comparison"
      placeholder="as baseline"
      error={message && <LinkedText>{message}</LinkedText>}
      inputMode="url"
    />
  );
}

export function ScenarioField({ form, set, messages }: FieldProps) {
  const { data: scenarios = [] } = useQuery(scenariosQuery);
  /** Null for the one document of a server. */
  const scenarioId = storedScenarioOf(form);
  const { data: chosen, error } = useQuery({
    ...scenarioQuery(scenarioId ?? ''),
    enabled: scenarioId !== null,
  });
  const options = scenarios.map(({ id, name }) => ({ value: id, label: name }));
  // A revision that is not the newest, or a list that is not here yet.
  if (scenarioId !== null && !options.some(({ value }) => value === scenarioId))
    options.push(optionOf(scenarioId, chosen));
  const own = ownOption[form.targetKind];
  if (own !== null) options.unshift({ value: '', label: own });
  if (form.ownScenario !== '') options.unshift({ value: ownScenario, label: nameOf(form.ownScenario) });
  return (
    <div className={classes.stack}>
      <div className={classes.scenario}>
        <NativeSelect
          label="Scenario"
          value={form.scenario === ownScenario ? ownScenario : (scenarioId ?? '')}
          error={messages.scenario}
          onChange={(event) => set({ scenario: event.currentTarget.value, secrets: {} })}
          data={options}
        />
        {chosen === undefined ? <Others form={form} /> : <Steps chosen={chosen} />}
      </div>
      <ProblemNotice error={error} />
      {chosen === undefined || chosen.secrets.length === 0 ? null : (
        <fieldset className={classes.group}>
          <legend>Scenario secrets</legend>
          <p className="soft">Kept in memory until the run ends. Never stored or shown.</p>
          <FieldRow>
            {chosen.secrets.map((name) => (
              <PasswordInput
                key={name}
                label={name}
                value={form.secrets[name] ?? ''}
                error={(form.secrets[name] ?? '') === '' ? messages.secrets : undefined}
                onChange={(event) => set({ secrets: { ...form.secrets, [name]: event.currentTarget.value } })}
                autoComplete="off"
                maxLength={8192}
              />
            ))}
          </FieldRow>
        </fieldset>
      )}
    </div>
  );
}

/** Option for a request without a stored scenario. */
const ownOption: Record<LaunchForm['targetKind'], string | null> = {
  storefront: null,
  origins: 'The path above',
  managed: 'One document',
};

/** Name of a scenario that only an earlier run has. */
function nameOf(scenario: string): string {
  const parsed = JSON.parse(scenario) as { name?: unknown } | null;
  return `${typeof parsed?.name === 'string' ? parsed.name : 'Scenario'}, as in that run`;
}

function optionOf(value: string, chosen: StoredScenario | undefined) {
  if (chosen === undefined) return { value, label: value === 'search' ? 'Search' : 'Opening …' };
  const { scenario, revision } = chosen;
  return {
    value,
    label: revision === null ? scenario.name : `${scenario.name}, revision ${revision.number}`,
  };
}

/** Other ways to get a scenario. */
function Others({ form }: { form: LaunchForm }) {
  return (
    <p className="soft">
      {asksPaths(form) ? 'Several paths have spaces between them. ' : null}
      Or <Link to="/record">record</Link> or <Link to="/scenarios">import a scenario</Link>.
    </p>
  );
}

function Steps({ chosen: { id, scenario } }: { chosen: StoredScenario }) {
  return (
    <div>
      <ol className={classes.steps} aria-label="Steps of one transaction">
        {scenario.steps.map((step, index) =>
          step.enabled ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one name
            <li key={index}>
              {step.name}
              <code>
                {step.method} {step.path}
              </code>
            </li>
          ) : null,
        )}
      </ol>
      <p className="soft">
        <Link to={`/scenarios/${id}`}>Open the scenario</Link> or{' '}
        <Link to="/scenarios">bring one of your own</Link>.
      </p>
    </div>
  );
}

type Props = {
  pending: boolean;
  report: PreflightAnswer | undefined;
  error: Error | null;
  onTrust: (fingerprint: string) => void;
  onTwin: (origin: string) => void;
  /** Null where the versions are what is compared. */
  onVersion: ((version: TlsVersion) => void) | null;
};

/** Findings about each side, in two columns; an error is in the column of its side. */
export function PreflightPanel({ pending, report, error, onTrust, onTwin, onVersion }: Props) {
  if (pending) return <Waiting>Checking both sides</Waiting>;
  if (error !== null) return <ProblemNotice error={error} />;
  if (report === undefined) return null;
  return (
    <section className={classes.panel} aria-labelledby="preflight-title">
      <h2 id="preflight-title" className={classes.title}>
        Check of the target
      </h2>
      <p className={classes.summary} role="status" data-ok={report.ok}>
        <Icon name={report.ok ? 'check' : 'cross'} />
        {report.ok ? 'Both sides can be compared.' : 'This target cannot be measured as it is.'}
      </p>
      {report.untrusted === null ? null : (
        <Offer action="Trust this certificate for this run" onTake={onTrust} value={report.untrusted}>
          SHA-256 <code>{report.untrusted}</code>
        </Offer>
      )}
      {report.otherVersion === null || onVersion === null ? null : (
        <Offer
          action={`Use ${printTlsVersion(report.otherVersion)} for this run`}
          onTake={onVersion}
          value={report.otherVersion}
        />
      )}
      {report.twinProposal === null ? null : (
        <Offer action="Use as twin" onTake={onTwin} value={report.twinProposal}>
          <code>{new URL(report.twinProposal).host}</code> belongs to the same server. Use it as the twin?
        </Offer>
      )}
      <CheckColumns columns={checkColumns(report)} />
    </section>
  );
}

type OfferProps<Value> = {
  action: string;
  value: Value;
  onTake: (value: Value) => void;
  children?: ReactNode;
};

/** A change of the form that the check proposes. */
function Offer<Value>({ action, value, onTake, children }: OfferProps<Value>) {
  return (
    <div className={classes.trust}>
      {children === undefined ? null : <p>{children}</p>}
      <ActionButton variant="default" onClick={() => onTake(value)}>
        {action}
      </ActionButton>
    </div>
  );
}
