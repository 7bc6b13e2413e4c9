/** What a judge looked at, in the order in which it did, for a report that an administrator reads. `id` is stable. */
export interface Check<Id extends string = string> {
  id: Id
  status: 'ok' | 'failed' | 'skipped'
  expected?: string
  /** As it came, cut and made visible: nothing in it is to be believed. */
  found?: string
  detail?: string
}

type Said = Omit<Check, 'id' | 'status'>

/** Where a judge says what it finds. One id has one check: what failed stays failed. */
export interface Findings<Id extends string> {
  ok(id: Id, said?: Said): void
  failed(id: Id, said?: Said): void
  skipped(id: Id, said?: Said): void
  /** Failed where there is a fault, else ok. */
  judged(id: Id, fault: string | undefined, said?: Said): void
}

export interface Report<Id extends string> extends Findings<Id> {
  hasFailed(): boolean
  /** All of them in the given order, those that nobody came to as skipped. */
  checks(): Check<Id>[]
}

const LONGEST = 200

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu

/** A value of a stranger's as a report shows it: at most 200 characters, none of them invisible. */
export function shown(value: string): string {
  const text = value
    .toWellFormed()
    .slice(0, LONGEST * 2)
    .replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text
}

export function newReport<Id extends string>(order: readonly Id[]): Report<Id> {
  const found = new Map<Id, Check<Id>>()
  const add = (id: Id, status: Check['status'], said: Said = {}) => {
    if (found.get(id)?.status === 'failed') return
    const texts = Object.entries(said).filter(([, text]) => text !== undefined)
    found.set(id, { id, status, ...Object.fromEntries(texts.map(([name, text]) => [name, shown(text)])) })
  }
  return {
    ok: (id, said) => add(id, 'ok', said),
    failed: (id, said) => add(id, 'failed', said),
    skipped: (id, said) => add(id, 'skipped', said),
    judged: (id, fault, said) => add(id, fault ? 'failed' : 'ok', { ...said, ...(fault && { detail: fault }) }),
    hasFailed: () => [...found.values()].some(({ status }) => status === 'failed'),
    checks: () => order.map((id) => found.get(id) ?? { id, status: 'skipped' }),
  }
}
