import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import {
  type KnownTraffic,
  knownIn,
  knownNames,
  printSizes,
  type TrafficBill,
  type TrafficRequestInput,
  trafficOfHar,
  trafficOfRun,
  trafficOptions,
  trafficRequestSchema,
} from '../../../shared/kinds/prices/traffic.ts';
import { mayCall } from '../../api/identity.ts';
import { recentQuery } from '../../api/queries.ts';
import { measurementQuery, trafficBillQuery } from '../../api/result-queries.ts';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice, Section } from '../../components/card.tsx';
import { FieldRow, FileField, OptionFields } from '../../components/form-fields.tsx';
import { BillResult } from '../../components/result-head.tsx';
import { formOf, type OptionForm, readForm } from '../../format/option-form.ts';
import { printWhen } from '../../format/printed-figures.ts';

/** On the page of a list. */
export function TrafficBillSection({ list }: { list: string }) {
  return (
    <Section id="bill" title="Bill" lead="What your traffic costs by these prices.">
      <BillFields list={list} />
    </Section>
  );
}

/** The form, which lives in the address. */
export function useTraffic() {
  const [query, setQuery] = useSearchParams();
  const set = (change: OptionForm) =>
    setQuery((now) => queryOf(now, { ...formOfQuery(now), ...change }), {
      replace: true,
      preventScrollReset: true,
    });
  return { form: formOfQuery(query), set };
}

export function BillFields({ list }: { list: string }) {
  const { form, set } = useTraffic();
  const { request, messages } = parseForm(form);
  const bill = useQuery({
    ...trafficBillQuery(list, useDeferredValue(request)),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <Card stack>
        <Sources take={(known) => set(fieldsOf(known))} />
        <FieldRow>
          <OptionFields form={form} set={set} messages={messages} options={trafficOptions} />
        </FieldRow>
      </Card>
      <ProblemNotice error={bill.error} />
      {bill.data === undefined || bill.error !== null || request === null ? null : (
        <Answer bill={bill.data} />
      )}
    </div>
  );
}

function Answer({ bill }: { bill: TrafficBill }) {
  const { missing, limits } = bill;
  return (
    <>
      <BillResult bill={bill} />
      {missing.map(({ item, why, remedy }) => (
        <Notice key={item} tone="warn" title={`No price of ${item}`}>
          <p>
            {why} {remedy}
          </p>
        </Notice>
      ))}
      {limits.length === 0 ? null : (
        <Card>
          <ul className="stack" data-testid="limits">
            {limits.map(({ name, sentence }) => (
              <li key={name}>
                <strong>{name}.</strong> {sentence}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

/** Fills the fields from a run or a file. What that does not know becomes empty, so that it is asked for. */
function Sources({ take }: { take: (known: KnownTraffic) => void }) {
  const client = useQueryClient();
  const runs = useQuery({
    ...recentQuery('comparison', 20, 'finished'),
    enabled: mayCall(measurementEndpoints.listMeasurements),
  });
  const read = useMutation({
    mutationFn: async (source: string | File): Promise<KnownTraffic> =>
      typeof source === 'string'
        ? trafficOfRun((await client.fetchQuery(measurementQuery(source))) as ShownRun)
        : trafficOfHar(await source.text()),
    onSuccess: take,
  });
  const measured = runs.data ?? [];
  return (
    <>
      <FieldRow>
        {measured.length === 0 ? null : (
          <NativeSelect
            label="Traffic of a run"
            data={[
              { value: '', label: 'None' },
              ...measured.map(({ id, title, createdAt }) => ({
                value: id,
                label: `${title}, ${printWhen(createdAt)}`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => value !== '' && read.mutate(value)}
          />
        )}
        <FileField
          label="Traffic of a HAR"
          accept=".har"
          hint="It stays in your browser."
          onChoose={(file) => file !== null && read.mutate(file)}
        />
      </FieldRow>
      <ProblemNotice error={read.error} />
    </>
  );
}

export function fieldsOf(known: KnownTraffic): OptionForm {
  const { sizes, ...numbers } = knownIn(known);
  const rounded = Object.entries(numbers).map(([name, value]) => [name, Number(value.toPrecision(4))]);
  const traffic = {
    ...Object.fromEntries(rounded),
    ...(sizes === undefined ? {} : { sizes: printSizes(sizes) }),
  };
  const filled = formOf(trafficOptions, { traffic });
  return Object.fromEntries(
    knownNames.map((name) => [`traffic.${name}`, name in traffic ? (filled[`traffic.${name}`] ?? '') : '']),
  );
}

const emptyForm = formOf(trafficOptions);

/** In the address, options go by their names. */
const fields = trafficOptions.map(({ id, name }) => ({ id, name }));

export function formOfQuery(query: URLSearchParams): OptionForm {
  return Object.fromEntries(fields.map(({ id, name }) => [id, query.get(name) ?? emptyForm[id] ?? '']));
}

/** The address with the fields that differ from the form as it opens. */
export function queryOf(before: URLSearchParams, form: OptionForm): URLSearchParams {
  const query = new URLSearchParams(before);
  for (const { id, name } of fields) {
    if (form[id] === emptyForm[id]) query.delete(name);
    else query.set(name, String(form[id]));
  }
  return query;
}

/** The request, or what is wrong with which field. */
export function parseForm(form: OptionForm): {
  request: TrafficRequestInput | null;
  messages: { [id: string]: string };
} {
  const { asked, messages } = readForm(trafficOptions, form);
  const parsed = trafficRequestSchema.safeParse(asked);
  if (parsed.success) return { request: asked as TrafficRequestInput, messages: {} };
  const wrong = parsed.error.issues.map(({ path }) => path.slice(0, 2).join('.'));
  const others = Object.fromEntries(wrong.map((id) => [id, 'Sizes with shares that add up to 100%.']));
  return { request: null, messages: { ...others, ...messages } };
}
