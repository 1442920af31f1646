import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { withoutPrivateKeys } from '../../../shared/base/pem.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { transports } from '../../../shared/base/transport.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { TargetCheck } from '../../../shared/target/preflight.ts';
import { serverNames } from '../../../shared/target/server-options.ts';
import { targetChoices } from '../../../shared/target/target-words.ts';
import { callEndpoint, late, problemOf, UnreachableError } from '../../api/late-call.ts';
import { scenarioQuery } from '../../api/queries.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { secretsIn } from '../../components/form-fields.tsx';
import { choicesOf } from '../../format/option-field.ts';
import { withoutOptions } from '../../format/sides.ts';
import {
  emptyForm,
  emptySides,
  type LaunchForm,
  type OptionId,
  ownChoicesOf,
  ownScenario,
  type SetField,
  sideRows,
  storedScenarioOf,
} from './form-shape.ts';
import { tlsMessageOf } from './more-of-origins.tsx';
import { useLookup } from './use-lookup.ts';

/** Fields that a preflight looks at. A change of any of them makes the shown report a report of something else. */
const checkedFields: readonly (keyof LaunchForm)[] = [
  'targetKind',
  'http',
  'https',
  'path',
  'ca',
  'trust',
  'twin',
  'pid',
  'server',
  'scenario',
  'ownScenario',
  'secrets',
  ...(Object.keys(emptySides) as (keyof typeof emptySides)[]),
  ...comparisonOptions.filter(({ part }) => part !== null).map(({ id }) => id as OptionId),
  'connectionPolicy',
];

/** Problems with the two sides that the check explains in more detail. */
const explainedByCheck: readonly (ProblemCode | null)[] = [
  'target_unreachable',
  'tls_not_offered',
  'scenario_unfit',
  'not_comparable',
];

/** The form of a run, and what is done with it: its address is looked up, the target is checked, or the run starts. */
export function useLaunch() {
  const [form, setForm] = useState(readDraft);
  /** The form as it is by now, for what began with an earlier one. */
  const newest = useRef(form);
  const [tried, setTried] = useState(false);
  useEffect(() => keepDraft(form), [form]);
  const secretNames = useSecretNames(form);
  const launch = useCreateMeasurement();
  const preflight = useMutation({
    mutationFn: async (body: PreflightRequest) => callEndpoint((await late.target()).preflight, { body }),
  });
  const { maker, withMaker, ...making } = useRequestMaker();
  const parsed = tried ? maker?.parseForm(form, secretNames) : undefined;
  const refused =
    (launch.error === null ? null : maker?.messagesOfFields(form, problemOf(launch.error).fields)) ?? {};
  const wrong = problemOfCheck(preflight) ?? Object.values(refused)[0] ?? null;
  const messages = { ...tlsMessageOf(preflight.data), ...refused, ...parsed?.messages };
  const incomplete =
    parsed?.request === null ? (Object.values(messages)[0] ?? 'Correct the marked fields.') : null;

  const set: SetField = (change) => {
    const moved = {
      ...('https' in change ? { trust: '' } : {}),
      ...('sides.comparison.target.origin' in change ? { 'sides.comparison.target.trust': '' } : {}),
    };
    newest.current = { ...newest.current, ...moved, ...change };
    setForm(newest.current);
    launch.reset();
    if (checkedFields.some((field) => field in change)) {
      preflight.reset();
      setTried(false);
    }
  };
  const lookup = useLookup(form, set);
  const send = () =>
    withMaker(({ parseForm, preflightOf }) => {
      setTried(true);
      const { request, sites } = { sites: [], ...parseForm(newest.current, secretNames) };
      if (request === null) return;
      launch.mutate(sites.length > 1 ? { ...request, labels: sites } : request, {
        onError: (error) => {
          if (explainedByCheck.includes(codeOf(error))) preflight.mutate(preflightOf(request));
        },
      });
    });
  const check = () =>
    withMaker(({ parseForm, preflightOf }) => {
      setTried(true);
      launch.reset();
      const { request } = parseForm(newest.current, secretNames);
      if (request !== null) preflight.mutate(preflightOf(request));
    });
  return {
    fields: { form, set, messages },
    lookup,
    preflight,
    secretNames: secretNames ?? [],
    pending: launch.isPending || making.pending || lookup.starts,
    error: making.error ?? (Object.keys(refused).length === 0 ? launch.error : null),
    problem: wrong ?? incomplete ?? lookup.lacks,
    /** Starts once the address has been looked up. @param more what the user has just decided */
    async start(more: Partial<LaunchForm> = {}) {
      if (!(await lookup.finish())) return;
      set(more);
      void send();
    },
    /** Checks the target once the address has been looked up. */
    async check() {
      if (await lookup.finish()) await check();
    },
    /** Applies a change that the check offered, and checks again. */
    take(change: Partial<LaunchForm>) {
      set(change);
      void check();
    },
  };
}

export type Launch = ReturnType<typeof useLaunch>;

/** Names of the secrets of a stored scenario, or of one that the form has itself. */
function useSecretNames(form: LaunchForm): string[] | undefined {
  const id = storedScenarioOf(form);
  const { data } = useQuery({ ...scenarioQuery(id ?? ''), enabled: id !== null });
  return form.scenario === ownScenario ? secretsIn(form.ownScenario) : data?.secrets;
}

type Check = { error: Error | null; data: TargetCheck | undefined };

/** A run waits in the queue until the target can be checked. */
function problemOfCheck({ error, data }: Check): string | null {
  if (error !== null && codeOf(error) !== 'target_busy') return problemOf(error).detail;
  return data?.problem == null ? null : withoutOptions(data.problem);
}

function codeOf(error: Error): ProblemCode | null {
  return error instanceof ProblemError ? error.problem.code : null;
}

type RequestMaker = typeof import('./launch-form.ts');

/**
 * Loads the code that checks the form and makes a request of it. The form is shown without it, because its schemas take a while to set up.
 * @returns `maker`, null until it is there, and `withMaker`, which waits for it
 */
function useRequestMaker() {
  const [maker, setMaker] = useState<RequestMaker | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    // A failure here repeats when a button is pressed, and is reported then.
    open().then(setMaker, () => undefined);
  }, []);

  async function withMaker(use: (maker: RequestMaker) => void) {
    if (maker !== null) return use(maker);
    setPending(true);
    try {
      const opened = await open();
      setMaker(opened);
      setError(null);
      use(opened);
    } catch (cause) {
      setError(new UnreachableError({ cause }));
    }
    setPending(false);
  }
  return { maker, withMaker, pending, error };
}

function open(): Promise<RequestMaker> {
  return import('./launch-form.ts');
}

/** The user's input, kept for this tab across reloads, Back, and other pages. Secrets, tokens, and private keys are not kept. */

const key = 'tls-toll:launch-form';

const neverKept = ['secrets', 'agentToken', 'prometheusToken'];

export function readDraft(): LaunchForm {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return { ...emptyForm, ...Object.fromEntries(Object.entries(kept ?? {}).filter(isOffered)) };
  } catch {
    return emptyForm;
  }
}

export function keepDraft(form: LaunchForm): void {
  const kept = Object.entries(form)
    .filter(([name]) => !neverKept.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? withoutPrivateKeys(value) : value]);
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps nothing loses the draft, not the form.
  }
}

/** Another version of this page may have kept it. */
function isOffered([name, value]: [string, unknown]): boolean {
  if (neverKept.includes(name) || !isField(name)) return false;
  if (typeof value !== typeof emptyForm[name]) return false;
  return choices[name]?.some((choice) => choice === value) ?? true;
}

function isField(name: string): name is keyof LaunchForm {
  return Object.hasOwn(emptyForm, name);
}

const choices: Partial<Record<keyof LaunchForm, readonly string[]>> = {
  targetKind: targetChoices.map(({ value }) => value),
  server: serverNames,
  'sides.baseline.transport': transports,
  'sides.comparison.transport': transports,
  'sides.comparison.target.server': ['', ...serverNames],
  ...Object.fromEntries(
    sideRows.flatMap(({ option, ids }) => {
      const offered = ownChoicesOf(option);
      return offered === null ? [] : [[ids.comparison, offered.map(({ value }) => value)]];
    }),
  ),
  ...Object.fromEntries(
    comparisonOptions.flatMap(({ id, option }) =>
      option.type === 'choice' ? [[id, choicesOf(option).map(({ value }) => value)]] : [],
    ),
  ),
};

/** Parameters of an address for the form: a scenario, or a run to repeat. */
export type Brought = { scenario: string | null; again: string | null };

/** Null where the form stays as it was. */
export function readBrought(address: URLSearchParams): Brought | null {
  const [scenario, again] = [address.get('scenario'), address.get('again')];
  return scenario === null && again === null ? null : { scenario, again };
}
