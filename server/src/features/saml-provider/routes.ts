import Type from 'typebox'
import { rejection as platformError } from '../../platform/errors.js'
import type { RequestOrigin, SessionActor } from '../../platform/http/actor.js'
import { DUE_IN_TEAM } from '../../platform/http/actor.js'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { answerWithForm } from '../../platform/http/post-form-page.js'
import { defineRoute, type Route, type SentRequest } from '../../platform/http/route.js'
import { asDocument, DOCUMENT_HEADERS, documentAnswers, sendDocument } from '../../platform/http/written-document.js'
import { rejectForBrowser } from '../oidc-provider/index.js'
import { clearSessionCookies, deviceCookie, ssoCookie } from '../sessions/index.js'
import { addressesOf, BASE } from './addresses.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { readMetadata } from './metadata.js'
import { parseMetadata } from './parse-metadata.js'
import { readSamlRequest } from './read-request.js'
import {
  ParsedMetadata,
  ParseMetadata,
  presentParsed,
  presentRequest,
  RequestBody,
  SloForm,
  SloQuery,
  SsoForm,
  SsoQuery,
} from './schema.js'
import { type Incoming, type SignInAnswer, signInTo } from './sign-in.js'
import { type IncomingSignOut, type SignOutResult, signOutFrom } from './sign-out.js'

const tag = 'SAML identity provider'
const ofApplication = Type.Object({ appId: Type.String() })
const ONE = `${BASE}/:appId`
const SIGN_IN_ERRORS = [
  'application_not_found',
  'application_access_denied',
  'team_suspended',
  'saml_application_stopped',
  'saml_not_configured',
  'saml_request_invalid',
  'saml_request_not_found',
  'saml_session_not_shown',
  'saml_response_too_large',
]
const XML = 'application/xml'
const METADATA = 'application/samlmetadata+xml'
const Page = Type.String({ description: 'HTML: a form that posts the answer to the service provider' })

interface Context {
  params: { appId: string }
  http: HttpExchange
  sent: SentRequest
  origin: RequestOrigin
  signedIn(): Promise<SessionActor | undefined>
}

/** The fields of a form, each once: of two, somebody else would read the other one. @throws saml_request_invalid */
function fieldsOf({ body }: SentRequest): Record<string, string | undefined> {
  const fields = new URLSearchParams(body)
  if (new Set(fields.keys()).size < [...fields].length)
    throw rejection('saml_request_invalid', { detail: 'a field of the form comes twice' })
  return Object.fromEntries(fields)
}

export const samlProviderRoutes = (deps: SamlProviderDeps): Route[] => {
  const { config } = deps

  /** Runs what a browser asks for; a refusal is a page for it, and a problem document for everything else. */
  async function forBrowser(act: 'sign-in' | 'sign-out', { http, origin }: Context, run: () => Promise<unknown>) {
    try {
      return await run()
    } catch (error) {
      const browser = { act, http, frontendUrl: config.frontendUrl, requestId: origin.requestId }
      return rejectForBrowser(browser, error, new URLSearchParams())
    }
  }

  const signIn = (context: Context, incomingOf: () => Incoming) =>
    forBrowser('sign-in', context, async () => {
      const { params, http, origin, signedIn } = context
      const actor = await signedIn()
      const visitor = {
        sessionId: actor?.sessionId,
        ssoToken: ssoCookie(http),
        deviceToken: deviceCookie(http),
        origin,
      }
      return answerSignIn(http, await signInTo(deps, params.appId, incomingOf(), visitor))
    })

  function answerSignIn(http: HttpExchange, answer: SignInAnswer): unknown {
    if ('form' in answer) {
      const { action, response, relayState } = answer.form
      const fields = { SAMLResponse: response, RelayState: relayState }
      return answerWithForm(http, {
        action,
        fields,
        heading: `Signing in to ${answer.name}`,
        instance: answer.instance,
      })
    }
    const { appId, resume, goOn } = answer
    if (goOn !== 'get')
      return http.redirect(`${config.frontendUrl}/${goOn}?${new URLSearchParams({ saml: `${appId}:${resume}` })}`)
    return http.redirect(`${addressesOf(config.baseUrl, appId).ssoUrl}?${new URLSearchParams({ resume })}`, 303)
  }

  const signOut = (context: Context, message: () => IncomingSignOut) =>
    forBrowser('sign-out', context, async () => {
      const { params, http, origin } = context
      const visitor = { ssoToken: ssoCookie(http), origin }
      return answerSignOut(http, await signOutFrom(deps, params.appId, message(), visitor))
    })

  function answerSignOut(http: HttpExchange, result: SignOutResult): unknown {
    if (result.ended) clearSessionCookies(http)
    if ('redirectTo' in result) return http.redirect(result.redirectTo)
    const { action, response, relayState } = result.form
    const fields = { SAMLResponse: response, RelayState: relayState }
    return answerWithForm(http, { action, fields, heading: `Signing out of ${result.name}`, instance: result.instance })
  }

  const metadata = (type: string) =>
    ({
      method: 'GET',
      permission: 'public',
      tag,
      summary: "The metadata of an application's SAML identity provider",
      description: `\`${type}\`. The entity id is the address of \`${BASE}/{appId}/metadata\` in both documents.`,
      responses: documentAnswers(Type.String({ description: 'XML: an EntityDescriptor' })),
      headers: DOCUMENT_HEADERS,
      errors: ['application_not_found'],
    }) as const
  const sendMetadata = async (
    { http, sent, origin }: Pick<Context, 'http' | 'sent' | 'origin'>,
    { appId, orgId }: { appId: string; orgId?: string },
    type: string,
  ) => sendDocument(http, sent, asDocument(await readMetadata(deps, appId, orgId, origin), type))

  return [
    defineRoute({
      ...metadata(XML),
      path: '/api/v1/saml/:orgId/:appId/metadata.xml',
      params: Type.Object({ orgId: Type.String(), appId: Type.String() }),
      handle: (context) => sendMetadata(context, context.params, XML),
    }),
    defineRoute({
      ...metadata(METADATA),
      path: `${ONE}/metadata`,
      params: ofApplication,
      handle: (context) => sendMetadata(context, context.params, METADATA),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/sso`,
      permission: 'public',
      tag,
      summary: 'Sign in to an application by SAML: the redirect binding',
      description:
        'With a session (the cookie of a sign-in, or a Bearer) the answer is a page that posts the signed response to the registered address. Without one the browser goes to the sign-in page, and comes back here.',
      forwarded: true,
      params: ofApplication,
      query: SsoQuery,
      responses: {
        200: Page,
        302: Type.Null({
          description: 'To the sign-in page, or to the page where a member whom the team added joins it',
        }),
      },
      errors: SIGN_IN_ERRORS,
      handle: (context) =>
        signIn(context, () => {
          const { queryString: query } = context.sent
          const sent = new URLSearchParams(query)
          const resume = sent.get('resume')
          return resume === null
            ? { message: { binding: 'redirect', query } }
            : { resume, returned: sent.has('returned') }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${ONE}/sso`,
      permission: 'public',
      tag,
      summary: 'The same by the POST binding',
      description:
        'Browsers send no cookie with a form of another site: without a session the answer is 303 to the GET, with which they do.',
      accepts: ['form'],
      forwarded: true,
      params: ofApplication,
      bodyLimit: LARGE_BODY,
      body: SsoForm,
      responses: {
        200: Page,
        302: Type.Null({
          description: 'To the sign-in page, or to the page where a member whom the team added joins it',
        }),
        303: Type.Null({ description: 'To the GET' }),
      },
      errors: SIGN_IN_ERRORS,
      handle: (context) =>
        signIn(context, () => {
          const { SAMLRequest = '', RelayState } = fieldsOf(context.sent)
          return { message: { binding: 'post', field: SAMLRequest, relayState: RelayState } }
        }),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/start`,
      permission: 'public',
      tag,
      summary: 'Begin a sign-in to an application here, without a request of it',
      params: ofApplication,
      responses: {
        200: Page,
        302: Type.Null({
          description: 'To the sign-in page, or to the page where a member whom the team added joins it',
        }),
      },
      errors: [...SIGN_IN_ERRORS, 'saml_idp_initiated_refused'],
      handle: (context) => signIn(context, () => 'start'),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/requests/:requestId`,
      permission: 'signed-in',
      whileRestricted: DUE_IN_TEAM,
      tag,
      summary: 'What is still due before a sign-in that waits can go on',
      params: Type.Object({ appId: Type.String(), requestId: Type.String() }),
      responses: { 200: RequestBody },
      errors: [
        'application_not_found',
        'application_access_denied',
        'team_suspended',
        'saml_application_stopped',
        'saml_not_configured',
        'saml_request_not_found',
        'team_sign_in_required',
        'password_change_required',
      ],
      handle: async ({ params: { appId, requestId }, actor, http }) =>
        presentRequest(await readSamlRequest(deps, appId, requestId, actor, deviceCookie(http))),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/slo`,
      permission: 'public',
      tag,
      summary: 'Single logout: the request of an application, or its answer to ours',
      description:
        'Where the application has a certificate its request must be signed; else it ends the session of its own browser alone, when its user has said yes on our page, from where it goes on by `resume`.',
      forwarded: true,
      params: ofApplication,
      query: SloQuery,
      responses: {
        302: Type.Null({ description: 'To the next application, back to the one that asked, or to a page that asks' }),
        200: Page,
      },
      errors: ['application_not_found', 'saml_request_invalid', 'saml_request_not_found'],
      handle: (context) =>
        signOut(context, () => {
          const query = context.sent.queryString
          const sent = new URLSearchParams(query)
          const resume = sent.get('resume')
          if (resume !== null) return { resume, partial: sent.has('partial') }
          const token = sent.get('RelayState') ?? undefined
          return { binding: 'redirect', query, answers: !sent.has('SAMLRequest') && sent.has('SAMLResponse'), token }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${ONE}/slo`,
      permission: 'public',
      tag,
      summary: 'The same by the POST binding',
      accepts: ['form'],
      forwarded: true,
      params: ofApplication,
      bodyLimit: LARGE_BODY,
      body: SloForm,
      responses: { 200: Page, 302: Type.Null({ description: 'To the next application' }) },
      errors: ['application_not_found', 'saml_request_invalid', 'saml_request_not_found'],
      handle: (context) =>
        signOut(context, () => {
          const { SAMLRequest, SAMLResponse, RelayState } = fieldsOf(context.sent)
          const field = SAMLRequest ?? SAMLResponse ?? ''
          const answers = SAMLRequest === undefined && SAMLResponse !== undefined
          return { binding: 'post', field, relayState: RelayState, answers, token: RelayState }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/applications/metadata/parse',
      permission: 'applications:write',
      tag: 'Applications',
      summary: "Read a service provider's SAML metadata into the fields of an application",
      description: 'From `url` or `xml`. Nothing is stored.',
      bodyLimit: LARGE_BODY,
      body: ParseMetadata,
      responses: { 200: ParsedMetadata },
      errors: ['saml_metadata_unreadable'],
      handle: async ({ actor, body }) => {
        const wanted = declaredFields(body, ParseMetadata)
        if ((wanted.url === undefined) === (wanted.xml === undefined))
          throw platformError('invalid_request', {
            detail: 'Give either the address or the text',
            errors: [{ path: '/xml', message: 'must be given where there is no url, and not beside it' }],
          })
        return presentParsed(await parseMetadata(deps, actor.teamId, wanted))
      },
    }),
  ]
}
