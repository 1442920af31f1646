import { CopyButton } from './copy-button.tsx';
import classes from './form.module.css';

export function CommandLine({ command }: { command: string }) {
  return (
    <div className={classes.command}>
      <code>{command}</code>
      <CopyButton text={command}>Copy command</CopyButton>
    </div>
  );
}
