import Type from 'typebox'
import { secretsEqual } from '../crypto/token-hash.js'
import { rejection, retryLater } from '../errors.js'
import type { Metrics } from '../metrics/metrics.js'
import { defineRoute, type Route } from './route.js'

interface ProbeDeps {
  metrics: Metrics
  metricsToken: string | undefined
  /** The database responds, every migration is applied, and the node will not stop soon. */
  isReady: () => Promise<boolean>
}

const Status = Type.Object({ status: Type.String() })

/** Health checks and metrics, for orchestrators and monitoring. */
export const probeRoutes = ({ metrics, metricsToken, isReady }: ProbeDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/livez',
    permission: 'public',
    tag: 'Operation',
    summary: 'Check liveness',
    responses: { 200: Status },
    handle: () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/readyz',
    permission: 'public',
    tag: 'Operation',
    summary: 'Check that the database responds, the schema is up to date, and the node is not stopping',
    responses: { 200: Status },
    handle: async () => {
      if (!(await isReady())) throw retryLater('unavailable', 2)
      return { status: 'ok' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/metrics',
    permission: 'public',
    tag: 'Operation',
    summary: 'Get metrics in the Prometheus text format',
    description: 'Requires `METRICS_TOKEN` as a bearer token if it is set.',
    responses: { 200: Type.String({ contentMediaType: 'text/plain' }) },
    errors: ['unauthorized'],
    handle: async ({ http }) => {
      if (metricsToken && !secretsEqual(http.header('authorization') ?? '', `Bearer ${metricsToken}`))
        throw rejection('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward metrics"' } })
      http.setHeader('content-type', metrics.contentType)
      return metrics.render()
    },
  }),
]
