import { useQuery, useQueryClient } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { ownTitle } from '../../../shared/measurement/annotation.ts';
import { binDays } from '../../../shared/measurement/bin.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { asJira } from '../../../shared/words/digest/as-jira.ts';
import { asMarkdown } from '../../../shared/words/digest/as-markdown.ts';
import { asSlack } from '../../../shared/words/digest/as-slack.ts';
import { type Digest, withTitle } from '../../../shared/words/digest/digest.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { recallDeleteToken } from '../../api/delete-tokens.ts';
import { annotationQuery } from '../../api/queries.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { Card } from '../../components/card.tsx';
import { CommandLine } from '../../components/command-line.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Section } from '../../components/section.tsx';
import type { AnyView } from './kind-view.ts';
import classes from './share-section.module.css';

type Props = { document: ShownMeasurement; view: AnyView };

/** The link, the files, messages about it, the command that repeats it, and the end of it. */
export function ShareSection({ document, view }: Props) {
  const { id, command } = document;
  const { noun, page, csvRow, rawRow = csvRow } = view;
  const path = `/${page}/${id}`;
  const link = `${location.origin}${path}`;
  const { data: annotation } = useQuery(annotationQuery(id));
  const found = view.digest?.(document) ?? null;
  const digest = found === null || annotation === undefined ? found : withTitle(found, ownTitle(annotation));
  const downloads = [
    { suffix: 'html', name: 'HTML', content: 'This page as one file' },
    { suffix: 'json', name: 'JSON', content: 'Everything' },
    { suffix: 'csv', name: 'CSV', content: `One row per ${csvRow}` },
    { suffix: 'jsonl', name: 'JSON Lines', content: `One row per ${rawRow}` },
    { suffix: 'parquet', name: 'Parquet', content: `One row per ${rawRow}` },
    { suffix: 'md', name: 'Markdown', content: 'The report' },
  ];
  return (
    <Section id="share" title="Share">
      <Card>
        <div className={classes.share}>
          <div className={classes.row}>
            <CopyButton text={link}>Copy link</CopyButton>
            <span className={classes.downloads}>
              <span className={classes.label}>Download</span>
              {downloads.map(({ suffix, name, content }) => (
                <a
                  key={suffix}
                  href={`${path}.${suffix}`}
                  download={`tls-toll-${id}.${suffix}`}
                  title={content}
                >
                  {name}
                </a>
              ))}
            </span>
            <Delete id={id} noun={noun} />
          </div>
          <p className={classes.printed}>{link}</p>
          {digest === null ? null : <CopyAs digest={digest} link={link} />}
          <div className={classes.repeat}>
            <p>Repeat from a command line:</p>
            <CommandLine command={command} />
          </div>
        </div>
      </Card>
    </Section>
  );
}

/** The verdict with its figures, in the markup of where it is pasted. */
function CopyAs({ digest, link }: { digest: Digest; link: string }) {
  return (
    <div className={classes.row}>
      <CopyButton text={asMarkdown(digest, link)}>Copy as Markdown</CopyButton>
      <CopyButton text={asSlack(digest, link)}>Copy for Slack</CopyButton>
      <CopyButton text={asJira(digest, link)}>Copy for Jira</CopyButton>
    </div>
  );
}

/** Offered where the token is: in the browser that started it. */
function Delete({ id, noun }: { id: string; noun: string }) {
  const queryClient = useQueryClient();
  const token = recallDeleteToken(id);
  if (token === null) return null;
  async function remove(deleteToken: string) {
    await callEndpoint(measurementEndpoints.deleteMeasurement, {
      params: { id },
      headers: { 'x-delete-token': deleteToken },
    });
    await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    // Asked for again, it is in the bin, and the page says so.
    await queryClient.resetQueries(measurementQuery(id));
  }
  return (
    <DeleteButton what={`this ${noun}`} action="Delete" onDelete={() => remove(token)}>
      {`You can restore it from the bin for ${binDays} days. Until then its link says that it is there.`}
    </DeleteButton>
  );
}
