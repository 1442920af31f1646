import type { AnyKind } from '../../kinds/kind.ts';
import { exampleList } from './example-list.ts';
import { type ExampleFile, pathOfExample, readExample } from './read-example.ts';

/** The entry in `exampleList`, with the content of its file. */
export type Example<House> = (typeof exampleList)[number] & ExampleFile<House>;

/** Results that came with the program. Their files are read once, when somebody first asks for them. */
export type Examples<House> = {
  /** The examples that can be read, in the order in which they are shown. */
  list(): Promise<readonly Example<House>[]>;
  find(id: string): Promise<Example<House> | null>;
};

type Options<House> = {
  kinds: readonly AnyKind<House>[];
  /** Called for each example that is missing, damaged, or has the ID of another. */
  onLeftOut(sentence: string, cause: unknown): void;
  /** Of the files; the shipped ones where it is left out. */
  directory?: string;
};

export function openExamples<House>(options: Options<House>): Examples<House> {
  let read: Promise<readonly Example<House>[]> | null = null;
  const list = () => {
    read ??= readAll(options);
    return read;
  };
  return {
    list,
    find: async (id) => (await list()).find(({ document }) => document.id === id) ?? null,
  };
}

async function readAll<House>({ kinds, onLeftOut, directory }: Options<House>): Promise<Example<House>[]> {
  const found: Example<House>[] = [];
  for (const listed of exampleList) {
    const leaveOut = (why: string, cause: unknown = null) =>
      onLeftOut(`The example ${listed.name} is left out: ${why}.`, cause);
    try {
      const file = await readExample(kinds, pathOfExample(listed.name, directory));
      const other = found.find(({ document }) => document.id === file.document.id);
      if (other === undefined) found.push({ ...listed, ...file });
      else leaveOut(`it has the ID of ${other.name}`);
    } catch (cause) {
      leaveOut('its file cannot be read', cause);
    }
  }
  return found;
}
