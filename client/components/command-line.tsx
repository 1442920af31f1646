import classes from './command-line.module.css';
import { CopyButton } from './copy-button.tsx';

export function CommandLine({ command }: { command: string }) {
  return (
    <div className={classes.command}>
      <code>{command}</code>
      <CopyButton text={command}>Copy command</CopyButton>
    </div>
  );
}
