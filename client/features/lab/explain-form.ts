import { placeOptions } from '../../../shared/base/option.ts';
import { type ExplainRequest, explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { type FieldsOf, fieldOf, messageOf, readField } from '../../format/option-field.ts';

/** An explanation as it is asked for. */
export type ExplainForm = FieldsOf<typeof explainOptions>;
type ExplainMessages = Partial<Record<keyof ExplainForm, string>>;

/** Those that have a field. */
const placed = placeOptions(null, explainOptions).filter(({ option }) => option.field !== false);
const usual = ['server', 'baseline', 'comparison'];
export const usualOptions = placed.filter(({ name }) => usual.includes(name));
export const seldomOptions = placed.filter(({ name }) => !usual.includes(name));

export const emptyExplainForm = Object.fromEntries(
  placed.map(({ name, option }) => [name, fieldOf(option, option.default)]),
) as ExplainForm;

/** The request, or what is wrong with each field. */
export function parseExplainForm(form: ExplainForm): {
  request: ExplainRequest | null;
  messages: ExplainMessages;
} {
  const values = placed.map(({ name, option }) => [name, readField(option, form[name as keyof ExplainForm])]);
  const parsed = explainRequestSchema.safeParse({ kind: 'explain', ...Object.fromEntries(values) });
  if (parsed.success) return { request: parsed.data, messages: {} };
  const messages: ExplainMessages = {};
  for (const { path } of parsed.error.issues) {
    const field = path[0] as keyof ExplainForm;
    const option = placed.find(({ name }) => name === field)?.option;
    if (option !== undefined) messages[field] ??= messageOf(option);
  }
  return { request: null, messages };
}
