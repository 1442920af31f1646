import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { mayCall } from '../../../api/identity.ts';
import { recentQuery } from '../../../api/queries.ts';
import { billQuery } from '../../../api/result-queries.ts';
import { BillResult } from '../../../components/bill-result.tsx';
import { Card } from '../../../components/card.tsx';
import { FieldRow } from '../../../components/field-row.tsx';
import { Fold } from '../../../components/fold.tsx';
import { OptionFields } from '../../../components/option-fields.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { asksHandshakes, type BillForm, billRequest, fieldsOf, keepBill, readBill } from './bill-form.ts';

/** What your load would cost on both sides, computed when the fold is opened. */
export function BillSection({ document }: { document: ShownRun }) {
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
