import type { MfaState, OpenSession, SessionTeam, SessionUser } from './contract'

/** What one attempt at `POST /auth/refresh` came to. Only `ended` means that nobody is signed in. */
export type RefreshOutcome =
  | { kind: 'session'; session: OpenSession }
  | { kind: 'ended' }
  | { kind: 'unavailable'; retryAfter?: number }

/** What tabs of one browser tell each other. Never a token. */
export type TabMessage = { type: 'signed-in' | 'user-changed'; userId: string } | { type: 'signed-out' }

/** What happened outside this tab's own doing. */
export type SessionEvent = 'signed-in' | 'signed-out' | 'user-changed'

/** What pages may know of the session: everything but the token. */
export interface SessionView {
  user: SessionUser
  team: SessionTeam | null
  mustChangePassword: boolean
  mfa: MfaState
  /** The sign-in cancelled the deletion of the account. */
  deletionCancelled?: boolean
}

const noFactorDue: MfaState = { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null }

interface Surroundings {
  refresh(): Promise<RefreshOutcome>
  /** runs `work` while no other tab of this browser runs its own */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  tellTabs(message: TabMessage): void
  now(): number
  sleep(milliseconds: number): Promise<void>
}

const renewBeforeMs = 60_000
const longestPauseMs = 30_000

/**
 * Keeps the access token, in this closure and nowhere else, and renews it when a call is due: never by a timer, since an
 * idle tab must not keep a session alive.
 */
export function createSessionKeeper(around: Surroundings) {
  let held: { token: string; expiresAt: number; view: SessionView } | null = null
  let waiting = false
  // The service said that nobody is signed in: asking again before somebody is would only repeat that.
  let over = false
  let inFlight: Promise<RefreshOutcome> | null = null
  // Counts sign-ins and sign-outs: an answer to a refresh that was asked for before the last of them is stale.
  let epoch = 0
  const watchers = new Set<() => void>()
  const listeners = new Set<(event: SessionEvent) => void>()

  function changed() {
    for (const watch of watchers) watch()
  }

  function emit(event: SessionEvent) {
    for (const listen of listeners) listen(event)
  }

  function hold(session: OpenSession) {
    const { user, team = null, mustChangePassword = false, mfa = noFactorDue, deletionCancelled } = session
    held = {
      token: session.accessToken,
      expiresAt: around.now() + session.expiresIn * 1000,
      view: { user, team, mustChangePassword, mfa, ...(deletionCancelled && { deletionCancelled }) },
    }
    over = false
    changed()
  }

  function drop() {
    epoch += 1
    held = null
    changed()
  }

  function revise(changes: Partial<SessionView>) {
    if (!held) return
    held = { ...held, view: { ...held.view, ...changes } }
    changed()
  }

  function attempt(): Promise<RefreshOutcome> {
    inFlight ??= around
      .exclusively(async () => {
        const asked = epoch
        const before = held?.view.user.id
        const outcome = await around.refresh()
        if (asked !== epoch) return held ? outcome : ({ kind: 'ended' } as const)
        if (outcome.kind === 'session') {
          hold(outcome.session)
          // Another tab signed in as somebody else while this one slept.
          if (before && before !== outcome.session.user.id) emit('user-changed')
        }
        if (outcome.kind === 'ended') {
          over = true
          if (held) drop()
        }
        return outcome
      })
      .finally(() => {
        inFlight = null
      })
    return inFlight
  }

  /** Waits, through outages if need be, until it is known whether somebody is signed in. */
  async function restore(): Promise<boolean> {
    for (let tries = 0; !held && !over; tries += 1) {
      const outcome = await attempt()
      if (outcome.kind === 'ended') break
      if (outcome.kind === 'unavailable') {
        waiting = true
        changed()
        const pause = Math.max(outcome.retryAfter ?? 0, 2 ** Math.min(tries, 5)) * 1000
        await around.sleep(Math.min(pause, longestPauseMs))
      }
    }
    waiting = false
    changed()
    return held !== null
  }

  /** The token for a call that is due now; null when nobody is signed in. Throws `unavailable` outcomes to the caller. */
  async function bearer(): Promise<{ token: string } | 'ended' | 'unavailable'> {
    if (held && held.expiresAt - around.now() > renewBeforeMs) return { token: held.token }
    const outcome = await attempt()
    // A token that still has some seconds is good enough while the service cannot renew it.
    if (outcome.kind === 'unavailable')
      return held && held.expiresAt > around.now() ? { token: held.token } : 'unavailable'
    return held ? { token: held.token } : 'ended'
  }

  /** After a 401: one renewal, unless another call already brought a newer token than the refused one. */
  async function renewed(refused: string): Promise<{ token: string } | 'ended' | 'unavailable'> {
    if (held && held.token !== refused) return { token: held.token }
    const outcome = await attempt()
    if (outcome.kind === 'unavailable') return 'unavailable'
    return held ? { token: held.token } : 'ended'
  }

  return {
    restore,
    bearer,
    renewed,

    /** Takes the answer of a sign-in and tells the other tabs. */
    accept(session: OpenSession) {
      const before = held?.view.user.id
      epoch += 1
      hold(session)
      const userId = session.user.id
      around.tellTabs({ type: before && before !== userId ? 'user-changed' : 'signed-in', userId })
    },

    /** Tells the other tabs of a sign-in whose session this tab got by a renewal: the way back from a provider brings only cookies. */
    tellSignedIn() {
      if (held) around.tellTabs({ type: 'signed-in', userId: held.view.user.id })
    },

    /** Forgets the session after the service ended it, and tells the other tabs. */
    end() {
      drop()
      around.tellTabs({ type: 'signed-out' })
    },

    passwordChanged() {
      revise({ mustChangePassword: false })
    },

    /** A second factor was set up: the service asks for none any more. */
    factorAdded() {
      if (held) revise({ mfa: { ...held.view.mfa, enabled: true, enrollmentRequired: false, graceEndsAt: null } })
    },

    hear(message: TabMessage) {
      if (message.type === 'signed-out') {
        if (!held) return
        drop()
        emit('signed-out')
      } else if (!held) {
        over = false
        emit('signed-in')
      } else if (held.view.user.id !== message.userId) {
        drop()
        emit('user-changed')
      }
    },

    view: () => held?.view ?? null,
    isWaiting: () => waiting,

    /** Calls back after each change of `view` or `isWaiting`. @returns how to stop */
    watch(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },

    /** Calls back when something outside this tab changed who is signed in. @returns how to stop */
    listen(listener: (event: SessionEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
