// Generates server/openapi.json from the routes, and the reference pages in docs/ from the tables of errors, audit actions, roles,
// settings and risks. With --check it only lists files that are not up to date.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from './build-stale.mjs'

await buildStale({ only: ['modules of the server', 'database template'] })
const { createApp } = await import('../server/dist/app.js')
const { COMMANDS } = await import('../server/dist/cli/index.js')
const { PERMISSIONS, permissionsOf, ROLES } = await import('../server/dist/features/permissions/roles.js')
const { AUDIT_ACTIONS } = await import('../server/dist/features/audit/actions.js')
const { systemClock } = await import('../server/dist/platform/clock.js')
const { readConfig } = await import('../server/dist/platform/config/config.js')
const { SETTINGS } = await import('../server/dist/platform/config/settings.js')
const { PLATFORM_ERRORS } = await import('../server/dist/platform/errors.js')
const { OAUTH_ERRORS } = await import('../server/dist/protocols/oauth/index.js')
const { SCIM_ERRORS } = await import('../server/dist/features/scim/model/scim-dialect.js')
const { createLogger } = await import('../server/dist/platform/log.js')
const { CHALLENGE_FROM, RISK_REASONS } = await import('../server/dist/protocols/sign-in-risk/index.js')
const { RETENTION, WITHOUT_RULE } = await import('../server/dist/retention.js')
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

/** Replaces the generated part of a page that is otherwise written by hand. */
async function pageWith(path, content) {
  const text = await readFile(join(root, path), 'utf8')
  const [before, rest = ''] = text.split(FROM_CODE)
  const [, after] = rest.split(BY_HAND)
  if (after === undefined) throw new Error(`${path} has no generated part`)
  return `${before}${FROM_CODE}\n\n${content}\n\n${BY_HAND}${after}`
}

/** Returns the OpenAPI document, the permission of each route and the error codes of the modules. */
async function readService() {
  const dataDir = await mkdtemp(join(tmpdir(), 'keyward-openapi-'))
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const service = await openService({ config, log: createLogger(config), clock: systemClock, createApp })
  const openapi = `${JSON.stringify(service.http.swagger(), null, 2)}\n`
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
  return { openapi, routes: service.routes, errorTables: service.errorTables }
}

const { openapi, routes, errorTables } = await readService()

/** Lists the routes that require a permission, one per line. */
const routesOf = (permission) =>
  routes
    .filter((route) => route.permission === permission)
    .map(({ method, path }) => `\`${method} ${path}\``)
    .join('<br>')

const errorTable = (codes) =>
  table(
    ['Code', 'Status', 'Title', 'Cause and solution'],
    byName(codes).map(([code, { status, title, explain }]) => [`\`${code}\``, String(status), title, explain]),
  )

const errors = Object.assign({}, PLATFORM_ERRORS, ...errorTables)

const nameOf = (table) => table[Symbol.for('drizzle:Name')]

/** Lists a command, or the commands of a group, each with its own heading. */
function commandSections(entry, path = ['keyward']) {
  const words = [...path, entry.name]
  if (entry.commands) return entry.commands.flatMap((command) => commandSections(command, words))
  const { summary, description, arguments: args = [], options = [], failure } = entry
  const usage = [...words, ...args.map(([syntax]) => syntax), '[options]'].join(' ')
  const rows = [...args, ...options, ['--json', 'print the result as JSON']].map(([syntax, meaning]) => [
    `\`${syntax}\``,
    meaning,
  ])
  return [
    `## ${words.slice(1).join(' ')}`,
    `\`${usage}\``,
    `${summary}.${description ? ` ${description}` : ''}`,
    table(['Argument or option', 'Meaning'], rows),
    `Exit code 1: ${failure}.`,
  ].join('\n\n')
}

const FILES = {
  'docs/reference/command-line.md': () =>
    page(
      'Command line',
      'In the folder of an installed package, a command is `npx keyward <command>`, in a clone `npm start -- <command>`, and in a container `keyward <command>`. It needs the [settings](settings.md) of the service. Without a command, the service starts. Commands open the database of the settings: a database on a server while the service runs, the embedded one only while it does not.\n\n| Exit code | Meaning |\n| --- | --- |\n| 0 | success |\n| 1 | the command was rejected, or found what it looks for; stated for each command |\n| 2 | unknown commands, missing arguments and invalid options |\n| 3 | invalid settings, or a database that cannot be used |\n| 70 | an error in Keyward itself |\n\nResults are printed on standard output, and errors on standard error. With `--json`, an error is `{"error": {"code", "message"}}`.',
      COMMANDS.flatMap((entry) => commandSections(entry)).join('\n\n'),
    ),
  'server/openapi.json': () => openapi,
  'docs/reference/errors.md': () =>
    page(
      'Error codes',
      'Errors of the JSON API are `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `code`, `requestId` and, where useful, `detail`, `errors` and `retryAfter`. `code` is stable. A request that fails changes nothing, except for effects that its code describes (a counted failure, an audit entry).',
      `${errorTable(errors)}\n\n## OAuth and OpenID Connect\n\nThe endpoints under \`/api/v1/oauth\` and \`/api/v1/sso/oidc-idp\` return \`{"error", "error_description"}\` (RFC 6749 5.2) with these codes, and with those above if the protocol defines none. The authorization endpoint returns them to the redirect URI, as well as \`access_denied\`, \`login_required\`, \`consent_required\`, \`interaction_required\` and \`unmet_authentication_requirements\`, unless the client or the redirect URI itself is invalid. Requests over a limit, or during an outage, fail with \`temporarily_unavailable\`.\n\n${errorTable(OAUTH_ERRORS)}\n\n## SCIM\n\nErrors under \`/scim/v2\` have the format of RFC 7644 3.12, \`{"schemas", "status", "scimType", "detail"}\`, with these values of \`scimType\`. An error that RFC 7644 has no name for (401, 403, 404, 413, 415, 429, 503, a team that is full or would lose its last administrator) has only a status and \`detail\`.\n\n${errorTable(SCIM_ERRORS)}`,
    ),
  'docs/reference/audit-events.md': () =>
    page(
      'Audit events',
      'Every change records an entry in the same transaction as the change. Failed sign-ins and responses with 403 are recorded too. `result` is SUCCESS, FAILURE or DENIED.',
      table(
        ['Action', 'Meaning'],
        byName(AUDIT_ACTIONS).map(([action, meaning]) => [`\`${action}\``, meaning]),
      ),
    ),
  'docs/reference/permissions.md': () =>
    page(
      'Roles and permissions',
      'A membership has one role, and a route requires one permission. `GET /api/v1/permissions` returns the same tables. The scopes of an API token are permissions of this list ([API tokens](../guides/api-tokens.md)).',
      `${table(
        ['Permission', ...ROLES],
        PERMISSIONS.map((permission) => [
          `\`${permission}\``,
          ...ROLES.map((role) => (permissionsOf(role).has(permission) ? 'yes' : '')),
        ]),
      )}\n\n## Routes by permission\n\n${table(
        ['Permission', 'Routes'],
        PERMISSIONS.map((permission) => [`\`${permission}\``, routesOf(permission) || 'no route yet']),
      )}\n\n## Routes that require no team permission\n\nAdministrators of the instance have \`instance:update\`. \`scim\` requires a SCIM token of the team in the path ([SCIM](../guides/scim.md)), \`signed-in\` any session. \`public\` routes require neither; some verify other credentials, such as those of a client.\n\n${table(
        ['Requires', 'Routes'],
        ['instance:update', 'signed-in', 'scim', 'public'].map((permission) => [
          `\`${permission}\``,
          routesOf(permission),
        ]),
      )}`,
    ),
  'docs/reference/retention.md': () =>
    page(
      'Retention',
      'When rows of each table are deleted. Hourly jobs delete those with a time; the others are deleted together with what they belong to. Deleted teams and accounts take their rows with them at once, except as stated.',
      table(
        ['Table', 'Deleted'],
        byName({
          ...Object.fromEntries(RETENTION.map((rule) => [nameOf(rule.table), rule.deleted])),
          ...WITHOUT_RULE,
        }).map(([name, deleted]) => [`\`${name}\``, deleted]),
      ),
    ),
  'docs/reference/settings.md': () =>
    page(
      'Settings',
      'Settings are environment variables; `keyward --help` prints the same table. An empty value counts as unset. If a value is invalid, the service prints the reason and exits.',
      table(
        ['Setting', 'Default', 'Meaning'],
        Object.entries(SETTINGS).map(([name, { defaultText, meaning }]) => [`\`${name}\``, defaultText, meaning]),
      ),
    ),
  'docs/concepts/adaptive-sign-in.md': () =>
    pageWith(
      'docs/concepts/adaptive-sign-in.md',
      `${table(
        ['Reason', 'Weight', 'Meaning'],
        Object.entries(RISK_REASONS).map(([reason, { weight, meaning }]) => [`\`${reason}\``, String(weight), meaning]),
      )}\n\nA sign-in with a score of **${CHALLENGE_FROM}** or more requires a factor.`,
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
