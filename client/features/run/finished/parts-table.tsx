import { printNumber, printShare } from '../../../../shared/base/quantity.ts';
import type { Attribution, AttributionPart } from '../../../../shared/kinds/comparison/attribution.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Notice } from '../../../components/notice.tsx';
import classes from './parts-section.module.css';

const titles: Record<AttributionPart['part'], string> = {
  handshakes: 'Handshakes',
  bulk: 'Encrypting and decrypting the bytes',
  rest: 'The rest: records, copies, system calls',
};

export function PartsTable({
  attribution: { parts, sentence, addsUp, notes },
}: {
  attribution: Attribution;
}) {
  return (
    <>
      {addsUp ? (
        <p data-testid="parts-sentence">{sentence}</p>
      ) : (
        <Notice tone="warn">
          <p data-testid="parts-sentence">{sentence}</p>
        </Notice>
      )}
      <PartsBar parts={parts} />
      <DataTable
        caption="Parts of the difference in server CPU per transaction"
        testId="parts"
        rows={parts}
        keyOf={({ part }) => part}
        columns={[
          { label: 'Part', cell: ({ part }) => titles[part] },
          { label: 'µs per transaction', numeric: true, cell: ({ us }) => micro(us.center) },
          {
            label: '95 % CI',
            numeric: true,
            cell: ({ us }) => `${micro(us.lo)} to ${micro(us.hi)}`,
          },
          {
            label: 'Share',
            numeric: true,
            cell: ({ share }) => (share === null ? '–' : printShare(share)),
          },
          { label: 'Computed as', cell: ({ formula }) => formula },
        ]}
      />
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  );
}

/** Parts below zero have no length. */
function PartsBar({ parts }: { parts: readonly AttributionPart[] }) {
  const total = parts.reduce((sum, { us }) => sum + Math.max(0, us.center), 0);
  if (total === 0) return null;
  return (
    <div className={classes.bar} aria-hidden="true">
      {parts.map(({ part, us }) => (
        <div
          key={part}
          className={classes[part]}
          title={titles[part]}
          style={{ inlineSize: `${(Math.max(0, us.center) / total) * 100}%` }}
        />
      ))}
    </div>
  );
}

function micro(us: number): string {
  return printNumber(us, Math.abs(us) < 10 ? 1 : 0);
}
