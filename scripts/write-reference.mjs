// Writes what is made from the code: server/openapi.json from the routes, and the reference pages in docs/ from the tables of
// errors, audit actions, roles, settings and risks. With --check it only says which of them are not up to date.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from './build-stale.mjs'

await buildStale({ only: ['modules of the server', 'database template'] })
const { createApp, ERROR_TABLES } = await import('../server/dist/app.js')
const { PERMISSIONS, permissionsOf, ROLES } = await import('../server/dist/features/permissions/roles.js')
const { AUDIT_ACTIONS } = await import('../server/dist/features/audit/actions.js')
const { systemClock } = await import('../server/dist/platform/clock.js')
const { readConfig } = await import('../server/dist/platform/config/config.js')
const { SETTINGS } = await import('../server/dist/platform/config/settings.js')
const { PLATFORM_ERRORS } = await import('../server/dist/platform/errors.js')
const { OAUTH_ERRORS } = await import('../server/dist/platform/http/oauth-dialect.js')
const { SCIM_ERRORS } = await import('../server/dist/platform/http/scim-dialect.js')
const { createLogger } = await import('../server/dist/platform/log.js')
const { CHALLENGE_FROM, RISK_REASONS } = await import('../server/dist/protocols/sign-in-risk/index.js')
const { openService } = await import('../server/dist/service.js')

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const byName = (record) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
const page = (title, intro, content) =>
  `# ${title}\n\n<!-- Written by npm run openapi; change the code instead. -->\n\n${intro}\n\n${content}\n`

const FROM_CODE = '<!-- Written by npm run openapi; change the code instead. -->'
const BY_HAND = '<!-- From here on by hand. -->'

/** A page that is written by hand but for one part of it. */
async function pageWith(path, content) {
  const text = await readFile(join(root, path), 'utf8')
  const [before, rest = ''] = text.split(FROM_CODE)
  const [, after] = rest.split(BY_HAND)
  if (after === undefined) throw new Error(`${path} has no part that is made from code`)
  return `${before}${FROM_CODE}\n\n${content}\n\n${BY_HAND}${after}`
}

/** What the service says of itself: its OpenAPI document, and what each route needs. */
async function askService() {
  const dataDir = await mkdtemp(join(tmpdir(), 'keyward-openapi-'))
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const service = await openService({ config, log: createLogger(config), clock: systemClock, createApp })
  const openapi = `${JSON.stringify(service.http.swagger(), null, 2)}\n`
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
  return { openapi, routes: service.routes }
}

const { openapi, routes } = await askService()

/** The routes that need a permission, each in a line of its own. */
const routesOf = (permission) =>
  routes
    .filter((route) => route.permission === permission)
    .map(({ method, path }) => `\`${method} ${path}\``)
    .join('<br>')

const errorTable = (codes) =>
  table(
    ['Code', 'Status', 'Title', 'Why, and what to do'],
    byName(codes).map(([code, { status, title, explain }]) => [`\`${code}\``, String(status), title, explain]),
  )

const errors = Object.assign({}, PLATFORM_ERRORS, ...ERROR_TABLES)

const FILES = {
  'server/openapi.json': () => openapi,
  'docs/errors.md': () =>
    page(
      'Error codes',
      'Every refusal of the JSON API is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `code`, `requestId` and, where they help, `detail`, `errors` and `retryAfter`. `code` is stable. What was refused was not done; what a refusal leaves behind (a counted failure, an audit entry) is said with its code.',
      `${errorTable(errors)}\n\n## OAuth and OpenID Connect\n\nThe endpoints under \`/api/v1/oauth\` and \`/api/v1/sso/oidc-idp\` answer \`{"error", "error_description"}\` (RFC 6749 5.2) with these codes, and with those above where the protocol has no name for it. At the authorize endpoint they come back to the redirect URI, beside \`access_denied\`, \`login_required\`, \`consent_required\`, \`interaction_required\` and \`unmet_authentication_requirements\`, unless the client or the redirect URI itself is wrong. What is over a limit or cannot be done now is \`temporarily_unavailable\`.\n\n${errorTable(OAUTH_ERRORS)}\n\n## SCIM\n\nEverything under \`/scim/v2\` is refused by the error message of RFC 7644 3.12, \`{"schemas", "status", "scimType", "detail"}\`, with these names in \`scimType\`. What RFC 7644 has no name for (401, 403, 404, 413, 415, 429, 503, a team that is full or would lose its last administrator) comes with its status and \`detail\` alone.\n\n${errorTable(SCIM_ERRORS)}`,
    ),
  'docs/audit-events.md': () =>
    page(
      'Audit events',
      'Every change writes its entry in the transaction of the change; so does every refused sign-in and every 403. `result` is SUCCESS, FAILURE or DENIED.',
      table(
        ['Action', 'Meaning'],
        byName(AUDIT_ACTIONS).map(([action, meaning]) => [`\`${action}\``, meaning]),
      ),
    ),
  'docs/permissions.md': () =>
    page(
      'Roles and permissions',
      'A membership has one role, and a route needs one permission. The same tables are served at `GET /api/v1/permissions`. An API token has scopes out of the same list ([API tokens](api-tokens.md)).',
      `${table(
        ['Permission', ...ROLES],
        PERMISSIONS.map((permission) => [
          `\`${permission}\``,
          ...ROLES.map((role) => (permissionsOf(role).has(permission) ? 'yes' : '')),
        ]),
      )}\n\n## What a permission opens\n\n${table(
        ['Permission', 'Routes'],
        PERMISSIONS.map((permission) => [`\`${permission}\``, routesOf(permission) || 'nothing yet']),
      )}\n\n## What needs a session and no permission of a team\n\nOf these \`instance:update\` is held by the administrators of the instance, \`scim\` by the SCIM tokens of the team that the path names ([SCIM](scim.md)); the others answer any session, and the public ones anybody.\n\n${table(
        ['Needs', 'Routes'],
        ['instance:update', 'signed-in', 'scim', 'public'].map((permission) => [
          `\`${permission}\``,
          routesOf(permission),
        ]),
      )}`,
    ),
  'docs/settings.md': () =>
    page(
      'Settings',
      'Settings are environment variables; `npm start -- --help` prints the same table. An empty value counts as unset. A wrong one stops the start with a line that says why.',
      table(
        ['Setting', 'Default', 'Meaning'],
        Object.entries(SETTINGS).map(([name, { defaultText, meaning }]) => [`\`${name}\``, defaultText, meaning]),
      ),
    ),
  'docs/adaptive-sign-in.md': () =>
    pageWith(
      'docs/adaptive-sign-in.md',
      `${table(
        ['Reason', 'Weight', 'Meaning'],
        Object.entries(RISK_REASONS).map(([reason, { weight, meaning }]) => [`\`${reason}\``, String(weight), meaning]),
      )}\n\nA second factor is asked for from **${CHALLENGE_FROM}** on.`,
    ),
}

const stale = []
for (const [path, write] of Object.entries(FILES)) {
  const file = join(root, path)
  const text = await write()
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
  stale.push(path)
  if (process.argv.includes('--check')) continue
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Not up to date: ${stale.join(', ')}. Run npm run openapi.`)
  process.exit(1)
}
console.log(stale.length > 0 ? `Written: ${stale.join(', ')}` : 'The reference is up to date.')
