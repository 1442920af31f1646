/** An event as whoever watches gets it. One without an id is told once and not kept. */
export type ToldEvent = { id: number | null; type: string; text: string };
