/**
 * Arms that a plan measures in turn: the sides that are compared and, as a check, one of them again. Code that loads, reads, orders, or
 * sums arms takes the list, so that a plan may declare two sides and a twin or any other number.
 */
export type Arms<Name extends string> = readonly DeclaredArm<Name>[];

type DeclaredArm<Name extends string> = {
  readonly name: Name;
  /** A capital, for orders of arms. */
  readonly letter: string;
  /** The side that it is again, so that what tells the two apart is noise; left out for a side. */
  readonly twinOf?: Name | undefined;
};

export function namesOf<Name extends string>(arms: Arms<Name>): Name[] {
  return arms.map(({ name }) => name);
}

/** Arms that are not a twin. */
export function sidesOfArms<Name extends string>(arms: Arms<Name>): Name[] {
  return namesOf(arms.filter(({ twinOf }) => twinOf === undefined));
}

export function byArm<Name extends string, Each>(
  names: readonly Name[],
  of: (arm: Name) => Each,
): Record<Name, Each> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Each>;
}

export async function byArmInTurn<Name extends string, Each>(
  names: readonly Name[],
  of: (arm: Name) => Promise<Each>,
): Promise<Record<Name, Each>> {
  const each: [Name, Each][] = [];
  for (const name of names) each.push([name, await of(name)]);
  return Object.fromEntries(each) as Record<Name, Each>;
}

/** A letter an arm. */
export function writeOrder<Name extends string>(arms: Arms<Name>, order: readonly Name[]): string {
  return order.map((arm) => arms.find(({ name }) => name === arm)?.letter).join('');
}

/** Reads the output of `writeOrder`. */
export function readOrder<Name extends string>(arms: Arms<Name>, letters: string): Name[] {
  return [...letters].flatMap((each) => arms.find(({ letter }) => letter === each)?.name ?? []);
}

/** Gives each arm the value of its side; a twin has the same as its side. @param ofSides in the order in which they are declared */
export function fromSides<Name extends string, Each>(
  arms: Arms<Name>,
  ofSides: readonly Each[],
): Record<Name, Each> {
  const sides = sidesOfArms(arms);
  if (ofSides.length < sides.length)
    throw new Error(`nothing was given for the ${sides[ofSides.length]} arm`);
  const sideOf = new Map(arms.map(({ name, twinOf }) => [name, twinOf ?? name]));
  return byArm(namesOf(arms), (arm) => ofSides[sides.indexOf(sideOf.get(arm) ?? arm)] as Each);
}

/** A question about two arms: the cost of `of` compared with `to`. `twin` is `to` again; null without one. */
export type Contrast<Name extends string> = { of: Name; to: Name; twin: Name | null };

/** The second side against the first. */
export function contrastOf<Name extends string>(arms: Arms<Name>): Contrast<Name> {
  const [to, of] = sidesOfArms(arms);
  if (to === undefined || of === undefined) throw new Error('fewer than two sides compare nothing');
  return { of, to, twin: arms.find(({ twinOf }) => twinOf === to)?.name ?? null };
}

/** Arms that measure `to`, taken together. */
export function plainOf<Name extends string>({ to, twin }: Contrast<Name>): [Name] | [Name, Name] {
  return twin === null ? [to] : [to, twin];
}
