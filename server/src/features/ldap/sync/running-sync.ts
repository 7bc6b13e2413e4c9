import type { DirectoryRunId } from '../../../platform/ids.js'
import type { DirectoryDeps } from '../model/deps.js'
import type { Directory } from '../model/directory.js'
import type { DirectoryRun } from '../model/run-repository.js'

/** A run that is leased to this process, with its state in memory. */
export interface RunningSync {
  deps: DirectoryDeps
  id: DirectoryRunId
  runner: string
  dryRun: boolean
  mode: DirectoryRun['mode']
  /** The settings when the run was leased. */
  directory: Directory
  seen: SeenEntries
  /** The number for the next new entry. */
  nextNo: number
  /** The email addresses of users whom a dry run would have added so far; they are not in the database. */
  wouldJoin: Set<string>
  /** The deadline, in the time of `performance.now()`. */
  end: number
}

/** The numbers of the entries that a run has seen, as a bit set: 12 KB for 100,000 entries. */
export class SeenEntries {
  private bits = Buffer.alloc(1_024)

  add(no: number): void {
    const at = no >> 3
    if (at >= this.bits.length) this.bits = Buffer.concat([this.bits], Math.max(this.bits.length * 2, at + 1))
    this.bits[at] = (this.bits[at] ?? 0) | (1 << (no & 7))
  }

  has(no: number): boolean {
    return ((this.bits[no >> 3] ?? 0) & (1 << (no & 7))) !== 0
  }
}

/** Marks the entries of a committed batch as seen; their numbers are used. */
export function recordSeen(sync: RunningSync, nos: number[]): void {
  for (const no of nos) sync.seen.add(no)
  sync.nextNo = Math.max(sync.nextNo, ...nos.map((no) => no + 1))
}

/** The run was cancelled or is leased to another process. The current process stops without an error. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted'
}

/** Why a run failed as a whole, other than errors of the directory server (`LdapFailure`) and rejections (`AppError`). */
export class RunError extends Error {
  override readonly name = 'RunError'
  constructor(
    readonly code: 'empty_result' | 'leavers_unconfirmed' | 'too_long' | 'too_slow' | 'incomplete',
    message: string,
  ) {
    super(message)
  }
}
