import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { BillRequestInput } from '../../../shared/kinds/comparison/bill.ts';
import { billOptions } from '../../../shared/kinds/comparison/bill-options.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { mayCall } from '../../api/identity.ts';
import { keepText, recallText } from '../../api/kept-texts.ts';
import { recentQuery } from '../../api/queries.ts';
import { billQuery } from '../../api/result-queries.ts';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { FieldRow, OptionFields } from '../../components/form-fields.tsx';
import { BillResult } from '../../components/result-head.tsx';
import { Fold } from '../../components/term.tsx';
import { formOf, type OptionForm, readForm } from '../../format/option-form.ts';

/** Cost of a load on both sides, computed when the fold is opened. */
export function BillSection({ document }: { document: ShownRun }) {
  const [opened, open] = useState(false);
  return (
    <Fold id="bill" title="Cost per month" lead={leadOf(document)} onOpen={() => open(true)}>
      {opened ? <BillOf document={document} /> : null}
    </Fold>
  );
}

function leadOf({ metrics }: Pick<ShownRun, 'metrics'>): string {
  const outcome = metrics.find(({ id }) => id === 'cpu_at_load')?.outcome;
  return outcome === 'inconclusive' || outcome === 'not_tested'
    ? 'Without a price: server CPU is not certain'
    : 'For your traffic and prices';
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
          The cost of handshakes comes from the newest run in the <Link to="/lab">lab</Link>.
        </p>
      ) : null}
      <ProblemNotice error={bill.error} />
      {bill.data === undefined || bill.error !== null ? null : <BillResult bill={bill.data} />}
    </>
  );
}

/** Your load and your prices as you typed them. The browser keeps them, for all runs. */
type BillForm = OptionForm;

const billKey = 'tls-toll:bill';

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
    const kept: unknown = JSON.parse(recallText(billKey) ?? '{}');
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
  keepText(billKey, JSON.stringify(Object.fromEntries(changed)));
}
