import { Link } from 'react-router';
import type { ShownMeasurement } from '../../../shared/results/summary.ts';
import { exampleInWords } from '../../../shared/words/example-words.ts';
import { Notice } from '../../components/card.tsx';
import { served } from '../../components/tag-links.tsx';
import classes from './measurement.module.css';

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
