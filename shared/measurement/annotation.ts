import { z } from 'zod';
import { refusePrivateKeys } from '../base/pem.ts';
import { countSchema } from '../base/units.ts';

/** Notes that people write on a measurement, to find it again. They are stored beside the document, which never changes. */

const annotationLimits = { title: 200, note: 10_000, tags: 20, tag: 40 } as const;

/** An empty one gives way to the title that its kind makes. */
const titleSchema = z
  .string()
  .overwrite(oneLine)
  .max(annotationLimits.title, `a title has at most ${annotationLimits.title} characters`);

const noteSchema = z
  .string()
  .overwrite(manyLines)
  .max(
    annotationLimits.note,
    `a note has at most ${annotationLimits.note.toLocaleString('en-US')} characters`,
  );

export const tagSchema = z
  .string()
  .overwrite(oneLine)
  .min(1, 'a tag has at least one character')
  .max(annotationLimits.tag, `a tag has at most ${annotationLimits.tag} characters`)
  .regex(/^[^,]*$/, 'a tag has no comma');

/** Counted before they are looked at; those that differ in case only are one. */
const tagsSchema = z
  .array(z.string())
  .max(annotationLimits.tags, `a run has at most ${annotationLimits.tags} tags`)
  .pipe(z.array(tagSchema).overwrite(distinct));

/** Changes to an annotation. Absent fields stay as they are. */
export const annotationChangeSchema = z
  .strictObject({
    title: titleSchema.nullable().optional(),
    note: noteSchema.optional(),
    tags: tagsSchema.optional(),
  })
  .superRefine(refusePrivateKeys);
export type AnnotationChange = z.infer<typeof annotationChangeSchema>;

/** Annotation as stored. */
export type Annotation = {
  /** Null for the title that its kind makes. */
  title: string | null;
  note: string;
  tags: string[];
};

export const blankAnnotation: Annotation = { title: null, note: '', tags: [] };

export function changeAnnotation(
  annotation: Annotation,
  { title, note, tags }: AnnotationChange,
): Annotation {
  return {
    title: title === undefined ? annotation.title : title || null,
    note: note ?? annotation.note,
    tags: tags ?? annotation.tags,
  };
}

/** Annotation as shown. */
export const annotationSchema = z.strictObject({
  /** The written one, else the generated one. */
  title: z.string(),
  generatedTitle: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
});
export type ShownAnnotation = z.infer<typeof annotationSchema>;

/** The title that somebody wrote; null for one that its kind made. */
export function ownTitle({
  title,
  generatedTitle,
}: Pick<ShownAnnotation, 'title' | 'generatedTitle'>): string | null {
  return title === generatedTitle ? null : title;
}

/** Tags are the same whatever their case. */
export function tagKey(tag: string): string {
  return tag.toLowerCase();
}

const choiceSchema = z.strictObject({ name: z.string(), count: countSchema });

/** Values by which the list can be filtered, the most frequent first. */
export const listChoicesSchema = z.strictObject({
  targets: z.array(choiceSchema),
  tags: z.array(choiceSchema),
  kinds: z.array(choiceSchema),
});
export type ListChoices = z.infer<typeof listChoicesSchema>;

/** Half of a surrogate pair can be sent, but not stored everywhere. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

function manyLines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim();
}

function distinct(tags: string[]): string[] {
  const keys = tags.map(tagKey);
  return tags.filter((tag, place) => keys.indexOf(tagKey(tag)) === place);
}
