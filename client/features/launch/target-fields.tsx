import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
} from 'react';
import { Link } from 'react-router';
import { printTlsVersion } from '../../../shared/base/tls.ts';
import type { TlsVersion } from '../../../shared/base/tls-profile.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { FoundListener, TargetCheck } from '../../../shared/target/preflight.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import type { LocalServer } from '../../../shared/target/target.ts';
import { lookupInWords, questionOfTrust } from '../../../shared/target/target-words.ts';
import { problemOf } from '../../api/late-call.ts';
import { localServersQuery, machineQuery, managedServersQuery } from '../../api/queries.ts';
import { ActionButton, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Icon } from '../../components/card.tsx';
import { FieldRow, LinkedText, OptionFields, SelectField } from '../../components/form-fields.tsx';
import { CheckColumns } from '../../components/pills.tsx';
import { printCount } from '../../format/printed-figures.ts';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';
import type { FieldProps } from './form-shape.ts';
import classes from './launch.module.css';
import { optionsOf } from './load-fields.tsx';
import { printAddress } from './pasted-address.ts';
import type { Launch } from './use-launch.ts';

type Props = { launch: Launch };

/** The target: a pasted address or a choice, and a line that says what was found there. */
export function TargetField({ launch }: Props) {
  const { paste } = launch.lookup;
  // A text that is pasted while no field has the focus is meant for this one.
  const take = useEffectEvent((event: globalThis.ClipboardEvent) => {
    const isTyped =
      event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    if (isTyped || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    paste(event.clipboardData?.getData('text/plain') ?? '');
  });
  useEffect(() => {
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  }, []);
  return (
    <div>
      <AddressInput launch={launch} />
      <Pills launch={launch} />
      <FoundLine launch={launch} />
    </div>
  );
}

function AddressInput({ launch: { fields, lookup } }: Props) {
  const { messages, form } = fields;
  const wrong =
    messages.http ?? messages.https ?? messages['sides.comparison.target.origin'] ?? messages.path;
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { files } = event.clipboardData;
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const pasted = event.clipboardData.getData('text/plain');
    event.preventDefault();
    if (files.length > 0) return lookup.drop([...files]);
    const [before, after] = [value.slice(0, selectionStart ?? 0), value.slice(selectionEnd ?? value.length)];
    // Lines of a curl command stay apart; a second address is pasted behind the first.
    lookup.paste(
      before === '' || /\s$/.test(before) ? before + pasted + after : `${before} ${pasted}${after}`,
    );
  };
  const drop = (event: DragEvent<HTMLInputElement>) => {
    const { files } = event.dataTransfer;
    if (files.length === 0) return;
    event.preventDefault();
    lookup.drop([...files]);
  };
  const enter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || lookup.isDone) return;
    event.preventDefault();
    lookup.lookUp();
  };
  return (
    <TextInput
      label="Paste an address, a curl command, or choose:"
      placeholder="127.0.0.1:8080, https://localhost:8443/shop, or two addresses"
      classNames={{ input: classes.address ?? '', label: classes.addressLabel ?? '' }}
      size="lg"
      value={form.targetKind === 'origins' || lookup.note !== null ? shortened(lookup.text) : ''}
      error={wrong && <LinkedText>{wrong}</LinkedText>}
      onChange={({ currentTarget: { value } }) => lookup.type(value)}
      onPaste={paste}
      onDrop={drop}
      onKeyDown={enter}
      onBlur={() => lookup.lookUp()}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** A long curl command is kept whole, but a browser would lay out all of it at every key. */
const mostShown = 2_000;
function shortened(text: string): string {
  return text.length > mostShown ? `${text.slice(0, 60)}…` : text.replace(/\\?\r?\n/g, ' ');
}

/** Targets without an address to paste: the storefront, servers that were found on this machine, and servers to start. */
function Pills({ launch: { fields, lookup } }: Props) {
  const { form, set } = fields;
  const { data: machine } = useQuery(machineQuery);
  // Each is asked for its protocol, which would disturb a run.
  const { data: servers = [] } = useQuery({
    ...localServersQuery,
    enabled: machine?.holder === null,
  });
  const given = printAddress(form);
  return (
    <fieldset className={classes.pills} aria-label="Targets to choose">
      <Pill on={form.targetKind === 'storefront'} onChoose={() => lookup.type('')}>
        Demo shop
      </Pill>
      {servers.filter(isPair).map((server) => {
        const addresses = addressesOf(server);
        return (
          <Pill
            key={addresses}
            on={form.targetKind === 'origins' && given.startsWith(addresses)}
            onChoose={() => lookup.paste(addresses)}
          >
            {titleOf(server)} (found)
          </Pill>
        );
      })}
      <Pill
        on={form.targetKind === 'managed'}
        onChoose={() => {
          lookup.type('');
          set({ targetKind: 'managed', scenario: '' });
        }}
      >
        Start a server…
      </Pill>
      <Link to="/scenarios">Record or import…</Link>
    </fieldset>
  );
}

function Pill({ on, onChoose, children }: { on?: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <button type="button" {...(on !== undefined && { 'aria-pressed': on })} onClick={onChoose}>
      {children}
    </button>
  );
}

/** A server with one side only is not offered: pasting its address finds the other side. */
function isPair({ http, https }: LocalServer): boolean {
  return http.length > 0 && https.length > 0;
}

/** The first port of each scheme. The lookup finds out which ports belong together. */
function addressesOf({ http: [plain], https: [secure] }: LocalServer): string {
  return `http://127.0.0.1:${plain} https://127.0.0.1:${secure}`;
}

/** `nginx on :8080 and :8443`. */
function titleOf({ program, http: [plain], https: [secure] }: LocalServer): string {
  return `${program ?? 'A server'} on :${plain} and :${secure}`;
}

/** Line that says what was found at the target, or what is missing. */
function FoundLine({ launch }: Props) {
  const { fields, lookup, check } = launch;
  const { targetKind, http, https } = fields.form;
  const said = targetKind === 'origins' || lookup.note !== null ? sayingOf(launch) : null;
  const isKnown = lookup.found !== undefined || (http !== '' && https !== '');
  const isWhole = targetKind !== 'origins' || (isKnown && lookup.lacks === null);
  return (
    <div className={classes.found} data-tone={said?.tone}>
      {said === null || said.tone === 'plain' ? null : (
        <Icon name={said.tone === 'good' ? 'check' : 'exclamation'} />
      )}
      <p role="status">
        {said === null ? null : <LinkedText>{said.sentence}</LinkedText>}
        {targetKind === 'storefront' && said === null ? (
          <>
            A small shop with a database, started for the run. Or see{' '}
            <Link to="/examples">example results</Link> first.
          </>
        ) : null}{' '}
        {isWhole ? (
          <button type="button" className={classes.checks} onClick={check}>
            Check target
          </button>
        ) : null}
      </p>
      {targetKind === 'origins' ? <Choices lookup={lookup} /> : null}
    </div>
  );
}

/** Listeners that answer in place of the other side. */
function Choices({ lookup }: { lookup: Launch['lookup'] }) {
  const [first] = lookup.found?.found ?? [];
  const others = lookup.found?.others ?? [];
  if (others.length === 0) return null;
  return (
    <fieldset className={classes.pills} aria-label="Other side">
      {others.map((other) => (
        <Pill key={other.origin} onChoose={() => lookup.paste(`${first?.origin ?? ''} ${other.origin}`)}>
          {choiceOf(other)}
        </Pill>
      ))}
    </fieldset>
  );
}

type Saying = { tone: 'plain' | 'good' | 'warn'; sentence: string };

function sayingOf({ lookup }: Launch): Saying | null {
  const { note, pending, error, found, imported, lacks } = lookup;
  if (pending) return { tone: 'plain', sentence: 'Looking …' };
  if (error !== null) {
    return { tone: 'warn', sentence: [note ?? '', problemOf(error).detail].join(' ').trim() };
  }
  const scenario =
    imported === null ? '' : `${imported.name}, ${printCount(imported.steps.length, 'step')} · `;
  const line = found === undefined ? null : lookupInWords(found);
  const question = found === undefined ? null : questionOfTrust(found);
  // The note or the line itself says what is missing.
  const isSaid =
    note !== null || (found !== undefined && (found.missing !== null || found.others.length > 0));
  const whole = line === null ? (imported?.name ?? null) : scenario + line;
  const parts = [note, whole, question, isSaid ? null : lacks].filter((part) => part !== null);
  const sentence = parts.length > 1 ? parts.map(ended).join(' ') : parts[0];
  const isWarning = note !== null || lacks !== null || question !== null;
  return sentence === undefined ? null : { tone: isWarning ? 'warn' : 'good', sentence };
}

function ended(sentence: string): string {
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** `https://127.0.0.1:3001: node, 3 kB, answers 404`. */
function choiceOf({ origin, server, bodyBytes, status }: FoundListener): string {
  const facts = [
    server ?? 'a server',
    printCount(bodyBytes, 'byte'),
    ...(status === 200 ? [] : [`answers ${status}`]),
  ];
  return `${origin}: ${facts.join(', ')}`;
}

const documents = comparisonOptions.filter(({ id }) => id === 'target.documents');

/** A server of the machine for each side, and what they serve. */
export function ManagedFields(props: FieldProps) {
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
        label="Server of the second side"
        error={messages['sides.comparison.target.server'] ?? missing(other)}
        data={[{ value: '', label: 'Same as first side' }, ...serverChoices(found)]}
      />
      <OptionFields {...optionsOf(props)} options={documents} />
    </FieldRow>
  );
}

type PanelProps = {
  pending: boolean;
  report: TargetCheck | undefined;
  error: Error | null;
  trustAction: string;
  onTrust: (fingerprint: string) => void;
  /** Address of another listener that serves the same as the first side; null for none. */
  twin: string | null;
  onTwin: (origin: string) => void;
  /** Null where the versions are what is compared. */
  onVersion: ((version: TlsVersion) => void) | null;
};

/** Findings about each side, in two columns; an error is in the column of its side. */
export function PreflightPanel({ pending, report, error, twin, onTwin, onVersion, ...trust }: PanelProps) {
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
        <Offer action={trust.trustAction} onTake={trust.onTrust} value={report.untrusted}>
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
      {twin === null || !report.ok ? null : (
        <Offer action="Use as control" onTake={onTwin} value={twin}>
          <code>{new URL(twin).host}</code> belongs to the same server. Use it as the control?
        </Offer>
      )}
      <CheckColumns report={report} />
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
