import { DAY, fromNow } from '../../../platform/clock.js'
import { runInSlices } from '../../../platform/concurrency/time-slices.js'
import type { Actor } from '../../../platform/http/actor.js'
import { decide, decideWith, type Steps } from '../../../protocols/policy/index.js'
import { entriesOfAction, type PastEntry } from '../../audit/index.js'
import type { PolicyDeps } from '../manage-policies.js'
import { compileDraft, requestIn, type WrittenDraft } from './access-request.js'
import type { ReplayReport } from './schema.js'

/** Maximum number of entries; fewer for a team with more than 2,000 policies. */
const MAX_ENTRIES = 10_000
const MAX_WORK = 20_000_000
const PAGE = 500
const SHOWN = 100

/**
 * Replays the team's past decisions, newest first: with the current policies, and with the draft included. The policies of that time are
 * not used, because they may be deleted; the context is the recorded one, including its time. Changes nothing.
 * @param days period to replay
 * @throws invalid_request
 */
export async function replayEvaluations(
  deps: PolicyDeps,
  actor: Actor,
  { draft: written, days = 7 }: { draft: WrittenDraft; days?: number },
): Promise<ReplayReport> {
  const { db, clock, audit, policySets } = deps
  const set = await policySets.of(actor.teamId, actor.team.policyVersion)
  const draft = compileDraft(clock, written, set)
  const limit = Math.min(MAX_ENTRIES, Math.floor(MAX_WORK / Math.max(set.all.length, 1)))
  const since = fromNow(clock, -days * DAY)
  const result: ReplayReport = { evaluated: 0, skipped: 0, truncated: false, changed: [], changedTotal: 0 }

  function* replay(entries: PastEntry[]): Steps<void> {
    for (const { id, metadata, createdAt } of entries) {
      yield
      const request = requestIn(metadata)
      if (!request) {
        result.skipped++
        continue
      }
      const { decision: from } = yield* decide(set, request)
      const { decision: to } = yield* decideWith(set, draft, request)
      result.evaluated++
      if (from === to) continue
      result.changedTotal++
      const { resource, action } = request
      if (result.changed.length < SHOWN)
        result.changed.push({ auditId: id, at: createdAt.toISOString(), resource, action, from, to })
    }
  }

  let last: PastEntry | undefined
  for (let left = limit; ; ) {
    // One more than is replayed shows whether there are older ones.
    const page = await entriesOfAction(deps, actor.teamId, 'policy.evaluated', since, Math.min(PAGE, left + 1), last)
    await runInSlices(replay(page.slice(0, left)))
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
