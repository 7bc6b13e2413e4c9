/** One step of a verification, in a report for administrators. `id` is stable. */
export interface Check<Id extends string = string> {
  id: Id
  status: 'ok' | 'failed' | 'skipped'
  expected?: string
  /** The received value, shortened and with visible characters only. It may be forged. */
  found?: string
  detail?: string
  /** The algorithm of a rejected signature, as the message names it. */
  algorithm?: string
}

type Details = { [Name in keyof Omit<Check, 'id' | 'status'>]?: string | undefined }

/** Collects the results of a verification. Each ID has one check: a failed one stays failed. */
export interface Findings<Id extends string> {
  ok(id: Id, details?: Details): void
  failed(id: Id, details?: Details): void
  skipped(id: Id, details?: Details): void
  /** Failed if there is a violation, else ok. */
  checked(id: Id, violation: string | undefined, details?: Details): void
  /** Ok if the found value is the expected one, or one of them; else failed with this violation. */
  compared(id: Id, expected: string | readonly string[], found: string, violation: string): void
}

export interface Report<Id extends string> extends Findings<Id> {
  hasFailed(): boolean
  /** Returns all checks in the given order; those that did not run are skipped. */
  checks(): Check<Id>[]
}

const LONGEST = 200

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu

/** Returns an untrusted value for a report: at most 200 characters, none of them invisible. */
export function shown(value: string): string {
  const text = value
    .toWellFormed()
    .slice(0, LONGEST * 2)
    .replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text
}

export function newReport<Id extends string>(order: readonly Id[]): Report<Id> {
  const found = new Map<Id, Check<Id>>()
  const add = (id: Id, status: Check['status'], details: Details = {}) => {
    if (found.get(id)?.status === 'failed') return
    const texts = Object.entries(details).flatMap(([name, text]) => (text === undefined ? [] : [[name, shown(text)]]))
    found.set(id, { id, status, ...Object.fromEntries(texts) })
  }
  const checked: Findings<Id>['checked'] = (id, violation, details) =>
    add(id, violation ? 'failed' : 'ok', { ...details, ...(violation && { detail: violation }) })
  return {
    ok: (id, details) => add(id, 'ok', details),
    failed: (id, details) => add(id, 'failed', details),
    skipped: (id, details) => add(id, 'skipped', details),
    checked,
    compared(id, expected, found, violation) {
      const accepted = [expected].flat()
      checked(id, accepted.includes(found) ? undefined : violation, { expected: accepted.join(' '), found })
    },
    hasFailed: () => [...found.values()].some(({ status }) => status === 'failed'),
    checks: () => order.map((id) => found.get(id) ?? { id, status: 'skipped' }),
  }
}

/** Returns the algorithm and the reason of a rejected signature, for an audit entry; undefined if no signature was rejected. */
export function rejectedSignature(checks: readonly Check[]): { algorithm?: string; reason: string } | undefined {
  const failed = checks.find(({ id, status }) => id === 'signature' && status === 'failed')
  if (!failed) return undefined
  const { algorithm, detail = 'it is not valid' } = failed
  return { ...(algorithm !== undefined && { algorithm }), reason: detail }
}

/** Returns what an audit entry states of a rejected message: the failed checks, and the algorithm and reason of a rejected signature. */
export function rejectionFacts(checks: readonly Check[]): {
  failed: string[]
  signature?: NonNullable<ReturnType<typeof rejectedSignature>>
} {
  const signature = rejectedSignature(checks)
  const failed = checks.filter(({ status }) => status === 'failed').map(({ id }) => id)
  return { failed, ...(signature && { signature }) }
}

/** Returns the failed checks with their details, for an error message. */
export const failuresIn = (checks: readonly Check[]): string =>
  checks
    .filter(({ status }) => status === 'failed')
    .map(({ id, detail = 'failed' }) => `${id}: ${detail}`)
    .join('; ')
