import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Clock, systemClock } from '../clock.js'
import type { Logger } from '../log.js'
import { createSharedGauges, type SharedGauges } from './shared-gauges.js'

/** The results of a sign-in. `factor_required` and `factor_rejected` are intermediate: the sign-in continues. */
export type SignInResult = 'succeeded' | 'rejected' | 'factor_required' | 'factor_rejected'

/** Metrics for Prometheus. Labels are bounded: the template of a route, a status class, the kind of a job; never an ID. */
export interface Metrics {
  observeRequest(method: string, route: string, status: number, milliseconds: number): void
  /** `failed`: a try failed. `given_up`: there is no further try. */
  observeJob(kind: string, outcome: 'done' | 'failed' | 'given_up'): void
  observeMail(outcome: 'sent' | 'failed' | 'given_up' | 'expired'): void
  observeSignIn(method: string, outcome: SignInResult): void
  /** @param milliseconds the time of the computation, without the time in the queue */
  observePasswordHash(milliseconds: number): void
  /** Registers a value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void
  /** Registers values that are read at each scrape, by the value of their label. */
  labelledGauge(name: string, help: string, label: string, read: () => Record<string, number>): void
  /** Registers a gauge with the value 1, whose labels describe the node. */
  info(name: string, help: string, labels: Record<string, string>): void
  /** Registers an increasing total that is read at each scrape. */
  counter(name: string, help: string, read: () => number): void
  /** Registers gauges that are read from the database. */
  shared(group: SharedGauges): void
  render(): Promise<string>
  readonly contentType: string
}

let processRegistry: Registry | undefined

/** Returns the metrics of the process itself. Collected once: the library never stops its timers and observers. */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}

export function createMetrics({ clock = systemClock, log }: { clock?: Clock; log?: Logger } = {}): Metrics {
  const registry = new Registry()
  processMetrics()
  const requests = new Histogram({
    name: 'keyward_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'keyward_jobs_total',
    help: 'Tries of background jobs, and jobs that were given up',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const mails = new Counter({
    name: 'keyward_mails_total',
    help: 'Mails that were sent, failed tries, and mails that were given up or expired',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const signIns = new Counter({
    name: 'keyward_sign_ins_total',
    help: 'Sign-ins by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [registry],
  })
  const hashes = new Histogram({
    name: 'keyward_password_hash_duration_seconds',
    help: 'Time to compute a password hash, without its time in the queue',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const shared = createSharedGauges(registry, clock, log)
  // Caches the child of each label combination: there are few, and hashing the labels on every request is most of the cost.
  const children = new Map<string, ReturnType<typeof requests.labels>>()

  return {
    contentType: registry.contentType,
    observeRequest(method, route, status, milliseconds) {
      const statusClass = `${Math.floor(status / 100)}xx`
      const key = `${method} ${route} ${statusClass}`
      let child = children.get(key)
      if (!child) {
        child = requests.labels(method, route, statusClass)
        children.set(key, child)
      }
      child.observe(milliseconds / 1000)
    },
    observeJob: (kind, outcome) => jobs.inc({ kind, outcome }),
    observeMail: (outcome) => mails.inc({ outcome }),
    observeSignIn: (method, outcome) => signIns.inc({ method, outcome }),
    observePasswordHash: (milliseconds) => hashes.observe(milliseconds / 1000),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    labelledGauge(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value)
        },
      })
    },
    info(name, help, labels) {
      new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] }).set(labels, 1)
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    shared: (group) => shared.register(group),
    async render() {
      await shared.refresh()
      return Registry.merge([processMetrics(), registry]).metrics()
    },
  }
}
