import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { labelsOf } from '../../../shared/base/transport.ts';
import type { BillRequestInput } from '../../../shared/kinds/comparison/capacity.ts';
import { billOptions } from '../../../shared/kinds/comparison/capacity-options.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { serversOf, serversOfSides } from '../../../shared/kinds/comparison/servers-of-sides.ts';
import {
  droppedTable,
  errorTable,
  fairnessTable,
  precisionTable,
} from '../../../shared/report/run-report.ts';
import type { PreflightReport } from '../../../shared/target/preflight.ts';
import type { MeasuredServer, ServerWitness } from '../../../shared/target/target.ts';
import { describeLoad } from '../../../shared/words/side-words.ts';
import { unaskedInWords } from '../../../shared/words/unasked-differences.ts';
import { keepText, recallText } from '../../api/delete-tokens.ts';
import { mayCall } from '../../api/identity.ts';
import { recentQuery } from '../../api/queries.ts';
import { billQuery } from '../../api/result-queries.ts';
import { Card, type Fact, Facts, Notice, Section } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/delete-button.tsx';
import { FieldRow, OptionFields } from '../../components/form-fields.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { CheckColumns } from '../../components/pills.tsx';
import { BillResult, ReportTable, SourceFiles } from '../../components/result-head.tsx';
import { served } from '../../components/tag-links.tsx';
import { Fold } from '../../components/term.tsx';
import { checkColumns, formOf, type OptionForm, printCount, readForm } from '../../format/option-form.ts';
import { printWitness } from '../../format/server-witness.ts';
import { CacheSection, hasCpuDelta, hasSteps, isMeasured, termsOf } from './cache-section.tsx';
import { ExplainSection } from './explain-section.tsx';
import { ChartsSection } from './figures/charts-section.tsx';
import { NextSteps } from './next-steps.tsx';
import { planFacts } from './plan-facts.tsx';
import classes from './run.module.css';
import { SeriesSection } from './series-section.tsx';
import { StepsSection } from './steps-section.tsx';
import { MetricsSection, VerdictHead } from './verdict-head.tsx';

type Props = { document: ShownRun; takeFocus: boolean };

/** A run that is over, whole or in part: the verdict first, then everything it rests on. */
export function FinishedPage({ document, takeFocus }: Props) {
  const { verdict, errors, preflight, example } = document;
  const isOwn = served && example !== true;
  const measured = isMeasured(document);
  return (
    <>
      <VerdictHead document={document} takeFocus={takeFocus} />
      {served ? <NextSteps document={document} /> : null}
      <Warnings warnings={warningsOf(document)} />
      {measured || errors.length === 0 ? null : <ErrorsSection document={document} open />}
      {preflight === null || preflight.ok ? null : <PreflightSection report={preflight} />}
      {measured ? <MetricsSection document={document} /> : null}
      {measured ? (
        <div className={classes.secondPage}>
          <ChartsSection document={document} />
        </div>
      ) : null}
      {hasCpuDelta(document) && example !== true ? <ExplainSection document={document} /> : null}
      <div className={classes.folds}>
        {isOwn && verdict !== null ? <SeriesSection document={document} /> : null}
        {isOwn && measured ? <BillSection document={document} /> : null}
        {hasSteps(document) ? <StepsSection document={document} /> : null}
        {measured ? <PrecisionSection document={document} /> : null}
        {document.fairness === null ? null : <FairnessSection document={document} />}
        <CacheSection document={document} />
        {measured || errors.length === 0 ? (
          <ErrorsSection document={document} open={errors.length > 0} />
        ) : null}
        <ServerSection document={document} />
        <MethodSection
          plan={planFacts(document)}
          machine={document.environment}
          placement={document.placement}
        />
        <ReadingGuide plan={document.plan} />
      </div>
    </>
  );
}

/** What else the sides differ by comes first: it may be what the verdict shows. */
function warningsOf(document: ShownRun): string[] {
  const unasked = unaskedInWords(document);
  return [...(unasked === null ? [] : [unasked]), ...document.warnings];
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className={classes.warnings}>
      <Notice tone="warn">
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </Notice>
    </div>
  );
}

/** Why a run never began: the check that failed stands in its column. */
function PreflightSection({ report }: { report: PreflightReport }) {
  return (
    <Section id="preflight" title="Preflight check" lead={report.problem} card>
      <CheckColumns columns={checkColumns(report)} />
    </Section>
  );
}

function FairnessSection({ document }: { document: ShownRun }) {
  return (
    <Fold id="fairness" title="Fairness" printed>
      {document.atLoad === undefined ? null : <p>{describeLoad(document.atLoad, document).join(' ')}</p>}
      <Card flush>
        <ReportTable of={fairnessTable(document)} />
      </Card>
    </Fold>
  );
}

function PrecisionSection({ document }: { document: ShownRun }) {
  const table = precisionTable(document);
  if (table.rows.length === 0) return null;
  return (
    <Fold id="precision" title="Precision" lead="what each interval rests on">
      <Card flush>
        <ReportTable of={table} />
      </Card>
    </Fold>
  );
}

function ReadingGuide({ plan }: Pick<ShownRun, 'plan'>) {
  return (
    <Fold id="how-to-read" title="How to read the numbers">
      <dl className={classes.guide}>
        {termsOf(plan).map(([term, meaning]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </Fold>
  );
}

function ErrorsSection({ document, open = false }: { document: ShownRun; open?: boolean }) {
  const { errors, blocks } = document;
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  return (
    <Fold id="errors" title="Errors" lead={leadOf(failed, blocks)} open={open}>
      {errors.length === 0 ? null : (
        <Card flush>
          <ReportTable of={errorTable(errors)} name="Errors by kind" />
        </Card>
      )}
      {dropped.length === 0 ? null : (
        <Card flush>
          <ReportTable of={droppedTable(document)} name="Blocks left out, all or in part" />
        </Card>
      )}
    </Fold>
  );
}

function leadOf(failed: number, blocks: ShownRun['blocks']): string {
  if (blocks.length === 0) return 'No block was measured.';
  const requests = failed === 0 ? 'No request failed.' : `${printCount(failed, 'request')} failed.`;
  const spoiled = blocks.filter(({ reasons }) => reasons.length > 0);
  const out = spoiled.filter(({ reasons }) => reasons.some(({ spoils }) => spoils === 'all')).length;
  const inPart = spoiled.length - out;
  const all = printCount(blocks.length, 'block');
  if (spoiled.length === 0) return `${requests} All ${all} count.`;
  const counts = [
    ...(out === 0 ? [] : [`${out} of ${all} left out`]),
    ...(inPart === 0 ? [] : [`${inPart} of ${all} left out of some metrics`]),
  ];
  return `${requests} ${counts.join(', ')}.`;
}

/** The servers that were started for the run, with the configuration that was measured; nothing without any. */
function ServerSection({ document }: { document: ShownRun }) {
  const servers = serversOf(document);
  if (servers.length === 0) return null;
  const names = labelsOf(document.sides);
  const titles = { ...names, twin: 'Twin' };
  const lead = [...new Set(servers.map(({ title, version }) => `${title} ${version}`))].join(', ');
  return (
    <Fold id="server" title={servers.length === 1 ? 'Server' : 'Servers'} lead={lead}>
      <Card>
        <Facts
          facts={[
            ...factsOfServers(document),
            {
              name: 'Configuration',
              value: served ? (
                <a href={`/api/v1/measurements/${document.id}/configuration`}>Download all files</a>
              ) : null,
            },
          ]}
        />
        <SourceFiles
          files={servers.flatMap(({ files }) =>
            files.map(({ arm, name, text }) => ({ name: `${titles[arm]}: ${name}`, text })),
          )}
        />
      </Card>
    </Fold>
  );
}

/** Of one server, or of the baseline's and then the comparison's. */
function factsOfServers(document: ShownRun): Fact[] {
  const { baseline, comparison } = serversOfSides(document);
  const labels = labelsOf(document.sides);
  if (baseline === null || comparison === null) return [];
  if (baseline !== comparison) {
    return [
      ...factsOf(baseline, `, ${labels.baseline}`),
      witnessFact(baseline.witness, `, ${labels.baseline}`),
      ...factsOf(comparison, `, ${labels.comparison}`),
      witnessFact(comparison.witness, `, ${labels.comparison}`),
    ];
  }
  const { baselineWitness } = comparison;
  const of = (label: string) => (baselineWitness === undefined ? '' : `, ${label}`);
  return [
    ...factsOf(comparison, ''),
    witnessFact(baselineWitness ?? null, of(labels.baseline)),
    witnessFact(comparison.witness, of(labels.comparison)),
  ];
}

function factsOf({ title, version, tlsLibrary }: MeasuredServer, of: string): Fact[] {
  return [
    { name: `Server${of}`, value: `${title} ${version}` },
    { name: `TLS library${of}`, value: tlsLibrary ?? 'not readable' },
  ];
}

function witnessFact(witness: ServerWitness | null, of: string): Fact {
  return { name: `Check at both ends${of}`, value: witness && printWitness(witness) };
}

/** What your load would cost on both sides, computed when the fold is opened. */
function BillSection({ document }: { document: ShownRun }) {
  const [opened, open] = useState(false);
  return (
    <Fold id="bill" title="Cost per month" onOpen={() => open(true)}>
      {opened ? <BillOf document={document} /> : null}
    </Fold>
  );
}

function BillOf({ document }: { document: ShownRun }) {
  const [form, setForm] = useState(readBill);
  const set = (change: BillForm) => {
    setForm({ ...form, ...change });
    keepBill({ ...form, ...change });
  };
  const asksLab = asksHandshakes(document, form);
  const newest = useQuery({
    ...recentQuery('handshakes', 1, 'finished'),
    enabled: asksLab && mayCall(measurementEndpoints.listMeasurements),
  });
  const { request, messages } = billRequest(form, newest.data?.[0]?.id ?? null);
  const bill = useQuery({
    ...billQuery(document.id, useDeferredValue(request)),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Card>
        <FieldRow>
          <OptionFields form={form} set={set} messages={messages} options={fieldsOf(document)} />
        </FieldRow>
      </Card>
      {asksLab ? (
        <p>
          The cost of handshakes comes from the newest measurement in the <Link to="/lab">lab</Link>.
        </p>
      ) : null}
      <ProblemNotice error={bill.error} />
      {bill.data === undefined || bill.error !== null ? null : <BillResult bill={bill.data} />}
    </>
  );
}

/** Your load and your prices as you typed them. The browser keeps them, for all runs. */
type BillForm = OptionForm;

const key = 'tls-toll:bill';
const ofHandshakes = ['load.fullPerS', 'load.resumedPerS'];

type Run = Pick<ShownRun, 'connectionsPerTransaction'>;

/** If a run opened new connections, its figures include their handshakes, so it does not ask for them. */
function fieldsOf({ connectionsPerTransaction }: Run) {
  return connectionsPerTransaction === undefined
    ? billOptions
    : billOptions.filter(({ id }) => !ofHandshakes.includes(id));
}

function asksHandshakes(run: Run, form: BillForm): boolean {
  return (
    run.connectionsPerTransaction === undefined &&
    ofHandshakes.some((id) => Number(String(form[id]).replaceAll(',', '')) > 0)
  );
}

/** The request, null while a field is wrong, and what is said at that field. */
function billRequest(form: BillForm, handshakes: string | null) {
  const { asked, messages } = readForm(billOptions, form);
  const request: BillRequestInput | null =
    Object.keys(messages).length === 0 ? { ...asked, handshakes } : null;
  return { request, messages };
}

function readBill(): BillForm {
  const empty = formOf(billOptions);
  try {
    const kept: unknown = JSON.parse(recallText(key) ?? '{}');
    const known = Object.entries(kept ?? {}).filter(
      ([id, value]) => typeof value === 'string' && Object.hasOwn(empty, id),
    );
    return { ...empty, ...Object.fromEntries(known) };
  } catch {
    return empty;
  }
}

/** Only what differs from the defaults, so that those may change. */
function keepBill(form: BillForm): void {
  const empty = formOf(billOptions);
  const changed = Object.entries(form).filter(([id, value]) => value !== empty[id]);
  keepText(key, JSON.stringify(Object.fromEntries(changed)));
}
