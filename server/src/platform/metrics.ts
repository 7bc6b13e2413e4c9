import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics for Prometheus. Labels are bounded: the template of a route, a status class, the kind of a job; never an ID. */
export interface Metrics {
  observeRequest(method: string, route: string, status: number, milliseconds: number): void
  observeJob(kind: string, outcome: 'done' | 'failed'): void
  observeMail(outcome: 'sent' | 'failed'): void
  /** Registers a value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void
  /** Registers an increasing total that is read at each scrape. */
  counter(name: string, help: string, read: () => number): void
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

export function createMetrics(): Metrics {
  const registry = new Registry()
  processMetrics()
  const requests = new Histogram({
    name: 'keyward_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'keyward_jobs_total',
    help: 'Background jobs run',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const mails = new Counter({
    name: 'keyward_mails_total',
    help: 'Mails sent or failed',
    labelNames: ['outcome'],
    registers: [registry],
  })
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
    render: () => Registry.merge([processMetrics(), registry]).metrics(),
  }
}
