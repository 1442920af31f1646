import { z } from 'zod';
import { countSchema } from '../base/units.ts';

/** What people write on a measurement, to find it again. It stands beside the document, which never changes. */

const labelLimits = { title: 200, note: 10_000, tags: 20, tag: 40 } as const;

/** An empty one gives way to the title that its kind makes. */
const titleSchema = z
  .string()
  .overwrite(oneLine)
  .max(labelLimits.title, `a title has at most ${labelLimits.title} characters`);

const noteSchema = z
  .string()
  .overwrite(manyLines)
  .max(labelLimits.note, `a note has at most ${labelLimits.note.toLocaleString('en-US')} characters`);

export const tagSchema = z
  .string()
  .overwrite(oneLine)
  .min(1, 'a tag has at least one character')
  .max(labelLimits.tag, `a tag has at most ${labelLimits.tag} characters`)
  .regex(/^[^,]*$/, 'a tag has no comma');

/** Counted before they are looked at; those that differ in case only are one. */
const tagsSchema = z
  .array(z.string())
  .max(labelLimits.tags, `a measurement has at most ${labelLimits.tags} tags`)
  .pipe(z.array(tagSchema).overwrite(distinct));

/** What is left out stays as it is. */
export const labelChangeSchema = z.strictObject({
  title: titleSchema.nullable().optional(),
  note: noteSchema.optional(),
  tags: tagsSchema.optional(),
});
export type LabelChange = z.infer<typeof labelChangeSchema>;

/** As it is stored. */
export type Label = {
  /** Null for the title that its kind makes. */
  title: string | null;
  note: string;
  tags: string[];
};

export const blankLabel: Label = { title: null, note: '', tags: [] };

export function changeLabel(label: Label, { title, note, tags }: LabelChange): Label {
  return {
    title: title === undefined ? label.title : title || null,
    note: note ?? label.note,
    tags: tags ?? label.tags,
  };
}

/** As it is shown. */
export const labelSchema = z.strictObject({
  /** The written one, else the generated one. */
  title: z.string(),
  generatedTitle: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
});
export type ShownLabel = z.infer<typeof labelSchema>;

/** The title that somebody wrote; null for one that its kind made. */
export function ownTitle({
  title,
  generatedTitle,
}: Pick<ShownLabel, 'title' | 'generatedTitle'>): string | null {
  return title === generatedTitle ? null : title;
}

/** Tags are the same whatever their case. */
export function tagKey(tag: string): string {
  return tag.toLowerCase();
}

const choiceSchema = z.strictObject({ name: z.string(), count: countSchema });

/** What the list can be filtered by, the most frequent first. */
export const listChoicesSchema = z.strictObject({
  targets: z.array(choiceSchema),
  tags: z.array(choiceSchema),
});
export type ListChoices = z.infer<typeof listChoicesSchema>;

function oneLine(text: string): string {
  return wellFormed(text)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

function manyLines(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim();
}

/** Half of a surrogate pair can be sent, but not stored everywhere. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

function distinct(tags: string[]): string[] {
  const keys = tags.map(tagKey);
  return tags.filter((tag, place) => keys.indexOf(tagKey(tag)) === place);
}
