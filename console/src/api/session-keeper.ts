import type { MfaState, OpenSession, SessionTeam, SessionUser } from './contract'

/** The result of one `POST /auth/refresh`. Only `ended` means that no user is signed in. */
export type RefreshOutcome =
  | { kind: 'session'; session: OpenSession }
  | { kind: 'ended' }
  | { kind: 'unavailable'; retryAfter?: number }

/** The messages between tabs of a browser. Never a token. */
export type TabMessage = { type: 'signed-in' | 'user-changed'; userId: string } | { type: 'signed-out' }

/** Changes from outside of this tab. */
export type SessionEvent = 'signed-in' | 'signed-out' | 'user-changed'

/** The session as pages see it: everything but the token. */
export interface SessionView {
  user: SessionUser
  team: SessionTeam | null
  mustChangePassword: boolean
  mfa: MfaState
  /** the sign-in cancelled the deletion of the account */
  deletionCancelled?: boolean
}

const noFactorDue: MfaState = { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null }

interface Surroundings {
  refresh(): Promise<RefreshOutcome>
  /** runs `work` while no other tab of this browser runs its own */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  notifyTabs(message: TabMessage): void
  now(): number
  sleep(milliseconds: number): Promise<void>
}

const renewBeforeMs = 60_000
const longestPauseMs = 30_000

/**
 * Holds the access token, in this closure only, and renews it when a call needs it: never by a timer, because an idle tab must not extend
 * a session.
 */
export function createSessionKeeper(around: Surroundings) {
  let held: { token: string; expiresAt: number; view: SessionView } | null = null
  let waiting = false
  // The service reported that no user is signed in. Another request before the next sign-in is useless.
  let over = false
  let inFlight: Promise<RefreshOutcome> | null = null
  // Counts sign-ins and sign-outs: a refresh that started before the last of them is stale.
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
          // Another tab signed in as another user while this one slept.
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

  /** Waits, also through outages, until it is known whether a user is signed in. */
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

  /** Returns a token for a call now; null if no user is signed in. Throws `unavailable` outcomes. */
  async function bearer(): Promise<{ token: string } | 'ended' | 'unavailable'> {
    if (held && held.expiresAt - around.now() > renewBeforeMs) return { token: held.token }
    const outcome = await attempt()
    // During an outage, a token is used until its last second.
    if (outcome.kind === 'unavailable')
      return held && held.expiresAt > around.now() ? { token: held.token } : 'unavailable'
    return held ? { token: held.token } : 'ended'
  }

  /** After a 401: renews once, unless another call has already received a newer token than the rejected one. */
  async function renewed(rejected: string): Promise<{ token: string } | 'ended' | 'unavailable'> {
    if (held && held.token !== rejected) return { token: held.token }
    const outcome = await attempt()
    if (outcome.kind === 'unavailable') return 'unavailable'
    return held ? { token: held.token } : 'ended'
  }

  return {
    restore,
    bearer,
    renewed,

    /** Stores the response of a sign-in and notifies the other tabs. */
    accept(session: OpenSession) {
      const before = held?.view.user.id
      epoch += 1
      hold(session)
      const userId = session.user.id
      around.notifyTabs({ type: before && before !== userId ? 'user-changed' : 'signed-in', userId })
    },

    /** Notifies the other tabs of a sign-in whose session this tab received by a renewal: a provider's callback brings only cookies. */
    notifySignedIn() {
      if (held) around.notifyTabs({ type: 'signed-in', userId: held.view.user.id })
    },

    /** Removes the session after the service revoked it, and notifies the other tabs. */
    end() {
      drop()
      around.notifyTabs({ type: 'signed-out' })
    },

    passwordChanged() {
      revise({ mustChangePassword: false })
    },

    /** A second factor was set up: the service no longer requires one. */
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

    /** Subscribes to changes of `view` or `isWaiting`. @returns a function that ends the subscription */
    watch(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },

    /** Subscribes to changes of the signed-in user from outside of this tab. @returns a function that ends the subscription */
    listen(listener: (event: SessionEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
