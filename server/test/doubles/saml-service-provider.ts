import { SAML, type SamlConfig } from '@node-saml/node-saml'
import { registerApplication, type TestUser } from '../factories/factories.js'
import type { ApiResponse } from '../harness/api.js'
import { formOf } from '../harness/form-page.js'
import type { TestService } from '../harness/service.js'

export { formOf }

/** A registered SAML application. Its service provider is node-saml. */
export interface TestServiceProvider {
  id: string
  acsUrl: string
  entityId: string
  /** Path of its identity provider endpoints in Keyward. */
  idp: string
  saml: SAML
}

export const ACS_URL = 'https://sp.example/acs'
export const SP_ENTITY_ID = 'https://sp.example/metadata'
export const IDP_BASE = '/api/v1/sso/saml-idp'

/** Registers a SAML application. @param peer options of node-saml that differ from the defaults */
export async function startServiceProvider(
  service: TestService,
  owner: Pick<TestUser, 'token'>,
  fields: Record<string, unknown> = {},
  peer: Partial<SamlConfig> = {},
): Promise<TestServiceProvider> {
  const { id } = await registerApplication(service, owner, {
    name: 'Payroll',
    type: 'SAML',
    samlSpEntityId: SP_ENTITY_ID,
    samlSpAcsUrl: ACS_URL,
    ...fields,
  })
  const idp = `${IDP_BASE}/${id}`
  const { text } = await service.api('GET', `${idp}/metadata`)
  const certificates = [...text.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(([, body]) => body ?? '')
  const saml = new SAML({
    entryPoint: `${service.baseUrl}${idp}/sso`,
    logoutUrl: `${service.baseUrl}${idp}/slo`,
    issuer: SP_ENTITY_ID,
    audience: SP_ENTITY_ID,
    callbackUrl: ACS_URL,
    idpCert: certificates,
    idpIssuer: `${service.baseUrl}${idp}/metadata`,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    disableRequestedAuthnContext: true,
    ...peer,
  })
  return { id, acsUrl: ACS_URL, entityId: SP_ENTITY_ID, idp, saml }
}

/** Returns the path and query to which the service provider redirects the browser. */
export async function redirectPath(
  service: TestService,
  { saml }: TestServiceProvider,
  relayState = '',
): Promise<string> {
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {})
  return url.slice(service.baseUrl.length)
}

/** Returns the fields of the form that the service provider makes the browser post. */
export async function postForm({ saml }: TestServiceProvider, relayState = ''): Promise<URLSearchParams> {
  const message = await saml.getAuthorizeMessageAsync(relayState, undefined, {})
  return new URLSearchParams(Object.entries(message).map(([name, value]): [string, string] => [name, String(value)]))
}

/** Returns the profile in the assertion of a response, after node-saml has verified it. */
export async function verifiedProfile({ saml }: TestServiceProvider, answer: ApiResponse) {
  const { fields } = formOf(answer)
  const { profile } = await saml.validatePostResponseAsync(fields)
  if (!profile) throw new Error('The assertion contains no profile')
  return profile
}

/** Returns the XML of the SAML response in a page. */
export const responseOf = (answer: ApiResponse): string =>
  Buffer.from(formOf(answer).fields.SAMLResponse ?? '', 'base64').toString()

/** Returns the status codes of a SAML response: the top-level code, then the second-level code. */
export const statusesOf = (xml: string): string[] =>
  [...xml.matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2\.0:status:(\w+)"/g)].map(([, code]) => code ?? '')
