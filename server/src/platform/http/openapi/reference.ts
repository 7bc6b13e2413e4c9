import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { ErrorTable } from '../../app-error.js'
import { PLATFORM_ERRORS } from '../../errors.js'
import type { Dialect } from '../dialect.js'
import { errorPage } from '../error-page.js'

/** Registers `/openapi.json`, the API reference at `/docs`, and `/docs/errors`, which the `type` of every problem links to. */
export async function registerReference(
  app: FastifyInstance,
  tables: ErrorTable[],
  dialects: Dialect[],
): Promise<void> {
  const { html, policy } = errorPage(
    Object.assign({}, ...dialects.map(({ errors }) => errors), PLATFORM_ERRORS, ...tables),
  )
  const hidden = (template: string) => ({ config: { template }, schema: { hide: true } })
  app.get('/openapi.json', hidden('/openapi.json'), async () => app.swagger())
  app.get('/docs/errors', hidden('/docs/errors'), async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html),
  )
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: 'API reference · Keyward' },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', filter: true, persistAuthorization: false },
  })
}
