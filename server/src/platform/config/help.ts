import { SETTINGS } from './settings.js'

/** Returns the output of `--help`: usage and the table of settings. */
export function helpText(): string {
  const rows = Object.entries(SETTINGS).map(([name, { defaultText, meaning }]) => [name, defaultText, meaning] as const)
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(([name, fallback, meaning]) =>
    `  ${name.padEnd(widths[0] ?? 0)}  ${fallback.padEnd(widths[1] ?? 0)}  ${meaning}`.trimEnd(),
  )
  return [
    'Keyward: multi-tenant identity and access management.',
    '',
    'Usage: keyward                     start the service',
    '       keyward --help | --version',
    '       keyward simulate okta|entra|google --base URL --token TOKEN',
    '',
    'In a clone, npm start builds and starts the service, and npm start -- --help prints this text.',
    '',
    'Settings are environment variables (name, default, meaning):',
    ...lines,
    '',
  ].join('\n')
}
