import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { ErrorTable } from '../app-error.js'
import { PLATFORM_ERRORS } from '../errors.js'

/** `/openapi.json`, its reading room at `/docs`, and `/docs/errors`, where the `type` of every problem leads. */
export async function registerReference(app: FastifyInstance, tables: ErrorTable[]): Promise<void> {
  const page = errorPage(Object.assign({}, PLATFORM_ERRORS, ...tables))
  app.get('/openapi.json', { config: { template: '/openapi.json' }, schema: { hide: true } }, async () => app.swagger())
  app.get('/docs/errors', { config: { template: '/docs/errors' }, schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page),
  )
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark] ?? mark)

function errorPage(codes: ErrorTable): string {
  const rows = Object.entries(codes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { status, title, explain }]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}. ${escapeHtml(explain)}</td></tr>`,
    )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Error codes · Keyward</title></head>
<body><main><h1>Error codes</h1><p>Every refusal is <code>application/problem+json</code> (RFC 9457); <code>code</code> is stable.</p>
<table border="1" cellpadding="6"><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></main></body></html>`
}
