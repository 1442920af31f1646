import { scheduleEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { printRhythm, type Schedule } from '../../../shared/results/schedule.ts';
import { alignColumns, printLines } from '../../base/text/terminal.ts';
import { type ApiClient, connectTo, findDashboard } from './api-client.ts';
import {
  labelsIn,
  numberIn,
  printMoment,
  printRepeat,
  type Repeat,
  repeatOf,
  repeatOptions,
} from './option-values.ts';
import { verb } from './verb.ts';

const actions = ['list', 'add', 'pause', 'resume', 'delete'] as const;
type Action = (typeof actions)[number];

const options = verb('schedules')
  .description(
    'Lists what the dashboard measures again and again, and changes it. Measurements are repeated while the dashboard runs.',
  )
  .argument(
    '[action]',
    'list (default), add (with the ID of a run and --repeat), pause, resume or delete',
    actionIn,
  )
  .argument('[id]', 'ID of the run to repeat (add), or of a schedule')
  .option(...repeatOptions.repeat)
  .option(...repeatOptions.times, numberIn)
  .option(...repeatOptions.until)
  .option('--labels <list>', 'Measure on a runner with these labels, such as site=fra,cpu=arm', labelsIn)
  .option('--json', 'Print JSON');

export async function schedules(args: string[]): Promise<number> {
  const { action, id, repeat, labels, json } = parseSchedules(args);
  const running = await findDashboard();
  if (running === null) {
    throw problem('dashboard_missing', 'Measurements are repeated by the dashboard, and none is running.');
  }
  const changed = await act(
    connectTo(running),
    action,
    id,
    repeat && { ...repeat, ...(labels && { labels }) },
  );
  const text = Array.isArray(changed) ? printSchedules(changed) : printChange(changed);
  process.stdout.write(json ? `${JSON.stringify(changed)}\n` : text);
  return 0;
}

/** The schedule that was changed, null for one that is gone, all of them for a list. */
async function act(
  api: ApiClient,
  action: Action,
  id: string,
  repeat: Repeat | null,
): Promise<Schedule[] | Schedule | null> {
  if (action === 'list') return (await api.call(scheduleEndpoints.listSchedules)).schedules;
  if (action === 'delete') return api.call(scheduleEndpoints.deleteSchedule, { params: { id } });
  if (repeat !== null)
    return (await api.call(scheduleEndpoints.createSchedule, { body: { of: id, ...repeat } })).schedule;
  return api.call(scheduleEndpoints.changeSchedule, {
    params: { id },
    body: { state: action === 'pause' ? 'paused' : 'on' },
  });
}

/** Throws invalid_arguments. */
export function parseSchedules(args: string[]) {
  const [action = 'list', id = ''] = options.parse(args, { from: 'user' }).processedArgs;
  const { json = false, labels, ...values } = options.opts();
  const repeat = repeatOf(values);
  if (action !== 'list' && id === '') {
    throw problem('invalid_arguments', `schedules ${action} takes an ID. npx tls-toll schedules lists them.`);
  }
  if ((action === 'add') !== (repeat !== null)) {
    throw problem(
      'invalid_arguments',
      '--repeat belongs to schedules add, as in: schedules add ID --repeat nightly',
    );
  }
  if (labels !== undefined && action !== 'add') {
    throw problem('invalid_arguments', '--labels belongs to schedules add.');
  }
  return { action, id, repeat, labels, json };
}

function actionIn(text: string): Action {
  const action = actions.find((known) => known === text);
  if (action !== undefined) return action;
  throw problem(
    'invalid_arguments',
    `schedules can list, add, pause, resume and delete. "${text}" is not one of them.`,
  );
}

function printChange(schedule: Schedule | null): string {
  if (schedule === null) return 'Deleted. What it measured stays.\n';
  return schedule.state === 'paused' ? `Paused: ${schedule.title}\n` : printRepeat(schedule);
}

export function printSchedules(all: readonly Schedule[]): string {
  if (all.length === 0) {
    return 'Nothing is repeated. npx tls-toll schedules add ID --repeat nightly repeats a run.\n';
  }
  const rows = all.map(({ id, title, rhythm, labels, state, nextAt, measured, last }) => [
    ...[id, title, [printRhythm(rhythm), printLabels(labels)].filter((part) => part !== '').join(' on ')],
    nextAt === null ? state : printMoment(nextAt),
    String(measured),
    printLast(last),
  ]);
  return printLines(
    alignColumns([['ID', 'What', 'When', 'Next', 'Measured', 'Last time'], ...rows], 'llllrl'),
  );
}

function printLast(last: Schedule['last']): string {
  if (last === null) return '–';
  const outcome = last.problem?.detail ?? last.measurement?.state ?? 'deleted';
  return `${printMoment(last.at)}: ${outcome}`;
}
