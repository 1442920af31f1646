import { changesPath, type ResultPair } from '../../../shared/kinds/comparison/result-changes.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import classes from './changes.module.css';

export function Ways({ from, to }: ResultPair) {
  const path = changesPath({ from, to });
  const file = `tls-toll-${from}-${to}`;
  return (
    <div className={classes.ways}>
      <LinkButton to={changesPath({ from: to, to: from })}>Swap</LinkButton>
      <CopyButton text={`${location.origin}${path}`}>Copy link</CopyButton>
      <a href={`${path}.json`} download={`${file}.json`}>
        JSON
      </a>
      <a href={`${path}.md`} download={`${file}.md`}>
        Markdown, the report
      </a>
    </div>
  );
}
