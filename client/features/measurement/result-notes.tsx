import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { ownTitle, type ShownAnnotation } from '../../../shared/measurement/annotation.ts';
import type { ShownMeasurement } from '../../../shared/results/shown-measurement.ts';
import { exampleInWords } from '../../../shared/words/example-words.ts';
import { Notice } from '../../components/card.tsx';
import { served, TagLinks } from '../../components/links.tsx';
import classes from './measurement.module.css';

/** Read-only annotation of a result; renders nothing if it is blank. */
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

/** A note as plain text, with its own direction and line breaks. A long one is cut until somebody unfolds it. */
function NoteText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const id = useId();
  const long = text.length > longLength || text.split('\n').length > longLines;
  return (
    <div className={classes.note}>
      <p id={id} dir="auto" className={classes.text} data-cut={long && !whole}>
        {text}
      </p>
      {long ? (
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={whole}
            aria-controls={id}
            onClick={() => setWhole(!whole)}
          >
            {whole ? 'Show less' : 'Show the whole note'}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** About what fits into the visible lines. */
const longLength = 400;
const longLines = 5;

/** Says that a result was not measured here. Results of this server have no such notice. */
export function ExampleNotice({ document }: { document: ShownMeasurement }) {
  if (document.example !== true) return null;
  return (
    <div className={classes.example}>
      <Notice tone="note">
        <p>
          {exampleInWords(document)} {served ? <Link to="/examples">All examples</Link> : null}
        </p>
      </Notice>
    </div>
  );
}
