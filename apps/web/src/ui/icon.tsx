const PATHS = {
  budget: 'M10 2.5a7.5 7.5 0 1 0 7.5 7.5H10z M12.5 2.9a7.5 7.5 0 0 1 4.6 4.6h-4.6z',
  list: 'M3 5h.01M3 10h.01M3 15h.01M7 5h10M7 10h10M7 15h10',
  clock: 'M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM10 6v4.2l2.8 1.8',
  chart: 'M3 17V9m4.7 8V3m4.6 14v-6M17 17V6',
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-2.8 2.5-4.5 5.5-4.5s5.5 1.7 5.5 4.5M13 9.3a2.7 2.7 0 0 0 0-5.2M15 12.4c1.8.6 3 2 3 4.1',
  person: 'M10 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM3.5 17c.4-3 3.2-4.8 6.5-4.8s6.1 1.8 6.5 4.8',
  plus: 'M10 4v12M4 10h12',
  close: 'm5 5 10 10M15 5 5 15',
  left: 'm12.5 4.5-5.5 5.5 5.5 5.5',
  right: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  up: 'm4.5 12.5 5.5-5.5 5.5 5.5',
  down: 'm4.5 7.5 5.5 5.5 5.5-5.5',
  grip: 'M7.5 5h.01M7.5 10h.01M7.5 15h.01M12.5 5h.01M12.5 10h.01M12.5 15h.01',
  star: 'm10 2.8 2.2 4.6 5 .7-3.6 3.5.9 5L10 14.2l-4.5 2.4.9-5L2.8 8.1l5-.7z',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  fund: 'M4 8.5h12l-1.2 8H5.2zM6.5 8.5V6.5a3.5 3.5 0 0 1 7 0v2',
  check: 'm4 10.5 4 4 8-9',
  warning: 'M10 3 2.5 16.5h15zM10 8v4M10 14.3h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word, or in a button that has a name. */
export function Icon({ name, isFilled = false }: { readonly name: IconName; readonly isFilled?: boolean }) {
  return (
    <svg className={`icon${isFilled ? ' is-filled' : ''}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
