import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { LookupRequestInput } from '../../../shared/api/target-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { ImportReport } from '../../../shared/scenario/import.ts';
import type { Lookup } from '../../../shared/target/preflight.ts';
import { callEndpoint, late } from '../../api/late-call.ts';
import { type LaunchForm, ownScenario, type SetField } from './form-shape.ts';
import {
  fillFrom,
  printAddress,
  readPasted,
  splitAddress,
  targetOfSite,
  withoutCredentials,
} from './pasted-address.ts';

/** Whether the form has all that a run needs; if not, the page says what is missing or wrong. */
type Whole = Promise<boolean>;

/**
 * The one field: its text, and what was found at its address. The lookup starts when text is pasted, entered, or left, never while
 * somebody types.
 */
export function useLookup(form: LaunchForm, set: SetField) {
  const navigate = useNavigate();
  const [text, setText] = useState(() => (form.targetKind === 'origins' ? printAddress(form) : ''));
  const [note, setNote] = useState<string | null>(null);
  const [lacks, setLacks] = useState<string | null>(null);
  const [starts, setStarts] = useState(false);
  const latest = useRef<{ text: string; whole: Whole } | null>(null);
  /** Counts the texts. */
  const turn = useRef(0);
  const { asked, read } = useQuestions();
  const wayOf = (mine: number): Way => ({
    ...{ form, set, setNote, setLacks, ask: asked.mutateAsync, read: read.mutateAsync },
    isLatest: () => turn.current === mine,
    go: async (to) => void (await navigate(to)),
    show: (shown, whole) => {
      setText(shown);
      latest.current = { text: shown, whole };
    },
  });
  const clear = () => {
    turn.current++;
    latest.current = null;
    setLacks(null);
    asked.reset();
    read.reset();
  };
  const type = (typed: string) => {
    const clean = withoutCredentials(typed);
    clear();
    setText(clean);
    setNote(clean === typed ? null : hidden);
    const { kind } = readPasted(clean, location.origin);
    const addresses = kind === 'addresses' ? splitAddress(clean, form) : { http: '', https: '' };
    set({ ...addresses, targetKind: kind === 'nothing' ? 'storefront' : 'origins' });
  };
  const lookUp = (typed: string): Whole => {
    if (latest.current?.text === typed) return latest.current.whole;
    const whole = lookAtText(typed, wayOf(turn.current)).catch(() => {
      // The next time it is tried again: the target may have been started.
      latest.current = null;
      return false;
    });
    latest.current = { text: typed, whole };
    return whole;
  };
  return {
    ...{ text, note, lacks, starts, type, found: asked.data, imported: read.data?.scenario ?? null },
    pending: asked.isPending || read.isPending,
    /** The text as it is has been looked up, and nothing is missing. */
    isDone: latest.current?.text === text && lacks === null && !asked.isPending,
    error: asked.error ?? read.error,
    /** Called when the text is entered or left. */
    lookUp: () => void lookUp(text),
    paste(pasted: string) {
      const clean = withoutCredentials(pasted);
      type(pasted);
      if (clean.trim() === '') setNote('The clipboard has no text. Copy an address such as 127.0.0.1:8080.');
      else void lookUp(clean);
    },
    drop(files: readonly File[]) {
      const [file, ...others] = files;
      clear();
      if (file === undefined) return;
      const way = wayOf(turn.current);
      if (others.length === 0)
        way.show(
          file.name,
          importFrom(file, way).catch(() => false),
        );
      else setNote(`These are ${files.length} files. Drop one of them, such as a HAR.`);
    },
    /** Resolves once the form has what the lookup finds. */
    async finish(): Whole {
      // A runner with labels may be another machine than the one that looks.
      if (form.targetKind !== 'origins' || Object.keys(form.labelValues).length > 0) return true;
      setStarts(true);
      return lookUp(text).finally(() => setStarts(false));
    },
  };
}

/** Questions to the server: what answers at an address, and what a file or a curl command requests. */
function useQuestions() {
  const asked = useMutation({
    mutationFn: async (body: LookupRequestInput) => callEndpoint((await late.target()).lookUp, { body }),
  });
  const read = useMutation({
    mutationFn: async (body: Blob) =>
      callEndpoint((await late.scenario()).importScenario, { query: {}, body }),
  });
  return { asked, read };
}

const hidden =
  'The user name and password were removed. To sign in, give the scenario a header; it is kept as a secret.';

type Way = {
  form: LaunchForm;
  set: SetField;
  setNote(sentence: string): void;
  setLacks(sentence: string | null): void;
  ask(body: LookupRequestInput): Promise<Lookup>;
  read(source: Blob): Promise<ImportReport>;
  /** False once another text was typed or pasted: only the answer to the latest counts. */
  isLatest(): boolean;
  go(to: string): Promise<void>;
  /** Replaces the pasted text, with the fields that follow from it. */
  show(text: string, whole: Whole): void;
};

async function lookAtText(typed: string, way: Way): Whole {
  const pasted = readPasted(typed, location.origin);
  switch (pasted.kind) {
    case 'nothing':
      return true;
    case 'scenario':
      return importFrom(new Blob([pasted.text]), way);
    case 'link':
      await way.go(pasted.to);
      return false;
    case 'wrong':
      way.setNote(pasted.sentence);
      way.setLacks('Correct the address.');
      return false;
    default:
      return lookAt(pasted.addresses, pasted.path, way);
  }
}

/** A path alone keeps the addresses. */
async function lookAt(addresses: string[], path: string, way: Way): Whole {
  const { form } = way;
  const given = [form.http, form.https].filter((each) => each !== '');
  if (addresses.length === 0 && given.length === 0) return false;
  const [first = '/'] = path.split(' ');
  const known = form.trust === '' ? {} : { trusted: { origin: form.https.trim(), fingerprint: form.trust } };
  try {
    const asked = addresses.length === 0 ? given : addresses;
    const { change, lacks } = fillFrom(await way.ask({ addresses: asked, path: first, ...known }), form);
    if (!way.isLatest()) return false;
    way.set(change);
    way.setLacks(lacks);
    return lacks === null;
  } catch (error) {
    // For two addresses, the check of a run says more: one may speak only HTTP/2 or require a client certificate.
    if (
      addresses.length === 2 &&
      error instanceof ProblemError &&
      error.problem.code === 'target_unreachable'
    )
      return true;
    throw error;
  }
}

async function importFrom(source: Blob, way: Way): Whole {
  const { scenario, site } = await way.read(source);
  if (!way.isLatest()) return false;
  if (scenario === null) {
    way.setNote(
      'It contains no request that a run could send. Import it as a scenario to replay it in a browser.',
    );
    return false;
  }
  const own = { scenario: ownScenario, ownScenario: JSON.stringify(scenario) };
  const { targetKind, http, https } = way.form;
  const before = { targetKind, http, https };
  way.set({ ...own, ...(site === null ? before : targetOfSite(site, way.form)) });
  if (site === null || site === 'storefront') return true;
  const [step] = scenario.steps;
  const path = step?.method === 'GET' && !step.path.includes('{') ? step.path : '/';
  const whole = lookAt([site], path, way);
  way.show(
    site,
    whole.catch(() => false),
  );
  return whole;
}
