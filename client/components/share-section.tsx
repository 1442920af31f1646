import { Card } from './card.tsx';
import { CopyButton } from './copy-button.tsx';
import { DeleteButton } from './delete-button.tsx';
import { Section } from './section.tsx';
import classes from './share-section.module.css';

type Props = {
  /** Such as `run`. */
  what: string;
  /** Of the permalink, such as `/r/…`. */
  path: string;
  lead: string;
  downloads: readonly { suffix: string; title: string }[];
  command: string;
  /** Null where it may not be deleted. */
  onDelete: (() => Promise<unknown>) | null;
};

/** The link, the files, the command that repeats it, and the end of it. */
export function ShareSection({ what, path, lead, downloads, command, onDelete }: Props) {
  const name = `tls-toll-${path.split('/').at(-1)}`;
  return (
    <Section id="share" title="Pass it on" lead={lead}>
      <Card>
        <div className={classes.share}>
          <div className={classes.row}>
            <CopyButton text={`${location.origin}${path}`}>Copy link</CopyButton>
            <span className={classes.downloads}>
              {downloads.map(({ suffix, title }) => (
                <a key={suffix} href={`${path}.${suffix}`} download={`${name}.${suffix}`}>
                  {title}
                </a>
              ))}
            </span>
            {onDelete === null ? null : <DeleteButton what={what} onDelete={onDelete} />}
          </div>
          <div className={classes.repeat}>
            <p>Repeat this {what} from a command line:</p>
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
