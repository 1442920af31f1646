import { type FieldError, fieldErrorsOf } from '../../../shared/base/problem.ts';
import {
  type AnnotationChange,
  annotationChangeSchema,
  ownTitle,
  type ShownAnnotation,
} from '../../../shared/measurement/annotation.ts';

/** An annotation as it is typed: tags are on one line, separated by commas. */
export type AnnotationText = { title: string; note: string; tags: string };

export function annotationText(annotation: ShownAnnotation): AnnotationText {
  const { note, tags } = annotation;
  return { title: ownTitle(annotation) ?? '', note, tags: tags.join(', ') };
}

/** The change to store; otherwise the errors, field by field. */
export function parseAnnotation({
  title,
  note,
  tags,
}: AnnotationText): { change: AnnotationChange } | { errors: FieldError[] } {
  const typed = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const parsed = annotationChangeSchema.safeParse({ title, note, tags: typed });
  return parsed.success ? { change: parsed.data } : { errors: fieldErrorsOf(parsed.error) };
}

/** The error below a field, if it has one. For several wrong tags, the first error. */
export function errorAt(errors: readonly FieldError[], name: string): string | undefined {
  return errors.find(({ field }) => field.split('.')[0] === name)?.message;
}
