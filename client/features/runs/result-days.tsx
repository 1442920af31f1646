import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { Card } from '../../components/card.tsx';
import { LinkRows } from '../../components/link-list.tsx';
import { groupByDay } from '../../format/by-day.ts';
import { printAgo, printClock } from '../../format/when.ts';
import { ResultLine } from './result-line.tsx';
import classes from './runs.module.css';
import { type Selection, toggle } from './selection.ts';

type Props = {
  results: readonly MeasurementSummary[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
};

export function ResultDays({ results, selection, onSelect }: Props) {
  const now = Date.now();
  return (
    <section aria-label="Results" className={classes.days}>
      {groupByDay(results, now).map(({ key, title, isToday, items }) => (
        <div key={key} className={classes.day}>
          <h2 id={`day-${key}`}>{title}</h2>
          <Card flush>
            <LinkRows labelledBy={`day-${key}`}>
              {items.map((summary) => (
                <ResultLine
                  key={summary.id}
                  summary={summary}
                  when={isToday ? printAgo(summary.createdAt, now) : printClock(summary.createdAt)}
                  selected={selection.has(summary.id)}
                  onSelect={() => onSelect(toggle(selection, summary))}
                />
              ))}
            </LinkRows>
          </Card>
        </div>
      ))}
    </section>
  );
}
