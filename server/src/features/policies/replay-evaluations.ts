import { DAY, fromNow } from '../../platform/clock.js'
import { inTurns } from '../../platform/concurrency/time-slices.js'
import type { Actor } from '../../platform/http/actor.js'
import { decide, decideWith, type Effect, type Steps } from '../../protocols/policy/index.js'
import { type PastEntry, pastEntries } from '../audit/index.js'
import type { PolicyDeps } from './deps.js'
import { compileDraft, type WrittenDraft } from './draft-policy.js'
import { questionIn } from './recorded-question.js'

export interface ChangedDecision {
  entry: PastEntry
  resource: string
  action: string
  from: Effect
  to: Effect
}

export interface ReplayResult {
  evaluated: number
  skipped: number
  truncated: boolean
  changed: ChangedDecision[]
  changedTotal: number
}

/** Entries that are read at most; fewer where a team has more policies than 2,000. */
const MAX_ENTRIES = 10_000
const MAX_WORK = 20_000_000
const PAGE = 500
const SHOWN = 100

/**
 * Makes the team's past decisions again, newest first: once by today's policies, and once with the draft among them. What they were
 * then is not asked, as the policies of then may be gone; their context is that of then, its time included. Changes nothing.
 * @param days how far to look back
 * @throws invalid_request
 */
export async function replayEvaluations(
  { db, clock, audit, policySets }: PolicyDeps,
  actor: Actor,
  { draft: written, days = 7 }: { draft: WrittenDraft; days?: number },
): Promise<ReplayResult> {
  const set = await policySets.of(actor.teamId, actor.team.policyVersion)
  const draft = compileDraft(clock, written, set)
  const limit = Math.min(MAX_ENTRIES, Math.floor(MAX_WORK / Math.max(set.all.length, 1)))
  const since = fromNow(clock, -days * DAY)
  const result: ReplayResult = { evaluated: 0, skipped: 0, truncated: false, changed: [], changedTotal: 0 }

  function* replay(entry: PastEntry): Steps<void> {
    const question = questionIn(entry.metadata)
    if (!question) {
      result.skipped++
      return
    }
    const { decision: from } = yield* decide(set, question)
    const { decision: to } = yield* decideWith(set, draft, question)
    result.evaluated++
    if (from === to) return
    result.changedTotal++
    const { resource, action } = question
    if (result.changed.length < SHOWN) result.changed.push({ entry, resource, action, from, to })
  }
  function* replayAll(entries: PastEntry[]): Steps<void> {
    for (const entry of entries) {
      yield
      yield* replay(entry)
    }
  }

  let last: PastEntry | undefined
  for (let left = limit; ; ) {
    // One more than is replayed tells whether there are older ones.
    const page = await pastEntries(db, actor.teamId, 'policy.evaluated', since, Math.min(PAGE, left + 1), last)
    await inTurns(replayAll(page.slice(0, left)))
    result.truncated = page.length > left
    left -= page.length
    last = page.at(-1)
    if (page.length < PAGE || left < 0) break
  }

  await db.transaction((tx) =>
    audit.record(tx, actor, 'policy.replayed', {
      ...(written.id != null && draft.all[0] && { resource: `policy:${draft.all[0].policy.id}` }),
      metadata: {
        name: written.name,
        days,
        evaluated: result.evaluated,
        skipped: result.skipped,
        changed: result.changedTotal,
      },
    }),
  )
  return result
}
