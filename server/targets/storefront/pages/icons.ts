/** Small drawings inside the pages, as shops have them: no request of their own, and the same markup over and over. */

export const parcelIcon = icon(
  'parcel',
  '<path d="M3 7.5 12 3l9 4.5v9L12 21l-9-4.5z"/><path d="M3 7.5 12 12l9-4.5M12 12v9M7.5 5.25l9 4.5"/>',
);

export const basketIcon = icon(
  'basket',
  '<path d="M3 10h18l-2 10H5z"/><path d="M8 10l3-6M16 10l-3-6M9 13v4M12 13v4M15 13v4"/>',
);

export const clockIcon = icon('clock', '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>');

const star = 'M12 2.6l2.9 6.1 6.7.9-4.9 4.6 1.2 6.7-5.9-3.2-5.9 3.2 1.2-6.7L2.4 9.6l6.7-.9z';

/** Five stars, so many of them filled; drawn once for each number. */
const rows = [0, 1, 2, 3, 4, 5].map((filled) =>
  Array.from({ length: 5 }, (_, place) =>
    icon(place < filled ? 'star is-filled' : 'star', `<path d="${star}"/>`),
  ).join(''),
);

export function renderStars(filled: number): string {
  return rows[filled] ?? '';
}

function icon(name: string, shapes: string): string {
  return `<svg class="icon ${name}" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">${shapes}</svg>`;
}
