import styles from './icon.module.css'

/** Outlines on a 24 px grid, drawn for this project. */
const outlines = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  circle: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z',
  done: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.3l2.8 2.8L16 9.5',
  alert: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5v5.5M12 16.4v.1',
  warning: 'M12 4L2.8 19.5h18.4zM12 10v4M12 16.9v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.6v.1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  eyeOff:
    'M4 4l16 16M9.9 5.7A9.6 9.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M6.3 7.1A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5c1.6 0 3-.4 4.3-1.1M9.9 9.9a3 3 0 0 0 4.2 4.2',
  mail: 'M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5',
  copy: 'M9 9h11v11H9zM5.5 15H4V4h11v1.5',
  down: 'M6.5 9.5L12 15l5.5-5.5',
  right: 'M9.5 6.5L15 12l-5.5 5.5',
  laptop: 'M5 5h14v10.5H5zM2.5 19h19',
  phone: 'M7.5 3h9v18h-9zM11 18h2',
  lock: 'M5.5 11h13v9.5h-13zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.5-3.5 3-5.3 6.5-5.3s6 1.8 6.5 5.3M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.6c2.2.6 3.6 2.3 4 4.9',
  leave: 'M14 4.5H5.5v15H14M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5',
  plus: 'M12 5v14M5 12h14',
  shield: 'M12 3l7.5 2.8v5.7c0 4.6-3 8-7.5 9.5-4.5-1.5-7.5-4.9-7.5-9.5V5.8z',
  agent:
    'M5 9.5h14v9.5H5zM12 9.5V6M12 6a1.2 1.2 0 1 0 0-2.4A1.2 1.2 0 0 0 12 6zM9 13.3v1.4M15 13.3v1.4M2.5 13v3M21.5 13v3',
  home: 'M4 11l8-7 8 7v9h-5.5v-5.5h-5V20H4z',
  apps: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  minus: 'M5 12h14',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  upload: 'M12 15V4M7 8.5l5-5 5 5M4.5 20h15',
  printer: 'M7 9V3.5h10V9M7 17H4V9.5h16V17h-3M7 14h10v6.5H7z',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5zM14 20h.1M20 14h.1',
  key: 'M8 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12.5 12H21M17 12v3.5M20.5 12v2.5',
  book: 'M7 3.5h12v17H7a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2zM12.5 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 15.5c.4-1.7 1.7-2.5 3.5-2.5s3.1.8 3.5 2.5M3 7.5h3.5M3 12h3.5M3 16.5h3.5',
  play: 'M7 4.5v15l12-7.5z',
  browser: 'M3 5h18v14H3zM3 9h18M6 7h.1M8.5 7h.1',
  server: 'M4.5 4h15v7h-15zM4.5 13h15v7h-15zM8 7.5h.1M8 16.5h.1M12 7.5h4.5M12 16.5h4.5',
  gears:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2.1 2.1M15.9 15.9L18 18M6 18l2.1-2.1M15.9 8.1L18 6',
  light:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
} as const

export type IconName = keyof typeof outlines

/** Decoration beside a word, never instead of one. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className={styles.icon} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={outlines[name]} />
    </svg>
  )
}
