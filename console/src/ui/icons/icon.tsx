import type { consoleOutlines } from './console-outlines'
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
  laptop: 'M5 5h14v10.5H5zM2.5 19h19',
  phone: 'M7.5 3h9v18h-9zM11 18h2',
  shield: 'M12 3l7.5 2.8v5.7c0 4.6-3 8-7.5 9.5-4.5-1.5-7.5-4.9-7.5-9.5V5.8z',
  agent:
    'M5 9.5h14v9.5H5zM12 9.5V6M12 6a1.2 1.2 0 1 0 0-2.4A1.2 1.2 0 0 0 12 6zM9 13.3v1.4M15 13.3v1.4M2.5 13v3M21.5 13v3',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  printer: 'M7 9V3.5h10V9M7 17H4V9.5h16V17h-3M7 14h10v6.5H7z',
  key: 'M8 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12.5 12H21M17 12v3.5M20.5 12v2.5',
} as const

const all: Record<string, string> = { ...outlines }

export type IconName = keyof typeof outlines | keyof typeof consoleOutlines

/** Adds the icons that only the console uses, so that the sign-in pages do not load them. */
export function addOutlines(more: typeof consoleOutlines): void {
  Object.assign(all, more)
}

/** An icon beside a label, never instead of one. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className={styles.icon} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={all[name]} />
    </svg>
  )
}
