import type { FastifyInstance } from 'fastify'
import { createDeps } from './deps.js'
import { createAccessTokens, lockCaller, withApiTokens } from './features/access-tokens/index.js'
import { createApplications } from './features/applications/index.js'
import { createAudit } from './features/audit/index.js'
import { createAuthentication, type SetupHint } from './features/authentication/index.js'
import { createGroups } from './features/groups/index.js'
import { createLdap } from './features/ldap/index.js'
import { createLogos } from './features/logos/index.js'
import { createMembers } from './features/members/index.js'
import { createMfa } from './features/mfa/index.js'
import { createOidcConfig } from './features/oidc-config/index.js'
import { createOidcProvider } from './features/oidc-provider/index.js'
import { createOutbox } from './features/outbox/index.js'
import { createPages, registerPages } from './features/pages/index.js'
import { createPasswordPolicy } from './features/password-policy/index.js'
import { createPasswords } from './features/passwords/index.js'
import { authorize, createPermissions, knowsPermission, RESTRICTION_CODES } from './features/permissions/index.js'
import { createPolicies } from './features/policies/index.js'
import { createSamlKeys } from './features/saml-keys/index.js'
import { createSamlProvider } from './features/saml-provider/index.js'
import { createScim } from './features/scim/index.js'
import { createAuthenticate, createSessions } from './features/sessions/index.js'
import { createSettings } from './features/settings/index.js'
import { createSso } from './features/sso/index.js'
import { createTeams, rejectWhileSuspended } from './features/teams/index.js'
import { createUserManagement } from './features/user-management/index.js'
import type { ErrorTable } from './platform/app-error.js'
import { isMigrated } from './platform/db/migrate.js'
import { createHttpServer, originOf } from './platform/http/http-server.js'
import { registerReference } from './platform/http/openapi/reference.js'
import { probeRoutes } from './platform/http/probe-routes.js'
import { registerRoutes } from './platform/http/register-routes.js'
import { type ListedRoute, listRoutes, type Route } from './platform/http/route.js'
import type { Jobs } from './platform/jobs/jobs.js'
import { expiryGauges } from './platform/metrics/expiries.js'
import type { AccountData, Labeller, Module } from './platform/module.js'
import type { Platform, PlatformParts } from './platform/platform.js'
import { VERSION } from './platform/version.js'
import { rewrapValues } from './sealed-columns.js'

export type AppParts = PlatformParts

export interface App {
  http: FastifyInstance
  /** The permission of each route, for the reference. */
  routes: ListedRoute[]
  /** The error codes of every module, in module order, for the reference. */
  errorTables: ErrorTable[]
  jobs: Jobs
  /** Makes the node not ready, so that load balancers use other nodes. It still serves requests. */
  drain(): void
  /** Closes connections that jobs reuse between runs. Call it when the jobs have stopped. */
  closeConnections(): void
  /**
   * Returns how the operator appoints the first administrator, with a new setup link if the settings allow one; undefined if there is one
   * already.
   */
  createSetupLink(): Promise<SetupHint | undefined>
}

/** Assembles the app: the platform, the modules in their order, and their routes. It does not listen or run jobs yet. */
export async function createApp(parts: AppParts): Promise<App> {
  const deps = await createDeps(parts)
  const { db, config, clock, log, metrics, audit, keys, tokens, jobs, mailer, withGuard } = deps
  await rewrapValues(deps)
  const labellers: Record<string, Labeller> = {}
  const accountData: Record<string, AccountData> = {}
  let draining = false
  const isDraining = () => draining
  const routes: Route[] = [...operationRoutes(deps, isDraining)]

  const authentication = createAuthentication({ ...deps, accountData })
  const sso = createSso({ ...deps, accounts: authentication.accounts })
  // `users` contributes nothing: its functions are called by the modules after it.
  const modules: Module[] = [
    createAudit({ ...deps, names: { labellers, membersMatching: deps.membersMatching } }),
    createPermissions({ listRoutes: () => listRoutes(routes) }),
    createSettings(deps),
    createOutbox(deps),
    createTeams(deps),
    createMembers(deps),
    createGroups(deps),
    createApplications(deps),
    createPolicies(deps),
    createPasswordPolicy(deps),
    createSessions(deps),
    createPasswords(deps),
    createAccessTokens(deps),
    createMfa(deps),
    createUserManagement(deps),
    authentication,
    createSamlKeys(deps),
    sso,
    createOidcConfig(deps),
    createOidcProvider({ ...deps, serverKeys: deps.keys, leaveSession: sso.leaveByProvider }),
    createSamlProvider(deps),
    createScim(deps),
    createLdap(deps),
    createLogos(deps),
    createPages(deps),
  ]
  const dialects = modules.flatMap((module) => module.dialects ?? [])
  const errorTables = modules.map(({ errors }) => errors ?? {})
  for (const module of modules) {
    routes.push(...(module.routes ?? []))
    for (const kind of module.jobs ?? []) jobs.register(kind)
    mailer.register(module.mails ?? [])
    Object.assign(labellers, module.labels)
    Object.assign(accountData, module.accountData)
    for (const gauges of module.gauges ?? []) metrics.shared(gauges)
    await module.startup?.()
  }

  metrics.shared(expiryGauges(modules.flatMap(({ expiries }) => expiries ?? [])))

  const http = await createHttpServer({
    config,
    clock,
    log,
    metrics,
    keys,
    version: VERSION,
    dialects,
    isDraining,
    onDenied: async (caller, error, request) => {
      const resource = `route:${request.method} ${request.routeOptions.url ?? ''}`
      await db.transaction((tx) =>
        audit.record(tx, caller ?? { userId: null, teamId: null, origin: originOf(request) }, 'access.denied', {
          result: 'DENIED',
          resource,
          metadata: { code: error.code },
        }),
      )
    },
  })
  for (const { onClose } of modules) if (onClose) http.addHook('onClose', () => onClose())
  // A node without requests for a day may sign with a key that another node has deleted.
  http.addHook('preHandler', (request, _reply, done) => {
    const reload = request.url.startsWith('/api/') ? keys.reloadIfIdle() : undefined
    if (reload) reload.then(() => done(), done)
    else done()
  })
  registerRoutes(http, routes, {
    config,
    authenticate: withApiTokens(
      { db, clock },
      createAuthenticate({
        db,
        tokens,
        now: () => clock.now(),
        enforcePasswordChange: config.enforcePasswordChange,
        onlyFirstAccountAdministers: config.setupSecret !== undefined || !config.loopback,
      }),
    ),
    dialects,
    authorize: (actor, permission, route) => {
      authorize(actor, permission, route)
      rejectWhileSuspended(actor, permission)
    },
    withActiveCaller: (actor, { endsSessions }, handler) =>
      withGuard((tx) => lockCaller(tx, actor, endsSessions), handler),
    knowsPermission,
    errorTables,
    impliedErrorCodes: {
      always: ['not_a_member', 'team_suspended', 'team_sign_in_required'],
      restricted: RESTRICTION_CODES,
      sessionOnly: ['session_required'],
      accountWide: ['second_factor_required'],
    },
  })
  await registerReference(http, errorTables, dialects)
  await registerPages(http, deps)
  await http.ready()
  const drain = () => {
    draining = true
  }
  const { closeConnections } = deps
  const { createSetupLink } = authentication
  return { http, jobs, routes: listRoutes(routes), errorTables, drain, closeConnections, createSetupLink }
}

const operationRoutes = ({ db, metrics, config }: Platform, isDraining: () => boolean): Route[] =>
  probeRoutes({
    metrics,
    metricsToken: config.metricsToken,
    isReady: async () => !isDraining() && !db.isUnavailable && (await isMigrated(db.pool).catch(() => false)),
  })
