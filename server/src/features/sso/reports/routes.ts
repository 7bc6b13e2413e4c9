import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { SsoDeps } from '../model/deps.js'
import { listSignIns, readTest, startTest } from './queries.js'
import { ProviderReport, presentSignIn, SignInReport } from './schema.js'
import { testProvider } from './test-provider.js'

const ofProvider = {
  tag: 'Single sign-on',
  params: Type.Object({ providerId: Type.String() }),
  errors: ['sso_provider_not_found'],
} as const
const ONE = '/api/v1/sso/providers/:providerId'

/** Endpoints for the sign-in log and the tests of a provider. */
export const reportRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    ...ofProvider,
    method: 'POST',
    path: `${ONE}/test`,
    permission: 'sso:write',
    summary: 'Check the configuration and reachability of a provider without a sign-in',
    description:
      'Contacts the provider without using cached values, for at most five seconds per request. The response never contains what the provider sent, only the values that are checked.',
    responses: { 200: ProviderReport },
    handle: ({ actor, params }) => testProvider(deps, actor, params.providerId),
  }),
  defineRoute({
    ...ofProvider,
    method: 'GET',
    path: `${ONE}/sign-ins`,
    permission: 'sso:read',
    summary: 'List the last 50 sign-ins and tests of a provider, newest first',
    description:
      'Each entry contains the attributes that the provider sent, the outcome, and every check. Entries are stored for 30 days. The list also contains the last 10 rejected responses without a valid signature of the provider, which a third party can send. Values are cut to 200 characters and contain no tokens.',
    responses: { 200: Type.Object({ data: Type.Array(SignInReport) }) },
    handle: async ({ actor, params }) => ({
      data: (await listSignIns(deps, actor, params.providerId)).map(presentSignIn),
    }),
  }),
  defineRoute({
    ...ofProvider,
    method: 'POST',
    path: `${ONE}/test-login`,
    permission: 'sso:write',
    summary: 'Start a test sign-in that ends with a report and creates no session',
    description:
      'Open `url` in a browser within ten minutes. The provider may be disabled. The test ends at the callback page with `test` and `provider`; the report is at `tests/{runId}`.',
    responses: { 201: Type.Object({ url: Type.String(), runId: Type.String() }) },
    handle: ({ actor, params }) => startTest(deps, actor, params.providerId),
  }),
  defineRoute({
    ...ofProvider,
    method: 'GET',
    path: `${ONE}/tests/:runId`,
    permission: 'sso:read',
    summary: 'Get the report of a test sign-in; it has no `outcome` while the test is pending',
    params: Type.Object({ providerId: Type.String(), runId: Type.String() }),
    responses: { 200: SignInReport },
    errors: ['sso_provider_not_found', 'sso_run_not_found'],
    handle: async ({ actor, params }) => presentSignIn(await readTest(deps, actor, params.providerId, params.runId)),
  }),
]
