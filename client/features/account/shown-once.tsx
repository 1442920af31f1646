import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import classes from './account.module.css';

type Props = { title: string; advice: string; secret: string; copy: string };

/** The one time that a password or an API key is shown. */
export function ShownOnce({ title, advice, secret, copy }: Props) {
  return (
    <Notice tone="note" title={title} announce="status">
      <p>It is shown only once. {advice}</p>
      <p className={classes.secret}>{secret}</p>
      <div>
        <CopyButton text={secret}>{copy}</CopyButton>
      </div>
    </Notice>
  );
}
