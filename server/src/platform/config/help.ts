import { SETTINGS } from './settings.js'

/** Returns the table of settings that `--help` prints. */
export function settingsText(): string {
  const rows = Object.entries(SETTINGS).map(([name, { defaultText, meaning }]) => [name, defaultText, meaning] as const)
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(([name, fallback, meaning]) =>
    `  ${name.padEnd(widths[0] ?? 0)}  ${fallback.padEnd(widths[1] ?? 0)}  ${meaning}`.trimEnd(),
  )
  return ['Settings are environment variables (name, default, meaning):', ...lines, ''].join('\n')
}
