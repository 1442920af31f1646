import { useQuery } from '@tanstack/react-query';
import { annotationQuery } from '../../api/queries.ts';
import { WrittenAnnotation } from './written-annotation.tsx';

/** What somebody wrote on a measurement, above its result; it is changed in the menu beside the headline. */
export function AnnotationSection({ id }: { id: string }) {
  const { data: annotation } = useQuery(annotationQuery(id));
  return annotation === undefined ? null : <WrittenAnnotation annotation={annotation} />;
}
