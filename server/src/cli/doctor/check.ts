import type { Clock } from '../../platform/clock.js'
import { type Config, type SettingName, withoutCredentials } from '../../platform/config/config.js'
import type { Logger } from '../../platform/log.js'

export type Status = 'ok' | 'warning' | 'problem' | 'skipped'

/** The areas in the order of the output. */
export const AREAS = [
  'configuration',
  'data folder',
  'database',
  'clock',
  'DNS',
  'mail',
  'public URL',
  'proxy',
] as const
export type Area = (typeof AREAS)[number]

/** What a check has found, and how to correct it: one line each, without secrets. */
export interface Finding {
  status: Status
  finding: string
  solution?: string
}

export interface Check extends Finding {
  area: Area
  name: string
}

export const ok = (finding: string): Finding => ({ status: 'ok', finding })
export const warning = (finding: string, solution: string): Finding => ({ status: 'warning', finding, solution })
export const problem = (finding: string, solution: string): Finding => ({ status: 'problem', finding, solution })
export const skipped = (finding: string, solution?: string): Finding => ({
  status: 'skipped',
  finding,
  ...(solution && { solution }),
})

/** What the checks depend on. */
export interface Context {
  /** With defaults in place of invalid settings. */
  config: Config
  invalid: ReadonlySet<SettingName>
  env: NodeJS.ProcessEnv
  clock: Clock
  log: Logger
  /** The number of nodes that share the database. */
  nodes: number
  /** The recipient of a test mail. */
  mailTo: string | undefined
  /** Milliseconds that a part can take. */
  timeLimit: number
}

/** A finding of a part, by default with the area and the name of the part. */
export type Found = Finding & Partial<Pick<Check, 'area' | 'name'>>

/** Checks that run together, such as those of one connection. */
export interface Part {
  area: Area
  name: string
  /** The settings without which the part is skipped. */
  needs: SettingName[]
  /** @param signal is aborted at the time limit and after the end, and closes what is still open */
  run(context: Context, signal: AbortSignal): Promise<Found[]>
  /** Returns the finding at the time limit, if it is not that of a server. */
  timedOut?(context: Context): Finding | undefined
}

/** Runs a part within the time limit. Its errors are problems. */
export async function runPart({ area, name, needs, run, timedOut }: Part, context: Context): Promise<Check[]> {
  const invalid = needs.filter((setting) => context.invalid.has(setting))
  const found =
    invalid.length > 0
      ? [notChecked(invalid)]
      : await withinLimit(context, (signal) => run(context, signal), timedOut?.(context)).catch((error: unknown) => [
          asProblem(error),
        ])
  return found.map((one) => ({ area, name, ...one, finding: inOneLine(one.finding) }))
}

/** Returns the finding of a check that needs settings which are invalid. */
export function notChecked(invalid: SettingName[]): Finding {
  const names = new Intl.ListFormat('en').format(invalid)
  return skipped(`Not checked: ${names} ${invalid.length === 1 ? 'is' : 'are'} invalid`, `Correct ${names}`)
}

async function withinLimit(
  { timeLimit }: Context,
  run: (signal: AbortSignal) => Promise<Found[]>,
  timedOut: Finding = noResponse(timeLimit),
): Promise<Found[]> {
  const end = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Found[]>((resolve) => {
    timer = setTimeout(() => resolve([timedOut]), timeLimit)
  })
  try {
    return await Promise.race([run(end.signal), limit])
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

const noResponse = (milliseconds: number): Finding =>
  problem(
    `No response within ${milliseconds / 1_000} seconds`,
    'Verify that the server runs and that no firewall drops its packets',
  )

const asProblem = (error: unknown): Finding =>
  problem(`The check failed: ${causeOf(error)}`, 'Correct the cause, and run keyward doctor again')

const inOneLine = (text: string): string => withoutCredentials(text).replace(/\s+/g, ' ').trim()

/** Returns the code of a system error, such as ECONNREFUSED, otherwise the message. */
export function causeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'ABORT_ERR') return 'no response'
  return code ?? message ?? String(error)
}
