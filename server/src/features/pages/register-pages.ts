import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpExchange } from '../../platform/http/http-exchange.js'
import { type BootDeps, readBootData } from './boot-data.js'
import { isPage } from './page-routes.js'
import type { Shell } from './shell.js'
import { loadShell, pageHeaders } from './shell.js'

/** The built console, beside `src` and `dist` alike. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../../../../console/dist', import.meta.url))

export type PageDeps = BootDeps

/** Addresses that programs ask for: an unknown one there is a problem document and never a page. */
const MACHINE_PATHS = /^\/(api|scim|livez|readyz|metrics|openapi\.json|docs|\.well-known)(\/|$)/

/** Serves the files of the console, and the shell for its pages. */
export async function registerPages(app: FastifyInstance, deps: PageDeps): Promise<void> {
  const shell = await loadShell(CONSOLE_FOLDER)
  if (existsSync(CONSOLE_FOLDER)) {
    await app.register(fastifyStatic, {
      root: CONSOLE_FOLDER,
      index: false,
      wildcard: false,
      cacheControl: false,
      preCompressed: true,
      // Names of built files carry a hash of their content.
      setHeaders: (reply, path) =>
        void reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
        ),
      allowedPath: (path) => !path.endsWith('.html'),
    })
  }
  app.get('/*', { config: { template: 'page' }, schema: { hide: true } }, (request, reply) =>
    sendPage(request, reply, deps, shell),
  )
  app.get('/', { config: { template: 'page' }, schema: { hide: true } }, (request, reply) =>
    sendPage(request, reply, deps, shell),
  )
}

/** The request of an application that a sign-in page serves. */
function requestIn(url: string): { uid: string | undefined; saml: string | undefined } {
  const query = new URLSearchParams(url.split('?')[1])
  return { uid: query.get('uid') ?? undefined, saml: query.get('saml') ?? undefined }
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PageDeps,
  shell: Shell,
): Promise<FastifyReply> {
  const [pathname = ''] = request.url.split('?', 1)
  if (MACHINE_PATHS.test(pathname)) return reply.callNotFound() as unknown as FastifyReply
  const { config } = deps
  const frontendOrigin = new URL(config.frontendUrl).origin
  const http = httpExchange(request, reply, { frontendOrigin, secure: config.secure })
  const { html, nonce } = shell.render(await readBootData(deps, http, requestIn(request.url)))
  const apiOrigin = new URL(config.baseUrl).origin
  return reply
    .code(isPage(pathname) ? 200 : 404)
    .headers(pageHeaders(nonce, apiOrigin === frontendOrigin ? null : apiOrigin))
    .send(html)
}
