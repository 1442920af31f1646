import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { changesPath } from '../../../shared/kinds/comparison/result-changes.ts';
import { isOver, kindNameSchema, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { type BinOutcome, binDays } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import { isOurs } from '../../api/kept-texts.ts';
import { choicesQuery, type MeasurementFilter, measurementListQuery } from '../../api/queries.ts';
import { useActOnBin } from '../../api/result-mutations.ts';
import { schedulesQuery } from '../../api/result-queries.ts';
import { ActionButton, PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice } from '../../components/card.tsx';
import { DeleteButton } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { FirstRun, LinkButton, LinkRows, ListEnd, SelectionBar } from '../../components/links.tsx';
import { Problems, ToggleChips } from '../../components/waterfall.tsx';
import { lookOfOutcome, lookOfState } from '../../format/looks.ts';
import { printAgo, printClock, printCount, printWhen } from '../../format/printed-figures.ts';
import { groupByDay, kindsWithCounts } from '../../format/progress-text.ts';
import { ResultLine, reportProblems, SaveReport } from './result-line.tsx';
import classes from './runs.module.css';

/** Every measurement of this server, newest first; the filter lives in the address. */
export default function RunsPage() {
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const list = useInfiniteQuery({
    ...measurementListQuery({ ...filter, q: useDeferredValue(filter.q) }),
    placeholderData: keepPreviousData,
  });
  const [selection, setSelection] = useState<Selection>(new Map());
  const bin = useActOnBin('binMeasurements');
  const found = list.data?.pages.flatMap(({ measurements }) => measurements);

  function change(part: Partial<MeasurementFilter>) {
    setQuery(printFilter({ ...filter, ...part }), { replace: true });
  }

  return (
    <>
      <PageHead tab="Every run" title="Every run">
        <Repeated />
      </PageHead>
      <ResultFilter filter={filter} onChange={change} />
      {bin.data === undefined ? null : <DeletedNotice outcome={bin.data} onRestored={bin.reset} />}
      <ProblemNotice error={list.error} />
      {list.isPending ? <Waiting>Loading results</Waiting> : null}
      {found === undefined ? null : found.length === 0 ? (
        <Empty filtered={isFiltering(filter)} />
      ) : (
        <ResultDays results={found} selection={selection} onSelect={setSelection} />
      )}
      <ListEnd list={list}>
        <Link to="/runs/schedules">Schedules</Link>
        <Link to="/runners">Runners</Link>
        <Link to="/runs/bin">Bin</Link>
      </ListEnd>
      {selection.size === 0 ? null : (
        <ResultActions
          selection={refreshed(selection, found ?? [])}
          onDelete={(ids) => bin.mutateAsync(ids, { onSuccess: () => setSelection(new Map()) })}
          onClear={() => setSelection(new Map())}
        />
      )}
    </>
  );
}

/** Nothing while nothing is repeated. */
function Repeated() {
  const { data: schedules = [] } = useQuery(schedulesQuery());
  const on = schedules.filter(({ state }) => state === 'on');
  const [next] = on.flatMap(({ nextAt }) => nextAt ?? []);
  if (next === undefined) return null;
  return (
    <p>
      {printCount(on.length, 'run')} {on.length === 1 ? 'is' : 'are'} repeated, next on {printWhen(next)}.{' '}
      <Link to="/runs/schedules">Schedules</Link>
    </p>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <Card>
      {filtered ? (
        <p>
          No run matches. Change the filter, or <Link to="/runs">show all results</Link>.
        </p>
      ) : (
        <FirstRun>Nothing has been measured here yet.</FirstRun>
      )}
    </Card>
  );
}

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

type NoticeProps = { outcome: BinOutcome; onRestored: () => void };

export function DeletedNotice({ outcome: { done, refused }, onRestored }: NoticeProps) {
  return (
    <div className={classes.notice}>
      {done.length === 0 ? null : <Deleted ids={done} onRestored={onRestored} />}
      <Problems refused={refused} />
    </div>
  );
}

function Deleted({ ids, onRestored }: { ids: readonly string[]; onRestored: () => void }) {
  const restore = useActOnBin('restoreMeasurements');
  const undo = () =>
    restore.mutate(ids, {
      onSuccess({ refused }) {
        if (refused.length === 0) onRestored();
      },
    });
  return (
    <>
      <Notice tone="quiet" announce="status">
        <p>
          {printCount(ids.length, 'result')} {ids.length === 1 ? 'is' : 'are'} in{' '}
          <Link to="/runs/bin">the bin</Link>.
        </p>
        <ProblemNotice error={restore.error} />
        <div>
          <ActionButton variant="default" size="compact-sm" pending={restore.isPending} onClick={undo}>
            Undo
          </ActionButton>
        </div>
      </Notice>
      <Problems refused={restore.data?.refused ?? []} />
    </>
  );
}

type ActionsProps = {
  selection: Selection;
  onDelete: (ids: readonly string[]) => Promise<unknown>;
  onClear: () => void;
};

export function ResultActions({ selection, onDelete, onClear }: ActionsProps) {
  const comparison = comparisonOf(selection);
  const deletable = deletableOf(selection, isOurs);
  const others = selection.size - deletable.length;
  const areOver = [...selection.values()].every(({ state }) => isOver(state));
  const unsaved = reportProblems(selection.size, areOver);
  const hints = [
    ...('problem' in comparison ? [comparison.problem] : []),
    ...unsaved,
    ...(deletable.length === 0 ? [deletableHint] : []),
  ];
  return (
    <SelectionBar count={selection.size} what="result" hints={hints} onClear={onClear}>
      {'href' in comparison ? (
        <LinkButton to={comparison.href} variant="filled">
          Compare
        </LinkButton>
      ) : (
        <ActionButton blocked>Compare</ActionButton>
      )}
      <SaveReport ids={[...selection.keys()]} blocked={unsaved.length > 0} />
      {deletable.length === 0 ? (
        <ActionButton variant="default" blocked>
          Delete
        </ActionButton>
      ) : (
        <DeleteButton
          what={printCount(deletable.length, 'result')}
          action="Delete"
          onDelete={() => onDelete(deletable)}
        >
          {`You can restore them from the bin for ${binDays} days.`}
          {others === 0 ? null : ` The others stay. ${deletableHint}`}
        </DeleteButton>
      )}
    </SelectionBar>
  );
}

const deletableHint = 'You can delete results once they have ended, in the browser that started them.';

/** Selected results by ID. They stay selected while the list shows others. */
export type Selection = ReadonlyMap<string, MeasurementSummary>;

export function toggle(selection: Selection, summary: MeasurementSummary): Selection {
  const next = new Map(selection);
  if (!next.delete(summary.id)) next.set(summary.id, summary);
  return next;
}

/** The selection as the list shows it now: a run that was selected may have ended since. */
export function refreshed(selection: Selection, listed: readonly MeasurementSummary[]): Selection {
  const current = new Map(listed.map((summary) => [summary.id, summary]));
  return new Map([...selection].map(([id, summary]) => [id, current.get(id) ?? summary]));
}

/** The page that compares the selected results, the older one first; otherwise a sentence that says why there is none. */
export function comparisonOf(selection: Selection): { href: string } | { problem: string } {
  const [older, newer, ...others] = [...selection.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  if (older === undefined || newer === undefined || others.length > 0 || older.kind !== newer.kind) {
    return { problem: 'To compare, select two results of the same kind.' };
  }
  if (older.state !== 'finished' || newer.state !== 'finished') {
    return { problem: 'Only finished results can be compared.' };
  }
  return { href: changesPath({ from: older.id, to: newer.id }) };
}

/** IDs of those that can be deleted here. `isOurs` says whether this browser started one. */
export function deletableOf(selection: Selection, isOurs: (id: string) => boolean): string[] {
  return [...selection.values()].flatMap(({ id, state }) => (isOver(state) && isOurs(id) ? [id] : []));
}

type FilterProps = { filter: MeasurementFilter; onChange: (part: Partial<MeasurementFilter>) => void };

/** These fit into a line or two. */
const mostTags = 8;

export function ResultFilter({ filter, onChange }: FilterProps) {
  const { data: choices = { targets: [], tags: [], kinds: [] } } = useQuery(choicesQuery);
  const targets = withChosen(choices.targets, filter.target);
  const tags = withChosen(choices.tags.slice(0, mostTags), filter.tag);
  return (
    <search className={classes.filter}>
      <div className={classes.fields}>
        <TextField
          form={filter}
          set={onChange}
          name="q"
          label="Search"
          placeholder="Title, note, tag, target, scenario, or ID"
          maxLength={100}
        />
        {targets.length > 1 ? (
          <SelectField
            form={filter}
            set={onChange}
            name="target"
            label="Target"
            data={[{ value: '', label: 'Any' }, ...targets]}
          />
        ) : null}
        <SelectField
          form={filter}
          set={onChange}
          name="kind"
          label="Kind"
          data={[{ value: '', label: 'Any' }, ...kindsWithCounts(choices.kinds)]}
        />
        <NativeSelect
          label="Outcome"
          value={outcomeOf(filter)}
          onChange={(event) => onChange(readOutcome(event.currentTarget.value))}
          data={[
            { value: '', label: 'Any' },
            { group: 'Verdict', items: verdicts },
            { group: 'State', items: states },
          ]}
        />
      </div>
      {tags.length === 0 ? null : (
        <ToggleChips
          label="Tag"
          value={filter.tag}
          onChange={(tag) => onChange({ tag })}
          choices={[{ value: '', label: 'Any tag' }, ...tags]}
        />
      )}
    </search>
  );
}

/** The words that lines of the list use in the usual case. */
const verdicts = verdictOutcomeSchema.options.map((outcome) => ({
  value: `verdict:${outcome}`,
  label: outcome === 'overhead' ? 'Costs more or less' : lookOfOutcome(outcome, 1, 'lower').word,
}));

const states = measurementStateSchema.options.map((state) => ({
  value: `state:${state}`,
  label: lookOfState(state).word,
}));

/** The choices, always including the chosen one, however rare it is, in the case that the address has. */
function withChosen(choices: readonly { name: string }[], chosen: string) {
  const names = choices.map(({ name }) => (isSame(name, chosen) ? chosen : name));
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => ({ value: name, label: name }));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The filter of the list in its address, so that reloading, going back, and sharing the link keep it. */

/** A value that is not understood filters nothing. */
export function readFilter(query: URLSearchParams): MeasurementFilter {
  return {
    kind: kindNameSchema.safeParse(query.get('kind')).data ?? '',
    state: measurementStateSchema.safeParse(query.get('state')).data ?? '',
    verdict: verdictOutcomeSchema.safeParse(query.get('verdict')).data ?? '',
    target: query.get('target') ?? '',
    tag: query.get('tag') ?? '',
    q: query.get('q') ?? '',
  };
}

/** Empty for the whole list. */
export function printFilter(filter: MeasurementFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

export function isFiltering(filter: MeasurementFilter): boolean {
  return printFilter(filter).size > 0;
}

/** State and verdict are a single choice on the screen. */
type Outcome = '' | `state:${MeasurementFilter['state']}` | `verdict:${MeasurementFilter['verdict']}`;

export function outcomeOf({ state, verdict }: MeasurementFilter): Outcome {
  if (verdict !== '') return `verdict:${verdict}`;
  return state === '' ? '' : `state:${state}`;
}

export function readOutcome(outcome: string): Pick<MeasurementFilter, 'state' | 'verdict'> {
  const [name = '', value = ''] = outcome.split(':');
  const { state, verdict } = readFilter(new URLSearchParams({ [name]: value }));
  return { state, verdict };
}
