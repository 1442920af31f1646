import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { addressOf } from '../../shared/api/call-endpoint.ts';
import { mostResults, reportEndpoints } from '../../shared/api/question-endpoints.ts';
import { ActionButton, ButtonRow, Dialog } from './action-button.tsx';

export function SaveReport({ ids, blocked = false }: { ids: readonly string[]; blocked?: boolean }) {
  const [asking, setAsking] = useState(false);
  const [title, setTitle] = useState('');
  const isTooMany = ids.length > mostResults;
  return (
    <>
      <ActionButton
        variant="default"
        blocked={blocked || isTooMany || ids.length === 0}
        onClick={() => setAsking(true)}
      >
        Download as one file
      </ActionButton>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Download as one file">
        <TextInput
          label="Title"
          description="On the first page, above the list of results."
          placeholder="Measured with TLS Toll"
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <ButtonRow>
          <Button
            component="a"
            variant="filled"
            href={addressOf(reportEndpoints.saveReport, {
              query: { ids: ids.join(','), title: title.trim() },
            })}
            download
            onClick={() => setAsking(false)}
          >
            Download
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </ButtonRow>
      </Dialog>
    </>
  );
}

/** Why these cannot be saved as one file; empty where they can. */
export function reportProblems(count: number, areOver = true): string[] {
  if (count > mostResults) return [`One file holds at most ${mostResults} results.`];
  return areOver ? [] : ['Only results that have ended can be saved as a file.'];
}
