import { setTimeout } from 'node:timers/promises'
import { SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryRunId, TeamId } from '../../../platform/ids.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import { queueKeyOf } from '../../teams/index.js'
import { canBeIncremental } from '../model/change-marker.js'
import type { DirectoryDeps } from '../model/deps.js'
import type { Directory } from '../model/directory.js'
import { rejection } from '../model/errors.js'
import { directoryRepository } from '../model/repository.js'
import { type DirectoryRun, runRepository } from '../model/run-repository.js'
import { ZERO_COUNTS } from '../tables.js'
import { entryRepository } from './entry-repository.js'
import { awaitEnd } from './run-ends.js'

export const RUN_SYNC = 'directory.sync'
/** How long a caller waits for the end of the run. */
export const MAX_WAIT = 20 * SECOND
/** Pauses between two reads of a run, unless it ends on this node meanwhile. */
const FIRST_PAUSE = 100
const MAX_PAUSE = SECOND

/** @property incremental whether to read only changed entries, where possible */
type SyncOptions = Pick<DirectoryRun, 'dryRun' | 'confirmLeavers'> & { incremental: boolean }
type Starting = SyncOptions & Pick<DirectoryRun, 'scheduled' | 'startedBy' | 'origin'>

const LAST_EDITOR = '(SELECT d.saved_by FROM directories d WHERE d.organization_id = organizations.id)'

/** Returns the key of the fair queue for the sync of a team. Runs in the caller's transaction. */
export const syncQueueKey = (tx: Transaction, teamId: TeamId): Promise<TeamId> => queueKeyOf(tx, teamId, LAST_EDITOR)

/** Starts a run; returns undefined if the directory already has a running one. Runs in the caller's transaction. */
export async function startRun(
  tx: Transaction,
  { clock, jobs }: Pick<DirectoryDeps, 'clock' | 'jobs'>,
  directory: Directory,
  { incremental, ...starting }: Starting,
): Promise<DirectoryRun | undefined> {
  const id = uuidv7<DirectoryRunId>(clock)
  const run = await runRepository(tx, directory.organizationId).insert({
    ...starting,
    id,
    directoryId: directory.id,
    status: 'running',
    phase: 'waiting',
    mode: incremental && canBeIncremental(directory, clock) ? 'incremental' : 'full',
    total: await entryRepository(tx, directory.id).count(),
    counts: ZERO_COUNTS,
    failures: [],
    planned: [],
    error: null,
    detail: null,
    runner: null,
    leasedUntil: null,
    createdAt: clock.now(),
    finishedAt: null,
  })
  if (run) await jobs.enqueue(tx, RUN_SYNC, { runId: id }, await syncQueueKey(tx, directory.organizationId))
  return run
}

/**
 * Starts a run for the team's directory and waits up to `MAX_WAIT` for its end; then the run continues in the background.
 * @returns the run; `isOther` for one that is already running, which is not waited for
 * @throws directory_not_found, directory_disabled
 */
export async function syncDirectory(
  deps: DirectoryDeps,
  actor: Actor,
  options: SyncOptions,
): Promise<{ run: DirectoryRun; isOther: boolean }> {
  const { db, clock, audit } = deps
  const started = await db.transaction(async (tx) => {
    await requireActiveActor(tx, clock, actor)
    const directory = await directoryRepository(tx, actor.teamId).lock()
    if (!directory) throw rejection('directory_not_found')
    if (!directory.enabled) throw rejection('directory_disabled')
    const { userId: startedBy, origin } = actor
    const run = await startRun(tx, deps, directory, { ...options, scheduled: false, startedBy, origin })
    if (!run) {
      const other = await runRepository(tx, actor.teamId).running(directory.id)
      // Starting a run locks the directory, but finishing one does not: the run may just have finished. Try again.
      return other && { run: other, isOther: true }
    }
    await audit.record(tx, actor, 'directory.sync_started', {
      resource: `directory:${directory.id}`,
      metadata: { run: run.id, ...options },
    })
    return { run, isOther: false }
  })
  if (!started) return syncDirectory(deps, actor, options)
  return started.isOther ? started : { run: await waitFor(deps, actor, started.run), isOther: false }
}

async function waitFor({ db }: DirectoryDeps, { teamId }: Actor, started: DirectoryRun): Promise<DirectoryRun> {
  const end = performance.now() + MAX_WAIT
  const { ended, forget } = awaitEnd(started.id)
  let run = started
  try {
    // Another node may run it, or its directory may be deleted; then only the database shows the end.
    for (let pause = FIRST_PAUSE; run.status === 'running' && performance.now() < end; ) {
      await Promise.race([ended, setTimeout(pause, undefined, { ref: false })])
      // Deleted with its directory.
      run = (await db.transaction((tx) => runRepository(tx, teamId).find(run.id))) ?? { ...run, status: 'cancelled' }
      pause = Math.min(pause * 1.5, MAX_PAUSE)
    }
  } finally {
    forget()
  }
  return run
}
