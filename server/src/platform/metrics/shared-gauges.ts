import { setTimeout as delay } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { type Clock, MINUTE, SECOND } from '../clock.js'
import type { Logger } from '../log.js'

/** The values of gauges by name; by the value of the label for a gauge with one. A gauge without a value is left out. */
export type Readings<Name extends string = string> = Partial<Record<Name, number | Readonly<Record<string, number>>>>

/**
 * Gauges that one read of the database sets. Every node reports the same values, so queries take their maximum and never their sum.
 * Labels are bounded, and no team determines their values.
 */
export interface SharedGauges<Name extends string = string> {
  gauges: Readonly<Record<Name, { help: string; label?: string }>>
  /** Milliseconds for which the values are used; default: 15 seconds. */
  everyMs?: number
  /** Outside of any transaction. The cost must not grow with the number of rows without a limit. */
  read(): Promise<Readings<Name>>
}

/** Defines gauges with the names that their read returns. */
export const sharedGauges = <Name extends string>(group: SharedGauges<Name>): SharedGauges => group as SharedGauges

const EVERY = 15 * SECOND
/** How long a scrape waits for new values. It then reports the previous ones, so that a hanging database does not delay it. */
const WAIT_MS = 1_000
/** Older values are left out instead: they could hide a fault. */
const VALID_FOR = 5 * MINUTE

interface State {
  group: SharedGauges
  values: Readings
  /** The times of the last successful read and of the last attempt, in milliseconds. */
  readAt: number
  triedAt: number
  /** Whether the last attempt failed: only the first of several failures is logged. */
  hasFailed: boolean
}

/** Creates the shared gauges of a registry. `refresh` is called before each scrape. */
export function createSharedGauges(registry: Registry, clock: Clock, log: Logger | undefined) {
  const states: State[] = []
  let reading: Promise<void> | undefined

  const age = (at: number): number => Math.abs(clock.ms() - at)

  async function read(state: State): Promise<void> {
    state.triedAt = clock.ms()
    try {
      state.values = await state.group.read()
      state.readAt = state.triedAt
      state.hasFailed = false
    } catch (error) {
      if (!state.hasFailed) log?.warn({ err: error, metrics: Object.keys(state.group.gauges) }, 'metrics were not read')
      state.hasFailed = true
    }
  }

  /** One after another, so that a scrape occupies one connection. */
  async function readDue(): Promise<void> {
    for (const state of states) if (age(state.triedAt) >= (state.group.everyMs ?? EVERY)) await read(state)
  }

  new Gauge({
    name: 'keyward_shared_metrics_timestamp_seconds',
    help: 'Time of the oldest of the last successful reads of the shared metrics',
    registers: [registry],
    collect() {
      this.set(Math.min(...states.map(({ readAt }) => readAt)) / 1_000)
    },
  })

  return {
    register(group: SharedGauges): void {
      const state: State = { group, values: {}, readAt: 0, triedAt: Number.NEGATIVE_INFINITY, hasFailed: false }
      states.push(state)
      for (const [name, { help, label }] of Object.entries(group.gauges))
        new Gauge({
          name,
          help,
          labelNames: label ? [label] : [],
          registers: [registry],
          collect() {
            this.reset()
            const value = age(state.readAt) <= VALID_FOR + (group.everyMs ?? EVERY) ? state.values[name] : undefined
            if (value === undefined) {
              // A gauge without labels would report 0.
              if (!label) this.remove()
            } else if (typeof value === 'number') this.set(value)
            else for (const [key, one] of Object.entries(value)) this.set({ [label ?? '']: key }, one)
          },
        })
    },
    async refresh(): Promise<void> {
      reading ??= readDue().finally(() => {
        reading = undefined
      })
      const waiting = new AbortController()
      const timeout = delay(WAIT_MS, undefined, { ref: false, signal: waiting.signal }).catch(() => undefined)
      await Promise.race([reading, timeout])
      waiting.abort()
    },
  }
}
