import type { RunDocument } from '../../../../shared/run.ts';
import { recallDeleteToken } from '../../../api/delete-tokens.ts';
import { Card } from '../../../components/card.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Section } from '../../../components/section.tsx';
import { DeleteButton } from './delete-button.tsx';
import classes from './share-section.module.css';

export function ShareSection({ document: { id, command } }: { document: RunDocument }) {
  const token = recallDeleteToken(id);
  return (
    <Section
      id="share"
      title="Pass it on"
      lead="The address holds everything on this page, raw slots and environment included, and needs no login."
    >
      <Card>
        <div className={classes.share}>
          <div className={classes.row}>
            <CopyButton text={`${location.origin}/r/${id}`}>Copy link</CopyButton>
            <span className={classes.downloads}>
              {downloads.map(({ suffix, title }) => (
                <a key={suffix} href={`/r/${id}.${suffix}`} download={`tls-toll-${id}.${suffix}`}>
                  {title}
                </a>
              ))}
            </span>
            {token === null ? null : <DeleteButton id={id} token={token} />}
          </div>
          <div className={classes.repeat}>
            <p>Repeat this run from a command line:</p>
            <div className={classes.command}>
              <code>{command}</code>
              <CopyButton text={command}>Copy command</CopyButton>
            </div>
          </div>
        </div>
      </Card>
    </Section>
  );
}

const downloads = [
  { suffix: 'json', title: 'JSON, everything' },
  { suffix: 'csv', title: 'CSV, one row a slot' },
  { suffix: 'md', title: 'Markdown, the report' },
];
