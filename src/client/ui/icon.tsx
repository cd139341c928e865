/** Icons, drawn in the colour of the text beside them. */

const SHAPES = {
  swap: 'M8 4v14m0 0-4-4m4 4 4-4M16 20V6m0 0-4 4m4-4 4 4',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  settings:
    'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM19.4 13.6l1.6 1.3-1.8 3.1-2-.7a7.6 7.6 0 0 1-2.3 1.3L14.5 21h-5l-.4-2.4a7.6 7.6 0 0 1-2.3-1.3l-2 .7L3 14.9l1.6-1.3a7.7 7.7 0 0 1 0-3.2L3 9.1 4.8 6l2 .7a7.6 7.6 0 0 1 2.3-1.3L9.5 3h5l.4 2.4a7.6 7.6 0 0 1 2.3 1.3l2-.7L21 9.1l-1.6 1.3a7.7 7.7 0 0 1 0 3.2Z',
  locate: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v4M12 18v4M2 12h4M18 12h4',
  link: 'M10 14a4.5 4.5 0 0 0 6.4 0l3-3a4.5 4.5 0 0 0-6.4-6.4l-1 1M14 10a4.5 4.5 0 0 0-6.4 0l-3 3a4.5 4.5 0 0 0 6.4 6.4l1-1',
  print: 'M7 8V3h10v5M7 17H4V9.5A1.5 1.5 0 0 1 5.5 8h13A1.5 1.5 0 0 1 20 9.5V17h-3M7 14h10v7H7z',
  extent: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  chevron: 'M7 10l5 5 5-5',
  up: 'M7 14l5-5 5 5',
  corner: 'M12 4v16M4 12h16',
  straight: 'M12 20V5m0 0-5 5m5-5 5 5',
  turnLeft: 'M18 20v-7a3 3 0 0 0-3-3H6m0 0 4.5-4.5M6 10l4.5 4.5',
  turnRight: 'M6 20v-7a3 3 0 0 1 3-3h9m0 0-4.5-4.5M18 10l-4.5 4.5',
  slightlyLeft: 'M15 20v-6.5L8 6m0 0v6M8 6h6',
  slightlyRight: 'M9 20v-6.5L16 6m0 0v6M16 6h-6',
  roundabout: 'M12 21v-4m0 0a4.5 4.5 0 1 1 4.3-3.2M18.5 16.5l-2.2-2.7-2.8 1.900',
  left: 'M14 6l-6 6 6 6',
  pin: 'M12 21s-6.5-6.2-6.5-11a6.5 6.5 0 0 1 13 0c0 4.8-6.5 11-6.5 11ZM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  alert: 'M12 4 2.8 20h18.4L12 4ZM12 10v4.5M12 17.3h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  live: 'M5 19a14 14 0 0 1 0-14M19 5a14 14 0 0 1 0 14M8.5 16a7.5 7.5 0 0 1 0-8M15.5 8a7.5 7.5 0 0 1 0 8M12 12h.01',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
  download: 'M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14',
  upload: 'M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M5 20h14',
  walk: 'M12.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM10 21l2-6.5M12 14.5l-2-2.5 1-5 3 .5 1.5 3 2.5 1M11 7.5 8 9.5 7.5 12.5M12.5 14l2.5 2.5L16 21',
  bicycle:
    'M6 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM18 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM6 15l3.5-6.5h6L18 15M9.5 8.5 12.5 15l3-6.5L14.5 6H17M8 8.5h3',
  car: 'M4 16.5v-4l2-5.5h12l2 5.5v4M3.5 12.5h17M4 16.5h16M6 16.5v2.5M18 16.5v2.5M7 14.5h.01M17 14.5h.01',
  bus: 'M6 4h12a1.5 1.5 0 0 1 1.5 1.5V17h-15V5.5A1.5 1.5 0 0 1 6 4ZM4.5 11.5h15M7 17v2.5M17 17v2.5M7.5 14.3h.01M16.5 14.3h.01',
  tram: 'M7 7h10a1.5 1.5 0 0 1 1.5 1.5V16a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2V8.5A1.5 1.5 0 0 1 7 7ZM5.5 12.5h13M12 7V4M8 3.5h8M8 18l-1.5 3M16 18l1.5 3M8.5 15.3h.01M15.5 15.3h.01',
  rail: 'M8 3.5h8a2 2 0 0 1 2 2V15a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 6 15V5.5a2 2 0 0 1 2-2ZM6 11h12M8.5 17.5 6.5 21M15.5 17.5l2 3.5M9 14.3h.01M15 14.3h.01',
  ferry: 'M3 18c1.5 1.5 3 1.5 4.5 0s3-1.5 4.5 0 3 1.5 4.5 0 3-1.5 4.5 0M5 15l-1-4h16l-1.5 4M7 11V7h10v4M12 7V4',
  gondola:
    'M3 6l18-2.5M12 5v4M7 9h10a1.5 1.5 0 0 1 1.5 1.5V17A2.5 2.5 0 0 1 16 19.5H8A2.5 2.5 0 0 1 5.5 17v-6.5A1.5 1.5 0 0 1 7 9ZM5.5 14.5h13M12 9v5.5',
  wheelchair: 'M11 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM11 7.5v6h5l2.5 5M11 10h4M8.5 11.5a5 5 0 1 0 6.5 6.5',
  plane: 'M12 3c.8 0 1.3.7 1.3 2v4.5l7 4v2l-7-2v4l2 1.5V21L12 20l-3.3 1v-2l2-1.5v-4l-7 2v-2l7-4V5c0-1.3.5-2 1.3-2Z',
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon; screen readers hear its title, or nothing. */
export function Icon({ name, title, size = 20 }: { name: IconName; title?: string; size?: number }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      role={title === undefined ? undefined : 'img'}
      aria-label={title}
      aria-hidden={title === undefined ? 'true' : undefined}
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
