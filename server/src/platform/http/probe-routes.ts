import Type from 'typebox'
import { secretsEqual } from '../crypto/token-hash.js'
import { rejection, retryLater } from '../errors.js'
import type { Metrics } from '../metrics.js'
import { defineRoute, type Route } from './route.js'

interface ProbeDeps {
  metrics: Metrics
  metricsToken: string | undefined
  /** The database answers and every migration is in. */
  isReady: () => Promise<boolean>
}

const Status = Type.Object({ status: Type.String() })

/** What orchestrators and monitoring ask for. */
export const probeRoutes = ({ metrics, metricsToken, isReady }: ProbeDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/livez',
    permission: 'public',
    tag: 'Operation',
    summary: 'The process answers',
    responses: { 200: Status },
    handle: () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/readyz',
    permission: 'public',
    tag: 'Operation',
    summary: 'The database answers and the schema is up to date',
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
    summary: 'Measurements in the text format of Prometheus',
    description: 'Where METRICS_TOKEN is set, it must be the Bearer.',
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
