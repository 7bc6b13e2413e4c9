import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { SsoDeps } from './deps.js'
import { listSignIns, readTest, startTest } from './report-queries.js'
import { ProviderReport, presentSignIn, SignInReport } from './report-schema.js'
import { testProvider } from './test-provider.js'

const tag = 'Single sign-on'
const params = Type.Object({ providerId: Type.String() })
const ONE = '/api/v1/sso/providers/:providerId'

/** What went on at a provider, and what would. */
export const reportRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: `${ONE}/test`,
    permission: 'sso:write',
    tag,
    summary: 'Whether a provider can be reached and is configured rightly, without a sign-in',
    description:
      'Asks the provider itself, not what is remembered of it, for at most five seconds each. Nothing that it answers is shown but what we look for in it.',
    params,
    responses: { 200: ProviderReport },
    errors: ['sso_provider_not_found'],
    handle: ({ actor, params }) => testProvider(deps, actor, params.providerId),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/sign-ins`,
    permission: 'sso:read',
    tag,
    summary: 'The last 50 sign-ins and tests by a provider, newest first',
    description:
      'What the provider sent, what became of it, and every check; kept for 30 days. Beside them the last 10 refusals of answers that the provider did not sign, which anybody can send. Values are cut to 200 characters, and no token is among them.',
    params,
    responses: { 200: Type.Object({ data: Type.Array(SignInReport) }) },
    errors: ['sso_provider_not_found'],
    handle: async ({ actor, params }) => ({
      data: (await listSignIns(deps, actor, params.providerId)).map(presentSignIn),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/test-login`,
    permission: 'sso:write',
    tag,
    summary: 'Begin a sign-in that ends on a report and opens nothing',
    description:
      'Open `url` in a browser within ten minutes. The provider may be switched off. It ends at the callback page with `test` and `provider`; the report is at `tests/{runId}`.',
    params,
    responses: { 201: Type.Object({ url: Type.String(), runId: Type.String() }) },
    errors: ['sso_provider_not_found'],
    handle: ({ actor, params }) => startTest(deps, actor, params.providerId),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/tests/:runId`,
    permission: 'sso:read',
    tag,
    summary: 'The report of a test sign-in; without `outcome` until it has ended',
    params: Type.Object({ providerId: Type.String(), runId: Type.String() }),
    responses: { 200: SignInReport },
    errors: ['sso_provider_not_found', 'sso_run_not_found'],
    handle: async ({ actor, params }) => presentSignIn(await readTest(deps, actor, params.providerId, params.runId)),
  }),
]
