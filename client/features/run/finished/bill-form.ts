import type { BillRequestInput } from '../../../../shared/kinds/comparison/bill.ts';
import { billOptions } from '../../../../shared/kinds/comparison/capacity-options.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { keepText, recallText } from '../../../api/browser-store.ts';
import { formOf, type OptionForm, readForm } from '../../../format/option-form.ts';

/** Your load and your prices as you typed them. The browser keeps them, for all runs. */
export type BillForm = OptionForm;

const key = 'tls-toll:bill';
const ofHandshakes = ['load.fullPerS', 'load.resumedPerS'];

type Run = Pick<ShownRun, 'connectionsPerTransaction'>;

/** If a run opened new connections, its figures include their handshakes, so it does not ask for them. */
export function fieldsOf({ connectionsPerTransaction }: Run) {
  return connectionsPerTransaction === undefined
    ? billOptions
    : billOptions.filter(({ id }) => !ofHandshakes.includes(id));
}

export function asksHandshakes(run: Run, form: BillForm): boolean {
  return (
    run.connectionsPerTransaction === undefined &&
    ofHandshakes.some((id) => Number(String(form[id]).replaceAll(',', '')) > 0)
  );
}

/** The request, null while a field is wrong, and what is said at that field. */
export function billRequest(form: BillForm, handshakes: string | null) {
  const { asked, messages } = readForm(billOptions, form);
  const request: BillRequestInput | null =
    Object.keys(messages).length === 0 ? { ...asked, handshakes } : null;
  return { request, messages };
}

export function readBill(): BillForm {
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
export function keepBill(form: BillForm): void {
  const empty = formOf(billOptions);
  const changed = Object.entries(form).filter(([id, value]) => value !== empty[id]);
  keepText(key, JSON.stringify(Object.fromEntries(changed)));
}
