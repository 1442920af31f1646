import classes from './page.module.css';

type SourceFile = { name: string; text: string };

export function SourceFiles({ files }: { files: readonly SourceFile[] }) {
  return files.map(({ name, text }) => (
    <details key={name}>
      <summary>{name}</summary>
      <pre className={classes.source}>{text}</pre>
    </details>
  ));
}
