/** A solid line and a dashed one: the two transports as every chart draws them. */
export function Logo() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#1b1f24" />
      <path d="M6 11.5h20" stroke="#4aa3d8" strokeWidth="4" strokeLinecap="round" />
      <path d="M6 20.5h20" stroke="#ee7d2b" strokeWidth="4" strokeLinecap="round" strokeDasharray="5 7.5" />
    </svg>
  );
}
