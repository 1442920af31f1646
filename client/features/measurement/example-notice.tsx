import { Link } from 'react-router';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { exampleInWords } from '../../../shared/words/example-words.ts';
import { Notice } from '../../components/notice.tsx';
import { served } from '../../components/served.ts';
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
