import { capitalized } from '../base/cut.ts';
import { usualTolerance, withinWords } from './change-words.ts';

/** The words of method: screens underline them, a result lists them, and the glossary of the documentation is this list. */
type Term = {
  /** Section of the glossary. */
  topic: string;
  term: string;
  /** Forms that a sentence underlines. Terms that stand alone, such as outcomes, have none. */
  said?: readonly string[];
  meaning: string;
  /** Names in JSON, SQL, and CSV; empty for a word of the screens alone. */
  api: readonly string[];
};

/** @param tolerance of the run: the largest share that is too small to matter */
export function termsFor(tolerance: number = usualTolerance): readonly Term[] {
  return [
    ...under('Measuring', ofMeasuring),
    ...under('Loads', ofLoads),
    ...under('Figures', ofFigures),
    ...under('Outcomes', outcomesFor(tolerance)),
    ...under('Lists', ofLists),
  ];
}

/** Returns null for a word that is not in the list. */
export function meaningOf(wanted: string, tolerance: number): string | null {
  return termsFor(tolerance).find(({ term }) => term === wanted)?.meaning ?? null;
}

function under(topic: string, terms: readonly Words[]): Term[] {
  return terms.map((term) => ({ topic, ...term }));
}

type Words = Omit<Term, 'topic'>;

const ofMeasuring: readonly Words[] = [
  {
    term: 'Side',
    meaning:
      'One of the two things that a run compares, such as HTTP and HTTPS. If both use HTTPS, they are the first and the second side.',
    api: ['baseline', 'comparison'],
  },
  {
    term: 'Control',
    said: ['control'],
    meaning:
      'The first side measured a second time. It should not differ from the first side. If it does, the intervals get wider.',
    api: ['twin'],
  },
  {
    term: 'Noise check',
    meaning: 'A run that compares a side with itself. Up to 1 in 20 such runs finds a difference, by chance.',
    api: [],
  },
  {
    term: 'Start',
    said: ['starts'],
    meaning:
      'One start of the server under test. Restarting a server changes its speed slightly, and the interval includes that. A server that was already running is not started.',
    api: ['launches'],
  },
  {
    term: 'Turn',
    said: ['turns'],
    meaning:
      'One side alone for some milliseconds: at full load usually 15 ms, or longer if requests are slow.',
    api: ['slots'],
  },
  {
    term: 'Round',
    said: ['rounds'],
    meaning:
      'One turn on every side, in random order. If other programs disturbed the machine or a request failed, the rounds of that second are discarded on all sides. A result also shows its figures with nothing discarded.',
    api: ['windows', 'aside'],
  },
  {
    term: 'Sample',
    said: ['samples'],
    meaning:
      'The rounds of about one second, all sides together. Intervals are computed from samples, and from how starts differ.',
    api: ['pairs'],
  },
  {
    term: 'Part',
    meaning:
      'A few seconds of a run at one load. A part that cannot be trusted is discarded, and the result says why.',
    api: ['blocks', 'epoch'],
  },
];

const ofLoads: readonly Words[] = [
  {
    term: 'Full load',
    said: ['full load'],
    meaning:
      'All users load one side at a time, which keeps the server as busy as it can be. CPU per request and throughput are measured here. The first run of a question finds the number of users, and later runs keep it.',
    api: ['maximum', 'cpu_at_load'],
  },
  {
    term: 'Half load',
    said: ['half load'],
    meaning: 'Both sides get the same request rate, half of what the slower side can handle.',
    api: ['steady', 'cpu_half_load'],
  },
  {
    term: 'One user',
    said: ['one user'],
    meaning:
      'One user on an idle server sends each request to both sides, in random order. Latency is measured here. So is CPU, in a row of its own: most of it is spent waking an idle core, so it depends on the machine.',
    api: ['lockstep', 'cpu_lone'],
  },
  {
    term: 'Transaction',
    meaning:
      'All requests of one user through a scenario that has several steps. With one step it is a request.',
    api: ['transactions'],
  },
];

const ofFigures: readonly Words[] = [
  {
    term: 'Difference',
    meaning: 'The second side minus the first, within a run: in its unit, and in percent of the first side.',
    api: ['delta', 'ratio'],
  },
  {
    term: 'Change',
    meaning: 'How much a difference grew or shrank from one run to another.',
    api: ['changes'],
  },
  {
    term: '95 % CI',
    said: ['95 % CI'],
    meaning:
      'About 95 of 100 such confidence intervals contain the true difference. More starts narrow it. “Precision” shows the basis of each.',
    api: ['lo', 'hi'],
  },
];

function outcomesFor(tolerance: number): readonly Words[] {
  const within = withinWords(tolerance);
  return [
    {
      term: 'Costs more',
      meaning:
        'The 95 % CI excludes zero, and the second side does worse. Exploratory metrics must also pass a correction for multiple comparisons.',
      api: ['overhead'],
    },
    {
      term: 'Costs less',
      meaning: 'The 95 % CI excludes zero, and the second side does better.',
      api: ['overhead'],
    },
    {
      term: capitalized(within),
      meaning: `The 90 % CI lies ${within}, so the difference is too small to matter.`,
      api: ['no_overhead'],
    },
    {
      term: 'Unclear',
      meaning: 'Neither a difference nor its absence is certain yet. A longer run narrows the interval.',
      api: ['inconclusive'],
    },
    {
      term: 'Not tested',
      meaning:
        'CPU, throughput, and median latency are tested in this order, each only if the one before it differs.',
      api: ['not_tested'],
    },
    {
      term: 'Not available',
      meaning:
        'The number would mislead, such as a throughput that the load generator limited. The reason is next to it.',
      api: ['refused'],
    },
  ];
}

const ofLists: readonly Words[] = [
  {
    term: 'Run',
    meaning: 'One execution of a comparison, a sweep, or another kind. Its page is the result.',
    api: ['measurement'],
  },
  {
    term: 'Question',
    meaning: 'Runs with the same sides, target, and scenario. Their differences are pooled into one answer.',
    api: ['series'],
  },
  {
    term: 'Reference',
    meaning: 'A pinned run of a question that later runs are compared with.',
    api: ['baseline'],
  },
  {
    term: 'Length',
    meaning: 'How precisely a run measures, and so how long it takes: a first answer, to quote, or fine.',
    api: ['length'],
  },
  {
    term: 'Combination',
    meaning: 'One choice of all settings that a sweep varies, such as nginx with RSA-2048 and keep-alive.',
    api: ['cell'],
  },
];
