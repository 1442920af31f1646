import { type LabelChange, labelChangeSchema, type ShownLabel } from '../../../shared/label.ts';
import { type FieldError, fieldErrorsOf } from '../../../shared/problem.ts';

/** A label as it is typed: tags stand in one line, with commas between them. */
export type LabelText = { title: string; note: string; tags: string };

export function labelText({ title, generatedTitle, note, tags }: ShownLabel): LabelText {
  return { title: title === generatedTitle ? '' : title, note, tags: tags.join(', ') };
}

/** What to store of it; else what is wrong, field by field. */
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

/** What stands below a field; null where nothing is wrong with it. Of several tags, the first. */
export function errorAt(errors: readonly FieldError[], name: keyof LabelText): string | null {
  return errors.find(({ field }) => field.split('.')[0] === name)?.message ?? null;
}
