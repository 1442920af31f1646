import type { Digest } from '../../../../shared/words/digest/digest.ts';
import type { AnyDocument, AnyKind } from '../../../kinds/kind.ts';

/** What a kind says of one of its documents. */
export type Said = {
  /** What it is, where it stands alone. */
  caption: string;
  /** What it found; for one that has finished. */
  sentences(): string[];
  /** The top of its page; null where it has its sentences only. */
  digest(): Digest | null;
  /** What a server was configured by; null where none was started. */
  configuration(): string | null;
  /** A further form of it, by its suffix; null where its kind has no such form. */
  form(suffix: string): string | null;
};

export function saidOf<House>(kind: AnyKind<House>, document: AnyDocument): Said {
  return {
    caption: kind.caption,
    sentences: () => kind.sentences(document),
    digest: () => kind.digest?.(document) ?? null,
    form: (suffix) => kind.form?.(document, suffix) ?? null,
    configuration: () => kind.configuration?.(document) ?? null,
  };
}
