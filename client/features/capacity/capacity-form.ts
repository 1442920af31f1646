import { useQueries } from '@tanstack/react-query';
import { isEncrypted } from '../../../shared/base/transport.ts';
import {
  type CapacityRequestInput,
  capacityRequestSchema,
  goesWith,
} from '../../../shared/kinds/comparison/capacity.ts';
import { capacityOptions } from '../../../shared/kinds/comparison/capacity-options.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { recentQuery } from '../../api/queries.ts';
import { formOf, type OptionForm, readForm } from '../../format/option-form.ts';

/** The planner as it is filled in, all of it as typed, and remembered in the address. */
export type CapacityForm = OptionForm;

const measuredNames = ['handshakes', 'speed', 'comparison'] as const;
type MeasuredName = (typeof measuredNames)[number];

const emptyForm: CapacityForm = {
  ...formOf(capacityOptions),
  // Ids of measurements; empty for the newest, `none` for none of them.
  ...Object.fromEntries(measuredNames.map((name) => [name, ''])),
};

/** In the address, options go by their names. */
const fields = Object.keys(emptyForm).map((id) => ({ id, name: id.split('.').at(-1) ?? id }));

export function formOfQuery(query: URLSearchParams): CapacityForm {
  return Object.fromEntries(
    fields.map(({ id, name }) => {
      const [usual, text] = [emptyForm[id] ?? '', query.get(name)];
      if (text === null) return [id, usual];
      return [id, typeof usual === 'boolean' ? text === 'true' : text];
    }),
  );
}

/** Fields that differ from the blank form, as a query string. */
export function queryOf(form: CapacityForm): URLSearchParams {
  const changed = fields.filter(({ id }) => form[id] !== emptyForm[id]);
  return new URLSearchParams(changed.map(({ id, name }) => [name, String(form[id])]));
}

/** Ids of what was measured last, for fields that do not name one. */
type Newest = Record<MeasuredName, string | null>;

/** The request, or what is wrong with which field. */
export function parseForm(
  form: CapacityForm,
  newest: Newest,
): { request: CapacityRequestInput | null; messages: { [id: string]: string } } {
  const { asked, messages } = readForm(capacityOptions, form);
  const measured = measuredNames.map((name) => [name, measuredIn(String(form[name]), newest[name])]);
  const request = { ...asked, figures: { ...(asked.figures as object), ...Object.fromEntries(measured) } };
  const parsed = capacityRequestSchema.safeParse(request);
  if (parsed.success) return { request: request as CapacityRequestInput, messages: {} };
  const wrong = parsed.error.issues.map(({ path }) => path.join('.').replace(/^figures\.(?!own)/, ''));
  const unlisted = Object.fromEntries(wrong.map((id) => [id, 'Choose one from the list.']));
  return { request: null, messages: { ...unlisted, ...messages } };
}

/** A change of the version: a key or a group that it does not have gives way to the usual one. */
export function changeOfVersion(form: CapacityForm, version: string): CapacityForm {
  const [key, group] = [String(form['load.key']), String(form['load.group'])];
  return {
    'load.version': version,
    'load.key': goesWith(key, version) ? key : 'P-256',
    'load.group': goesWith(group, version) ? group : 'X25519',
  };
}

function measuredIn(id: string, newest: string | null): string | null {
  return id === 'none' ? null : id === '' ? newest : id;
}

export type Measurements = Record<MeasuredName, { id: string; title: string }[]>;

/** Finished measurements of this server, newest first; null until the lists have loaded. */
export function useMeasurements(): { measurements: Measurements; newest: Newest } | null {
  const lists = useQueries({ queries: measuredNames.map((name) => recentQuery(name, 20, 'finished')) });
  if (lists.some(({ isPending }) => isPending)) return null;
  const options = lists.map(({ data = [] }) => data.filter(tells).map(optionOf));
  const byName = <Value>(of: (place: number) => Value) =>
    Object.fromEntries(measuredNames.map((name, place) => [name, of(place)])) as Record<MeasuredName, Value>;
  return {
    measurements: byName((place) => options[place] ?? []),
    newest: byName((place) => options[place]?.[0]?.id ?? null),
  };
}

function optionOf({ id, title, createdAt }: MeasurementSummary) {
  return { id, title: `${title}, ${timeOf(createdAt)}` };
}

/** A run shows the cost of a request without TLS only if its baseline is not encrypted. */
function tells(summary: MeasurementSummary): boolean {
  return summary.kind !== 'comparison' || !isEncrypted(summary.sides.baseline.transport);
}

function timeOf(unixMs: number): string {
  return new Date(unixMs).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' });
}
