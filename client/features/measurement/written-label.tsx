import { ownTitle, type ShownLabel } from '../../../shared/measurement/label.ts';
import { TagLinks } from '../../components/tag-links.tsx';
import classes from './label-section.module.css';
import { NoteText } from './note-text.tsx';

/** What somebody wrote on a result, where it cannot be changed; nothing for a blank label. */
export function WrittenLabel({ label }: { label: ShownLabel }) {
  if (isBlank(label)) return null;
  return (
    <section aria-label="Title, note, and tags" className={classes.label}>
      <div className={classes.line}>
        <TitleAndTags label={label} />
      </div>
      {label.note === '' ? null : <NoteText text={label.note} />}
    </section>
  );
}

export function TitleAndTags({ label }: { label: ShownLabel }) {
  const title = ownTitle(label);
  return (
    <>
      {title === null ? null : (
        <p className={classes.title} dir="auto">
          {title}
        </p>
      )}
      {label.tags.length === 0 ? null : <TagLinks tags={label.tags} />}
    </>
  );
}

export function isBlank(label: ShownLabel): boolean {
  return ownTitle(label) === null && label.note === '' && label.tags.length === 0;
}
