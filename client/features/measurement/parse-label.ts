import { type FieldError, fieldErrorsOf } from '../../../shared/base/problem.ts';
import {
  type LabelChange,
  labelChangeSchema,
  ownTitle,
  type ShownLabel,
} from '../../../shared/measurement/label.ts';

/** A label as it is typed: tags are on one line, separated by commas. */
export type LabelText = { title: string; note: string; tags: string };

export function labelText(label: ShownLabel): LabelText {
  const { note, tags } = label;
  return { title: ownTitle(label) ?? '', note, tags: tags.join(', ') };
}

/** The change to store; otherwise the errors, field by field. */
export function parseLabel({
  title,
  note,
  tags,
}: LabelText): { change: LabelChange } | { errors: FieldError[] } {
  const typed = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const parsed = labelChangeSchema.safeParse({ title, note, tags: typed });
  return parsed.success ? { change: parsed.data } : { errors: fieldErrorsOf(parsed.error) };
}

/** The error below a field; null if it has none. For several wrong tags, the first error. */
export function errorAt(errors: readonly FieldError[], name: keyof LabelText): string | null {
  return errors.find(({ field }) => field.split('.')[0] === name)?.message ?? null;
}
