import { ownTitle, type ShownAnnotation } from '../../../shared/measurement/annotation.ts';
import { TagLinks } from '../../components/tag-links.tsx';
import classes from './measurement.module.css';
import { NoteText } from './note-text.tsx';

/** What somebody wrote on a result, where it cannot be changed; nothing for a blank annotation. */
export function WrittenAnnotation({ annotation }: { annotation: ShownAnnotation }) {
  if (isBlank(annotation)) return null;
  return (
    <section aria-label="Title, note, and tags" className={classes.label}>
      <div className={classes.line}>
        <TitleAndTags annotation={annotation} />
      </div>
      {annotation.note === '' ? null : <NoteText text={annotation.note} />}
    </section>
  );
}

function TitleAndTags({ annotation }: { annotation: ShownAnnotation }) {
  const title = ownTitle(annotation);
  return (
    <>
      {title === null ? null : (
        <p className={classes.title} dir="auto">
          {title}
        </p>
      )}
      {annotation.tags.length === 0 ? null : <TagLinks tags={annotation.tags} />}
    </>
  );
}

function isBlank(annotation: ShownAnnotation): boolean {
  return ownTitle(annotation) === null && annotation.note === '' && annotation.tags.length === 0;
}
