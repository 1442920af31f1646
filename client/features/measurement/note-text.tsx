import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import classes from './measurement.module.css';

/** A note as plain text, with its own direction and line breaks. A long one is cut until somebody unfolds it. */
export function NoteText({ text }: { text: string }) {
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
