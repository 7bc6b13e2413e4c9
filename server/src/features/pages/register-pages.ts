import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { httpExchange } from '../../platform/http/http-exchange.js'
import { acceptsHtml } from '../../platform/http/message-page.js'
import type { Logger } from '../../platform/log.js'
import { type BootData, type BootDeps, readBootData } from './boot-data.js'
import { isConsolePage, isSignInPage, SIGN_IN_ROUTES } from './page-routes.js'
import { createRenderer, type Renderer } from './renderer.js'
import { loadShell, pageHeaders, type Shell } from './shell.js'

/** The built console, relative to `src` and `dist`. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../../../../console/dist', import.meta.url))

export interface PageDeps extends BootDeps {
  log: Logger
}

/** Paths of API clients: an unknown one returns a problem document, never a page. */
const MACHINE_PATHS = /^\/(api|scim|livez|readyz|metrics|openapi\.json|docs|\.well-known)(\/|$)/

const UNKNOWN_PATH = '/not-found'

/** The two documents: the console, and the sign-in pages, which must not load it. */
interface Shells {
  console: Shell
  signIn: Shell
  renderSignIn: Renderer
}

/** Serves the files of the console, and the documents of the pages. */
export async function registerPages(app: FastifyInstance, deps: PageDeps): Promise<void> {
  const shells = {
    console: await loadShell(`${CONSOLE_FOLDER}/index.html`),
    signIn: await loadShell(`${CONSOLE_FOLDER}/sign-in.html`),
    renderSignIn: createRenderer(`${CONSOLE_FOLDER}/render/render.js`),
  }
  if (existsSync(CONSOLE_FOLDER)) {
    await app.register(fastifyStatic, {
      root: CONSOLE_FOLDER,
      serve: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      // Names of built files contain a hash of their content.
      setHeaders: (reply, path) =>
        void reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
        ),
    })
    await serveFiles(app, (request, reply) => sendPage(request, reply, deps, shells))
  }
  const options = { config: { template: 'page', isNavigation: true }, schema: { hide: true } }
  for (const path of ['/*', '/']) app.get(path, options, (request, reply) => sendPage(request, reply, deps, shells))
  // A browser that did not load the scripts of a page sends its form to the page itself. The body is not read.
  const onRequest = async ({ url, headers }: FastifyRequest, reply: FastifyReply) =>
    acceptsHtml(headers.accept) ? reply.redirect(url, 303) : reply.callNotFound()
  for (const path of SIGN_IN_ROUTES)
    app.post(path, { ...options, onRequest }, async (_request, reply) => reply.callNotFound())
}

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Serves the files that the console's folder contains at startup, except hidden ones and HTML documents, which are pages. The hundreds
 * of assets share one route, because each route adds a third of a millisecond to the startup.
 * @param other responds to requests for unknown assets
 */
async function serveFiles(app: FastifyInstance, other: Respond): Promise<void> {
  const options = {
    method: ['HEAD', 'GET'] as HTTPMethods[],
    schema: { hide: true },
    errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      // The browser disconnected in the middle of the file.
      if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') request.raw.destroy()
      else app.errorHandler(error, request, reply)
    },
  }
  const assets = new Set(await filesIn(join(CONSOLE_FOLDER, 'assets')))
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const name = (request.params as { '*': string })['*']
    return assets.has(name) ? reply.sendFile(`assets/${name}`) : other(request, reply)
  }
  app.route({ ...options, config: { isNavigation: true }, url: '/assets/*', handler })
  for (const name of await filesIn(CONSOLE_FOLDER))
    app.route({
      ...options,
      url: `/${name}`,
      handler: (_request, reply) =>
        name.endsWith('.html') ? (reply.callNotFound() as unknown as FastifyReply) : reply.sendFile(name),
    })
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
}

/** Returns the application request of a sign-in page. */
function requestIn(url: string): { uid: string | undefined; saml: string | undefined } {
  const query = new URLSearchParams(url.split('?')[1])
  return { uid: query.get('uid') ?? undefined, saml: query.get('saml') ?? undefined }
}

/** The browser renders a page that cannot be rendered here. */
async function renderOrWarn({ id }: FastifyRequest, log: Logger, render: Renderer, boot: BootData, href: string) {
  try {
    return await render(href, boot)
  } catch (error) {
    log.warn({ requestId: id, err: error }, 'the page could not be rendered on the server')
    return undefined
  }
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PageDeps,
  shells: Shells,
): Promise<FastifyReply> {
  const [pathname = ''] = request.url.split('?', 1)
  if (MACHINE_PATHS.test(pathname)) return reply.callNotFound() as unknown as FastifyReply
  const { config } = deps
  const frontendOrigin = new URL(config.frontendUrl).origin
  const http = httpExchange(request, reply, { frontendOrigin, secure: config.secure })
  const boot = await readBootData(deps, http, requestIn(request.url))
  const isConsole = isConsolePage(pathname)
  // One stored page for all unknown paths.
  const href = isSignInPage(pathname) ? request.url : UNKNOWN_PATH
  const { html, nonce } = isConsole
    ? shells.console.render(boot)
    : shells.signIn.render(boot, await renderOrWarn(request, deps.log, shells.renderSignIn, boot, href))
  const apiOrigin = new URL(config.baseUrl).origin
  return reply
    .code(isConsole || isSignInPage(pathname) ? 200 : 404)
    .headers(pageHeaders(nonce, apiOrigin === frontendOrigin ? null : apiOrigin))
    .send(html)
}
