import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import { groupOptions } from '../../../shared/base/option.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import { type CapacityReport, goesWith } from '../../../shared/kinds/comparison/capacity.ts';
import { loadOptions, ownOptions, priceOptions } from '../../../shared/kinds/comparison/capacity-options.ts';
import { printEstimate } from '../../../shared/words/precision-words.ts';
import { capacityQuery } from '../../api/result-queries.ts';
import { PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice, Section } from '../../components/card.tsx';
import { DataTable, Figure, Legend } from '../../components/data-table.tsx';
import { MoreFields, OptionFields, type OptionFieldsProps } from '../../components/form-fields.tsx';
import { BillResult } from '../../components/result-head.tsx';
import { LabTabs } from '../../components/start-form.tsx';
import { Fold } from '../../components/term.tsx';
import type { OptionForm } from '../../format/option-form.ts';
import { type Side, sidesOf } from '../../format/sides.ts';
import classes from './capacity.module.css';
import {
  type CapacityForm,
  changeOfVersion,
  formOfQuery,
  type Measurements,
  parseForm,
  queryOf,
  useMeasurements,
} from './capacity-form.ts';

export default function CapacityPage() {
  const known = useMeasurements();
  return (
    <>
      <PageHead tab="Capacity" title="How many cores do you need?" above={<LabTabs />}>
        <p>With and without TLS. To share a plan, copy its address.</p>
      </PageHead>
      {known === null ? <Waiting>Loading runs</Waiting> : <Planner {...known} />}
    </>
  );
}

function Planner({ measurements, newest }: NonNullable<ReturnType<typeof useMeasurements>>) {
  const [query, setQuery] = useSearchParams();
  const form = formOfQuery(query);
  const set = (change: CapacityForm) =>
    setQuery(queryOf({ ...form, ...change }), { replace: true, preventScrollReset: true });
  const { request, messages } = parseForm(form, newest);
  const capacity = useQuery({
    ...capacityQuery(useDeferredValue(request)),
    placeholderData: keepPreviousData,
  });
  const fields = { form, set, messages };
  return (
    <>
      <Card>
        <form className="stack wide" noValidate onSubmit={(event) => event.preventDefault()}>
          <LoadFields {...fields} />
          <FigureFields {...fields} measurements={measurements} />
        </form>
      </Card>
      <ProblemNotice error={capacity.error} />
      {capacity.data === undefined || capacity.error !== null ? null : (
        <CapacityResult report={capacity.data} />
      )}
    </>
  );
}

/** Choice of the source of each figure: a measurement made here, or typed values, which take precedence. */
export function FigureFields({ measurements, ...fields }: FieldsProps & { measurements: Measurements }) {
  const choices = (name: keyof Measurements) => [
    { value: '', label: measurements[name].length === 0 ? 'Typical figures' : 'Latest' },
    ...measurements[name].map(({ id, title }) => ({ value: id, label: title })),
    ...(measurements[name].length === 0 ? [] : [{ value: 'none', label: 'None' }]),
  ];
  return (
    <>
      <fieldset className={classes.fields}>
        <legend>Measured costs</legend>
        {names.map(({ name, label }) => (
          <NativeSelect
            key={name}
            label={label}
            value={String(fields.form[name])}
            error={fields.messages[name]}
            onChange={(event) => fields.set({ [name]: event.currentTarget.value })}
            data={choices(name)}
          />
        ))}
      </fieldset>
      <fieldset className={classes.fields}>
        <legend>Prices</legend>
        <OptionFields {...fields} options={priceOptions} />
      </fieldset>
      <MoreFields
        title="Your own figures"
        open={ownOptions.some(({ id }) => fields.messages[id] !== undefined)}
      >
        <fieldset className={classes.fields}>
          <OptionFields {...fields} options={ownOptions} />
        </fieldset>
      </MoreFields>
    </>
  );
}

const names: { name: keyof Measurements; label: string }[] = [
  { name: 'handshakes', label: 'Handshakes' },
  { name: 'speed', label: 'Speed' },
  { name: 'comparison', label: 'Request, from a run' },
];

export type FieldsProps = OptionFieldsProps & { form: OptionForm };

export function LoadFields({ form, set, messages }: FieldsProps) {
  const version = String(form['load.version']);
  const choose = (choice: { value: string; label: string }) =>
    goesWith(choice.value, version) ? choice : null;
  return groupOptions(loadOptions).map(([title, options]) => (
    <fieldset key={title} className={classes.fields}>
      <legend>{title}</legend>
      <OptionFields
        form={form}
        set={({ 'load.version': chosen, ...change }) =>
          set(chosen === undefined ? change : changeOfVersion(form, String(chosen)))
        }
        messages={messages}
        options={options}
        choices={{ 'load.key': choose, 'load.group': choose }}
      />
    </fieldset>
  ));
}

export function CapacityResult({ report }: { report: CapacityReport }) {
  const { headline, limit, bound, crossCheck, notes, changes, formulas, figures, bill } = report;
  return (
    <>
      <Section id="verdict" title="Cores">
        <Card>
          <div className={classes.verdict} role="status" data-testid="capacity-verdict">
            <p>{headline.title}</p>
            <p>{headline.second}</p>
            {headline.third === undefined ? null : <p>{headline.third}</p>}
            <p>{limit}</p>
          </div>
        </Card>
        {notes.map((note) => (
          <Notice key={note} tone="warn">
            {note}
          </Notice>
        ))}
      </Section>
      <PartsFigure report={report} />
      <Section id="bill" title="Cost per month">
        <BillResult bill={bill} />
      </Section>
      <Savings changes={changes} />
      <Fold id="formulas" title="Step by step">
        <Card flush>
          <DataTable
            caption="Every formula with its numbers"
            text
            rows={formulas}
            keyOf={({ title }) => title}
            columns={[
              { label: 'Step', cell: ({ title }) => title },
              { label: 'Formula', cell: ({ formula }) => <span className={classes.formula}>{formula}</span> },
            ]}
          />
        </Card>
        {bound === null && crossCheck === null ? null : (
          <Card>
            <div className={classes.lines}>
              {bound === null ? null : <p>{bound}</p>}
              {crossCheck === null ? null : <p>{crossCheck}</p>}
            </div>
          </Card>
        )}
      </Fold>
      <Fold id="figures" title="Inputs">
        <Card flush>
          <DataTable
            caption="Cost of each piece, and its source"
            text
            rows={figures}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Piece', cell: ({ title }) => title },
              { label: 'Value', cell: ({ value, unit }) => `${printEstimate(value)} ${unit}`, numeric: true },
              { label: 'Source', cell: ({ source }) => source },
              { label: 'Details', cell: ({ from }) => from },
            ]}
          />
        </Card>
      </Fold>
    </>
  );
}

/** Changes that would save cores. */
function Savings({ changes }: Pick<CapacityReport, 'changes'>) {
  if (changes.length === 0) return null;
  return (
    <Section
      id="changes"
      title="Biggest savings"
      lead="Each change alone, at the same CPU target."
      card="flush"
    >
      <DataTable
        caption="Changes and the cores they save"
        testId="capacity-changes"
        rows={changes}
        keyOf={({ title }) => title}
        columns={[
          { label: 'Change', cell: ({ title, note }) => <Change title={title} note={note} /> },
          { label: 'Cores saved', cell: ({ saves }) => printEstimate(saves), numeric: true },
          { label: 'Cores after', cell: ({ cores }) => printEstimate(cores), numeric: true },
        ]}
      />
    </Section>
  );
}

function Change({ title, note }: { title: string; note: string | null }) {
  return (
    <>
      {title}
      {note === null ? null : <span className={classes.note}>{note}</span>}
    </>
  );
}

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

const caption = 'Busy cores of each part. Whiskers are 95 % CIs of what was measured.';

/** Busy cores by part, over HTTP and over HTTPS. */
export function PartsFigure({ report: { parts } }: { report: CapacityReport }) {
  const isClear = (part: string) => part === 'request' || part === 'connection';
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'https']));
  const seriesOf = ({ label, color, dashed }: Side, all: boolean) => ({
    label,
    color,
    dashed,
    bars: parts.map(({ part, cores }) => (all || isClear(part) ? cores : null)),
  });
  return (
    <Section id="parts" title="Where the cores go" card>
      <Figure
        height={70 + parts.length * 44}
        caption={caption}
        legend={<Legend items={[baseline, comparison]} />}
        table={
          <DataTable
            caption="Busy cores and share of each part"
            narrow="scroll"
            rows={parts}
            keyOf={({ part }) => part}
            columns={[
              { label: 'Part', cell: ({ title }) => title },
              { label: 'Busy cores', cell: ({ cores }) => printEstimate(cores), numeric: true },
              { label: 'Share', cell: ({ share }) => printShare(share), numeric: true },
            ]}
          />
        }
      >
        <BarChart
          label={caption}
          categories={parts.map(({ title }) => title)}
          series={[seriesOf(baseline, false), seriesOf(comparison, true)]}
          value={{ title: 'busy cores', unit: 'busy cores', print: (value) => printNumber(value, 2) }}
        />
      </Figure>
    </Section>
  );
}
