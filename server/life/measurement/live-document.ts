import type { AnyDocument, AnyKind, Frame, Kept } from '../../kinds/kind.ts';

/** State of one measurement until it has ended, and the document that its kind makes of that. */
export type LiveDocument = {
  readonly frame: Readonly<Frame<unknown>>;
  /** Facts and blocks from before this server started. */
  readonly begun: Kept<unknown, unknown>;
  change(to: Partial<Frame<unknown>>): void;
  /** This moment, never before its start: once it has begun here, its start and the time that passed since, as clocks are set. */
  now(): number;
  /** Returns its index. */
  add(block: unknown): number;
  note(facts: unknown): void;
  facts(): unknown;
  /** Facts and blocks now, without any added later. */
  kept(): Kept<unknown, unknown>;
  document(): AnyDocument;
  /** The same as JSON; made once for however many who ask, until something is kept. */
  text(): string;
  /** It stays this document. */
  settle(last: AnyDocument): void;
};

export function openLiveDocument<House>(
  kind: AnyKind<House>,
  frame: Frame<unknown>,
  kept: Kept<unknown, unknown>,
): LiveDocument {
  let begunMs: number | null = null;
  let shown: { document: AnyDocument; text: string | null } | null = null;

  function change(to: Partial<Frame<unknown>>): void {
    Object.assign(frame, to);
    if (typeof to.startedAt === 'number') begunMs = performance.now();
    shown = null;
  }

  function show(): { document: AnyDocument; text: string | null } {
    shown ??= { document: kind.documentOf(frame, kept), text: null };
    return shown;
  }

  return {
    frame,
    now() {
      const { startedAt, createdAt } = frame;
      if (begunMs === null) return Math.max(Date.now(), startedAt ?? createdAt);
      return (startedAt ?? createdAt) + Math.round(performance.now() - begunMs);
    },
    begun: { facts: kept.facts, blocks: [] },
    change,
    add(block) {
      shown = null;
      return kept.blocks.push(block) - 1;
    },
    note(facts) {
      kept.facts = facts;
      shown = null;
    },
    facts: () => kept.facts,
    kept: () => ({ facts: kept.facts, blocks: [...kept.blocks] }),
    document: () => show().document,
    text() {
      const now = show();
      now.text ??= JSON.stringify(now.document);
      return now.text;
    },
    settle(last) {
      change({ state: last.state, problem: last.problem });
      shown = { document: last, text: null };
    },
  };
}
