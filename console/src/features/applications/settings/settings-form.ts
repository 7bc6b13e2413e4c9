import { array, boolean, minLength, object, pipe, string, trim } from 'valibot'
import type { Application, ApplicationChanges } from '../../../api/contract'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/application-settings.json'
import applications from '../../../messages/en/applications.json'
import { isForPeople } from '../application-kind'
import { faultOfResource } from './resource-rules'
import { lines, linesOf, optionalCalledUrl, optionalImageUrl, optionalUrl, redirectLines } from './uri-schema'

/** The values of the form. Lists of URLs have one URL per line. */
export const settingsOf = (application: Application) => ({
  name: application.name,
  description: application.description ?? '',
  logoUrl: application.logoUrl ?? '',
  launchUrl: application.launchUrl ?? '',
  redirectUris: application.redirectUris.join('\n'),
  postLogoutRedirectUris: application.postLogoutRedirectUris.join('\n'),
  backchannelLogoutUri: application.backchannelLogoutUri ?? '',
  scopes: application.scopes,
  grantTypes: application.grantTypes,
  resources: application.resources.join('\n'),
  requireDpop: application.requireDpop,
  dpopNonceEnabled: application.dpopNonceEnabled,
})

export type Settings = ReturnType<typeof settingsOf>

export const settingsSchema = ({ type, isPublicClient }: Application) =>
  object({
    name: pipe(string(), trim(), minLength(1, applications.nameMissing())),
    description: string(),
    logoUrl: optionalImageUrl,
    launchUrl: optionalUrl,
    redirectUris: redirectLines(isPublicClient),
    postLogoutRedirectUris: redirectLines(isPublicClient),
    backchannelLogoutUri: optionalCalledUrl,
    scopes: array(string()),
    grantTypes: type === 'OIDC' ? pipe(array(string()), minLength(1, m.grantsMissing())) : array(string()),
    resources: lines((line) => {
      const fault = faultOfResource(line, serviceAddress())
      return fault && m.resourceFault({ fault })
    }),
    requireDpop: boolean(),
    dpopNonceEnabled: boolean(),
  })

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns only changed settings, so that concurrent changes of others are kept. Settings without a field are left out. */
export function settingsChanges(application: Application, values: Settings): ApplicationChanges {
  const now: ApplicationChanges = {
    name: values.name.trim(),
    description: values.description.trim() || null,
    logoUrl: values.logoUrl.trim() || null,
    launchUrl: values.launchUrl.trim() || null,
  }
  if (isForPeople(application)) {
    now.redirectUris = linesOf(values.redirectUris)
    now.postLogoutRedirectUris = linesOf(values.postLogoutRedirectUris)
    now.backchannelLogoutUri = values.backchannelLogoutUri.trim() || null
  }
  if (application.type === 'OIDC') {
    now.scopes = inOrderOf(application.scopes, values.scopes)
    // The form offers only what the service accepts.
    now.grantTypes = inOrderOf(application.grantTypes, values.grantTypes) as NonNullable<
      ApplicationChanges['grantTypes']
    >
    now.resources = linesOf(values.resources)
    now.requireDpop = values.requireDpop
    now.dpopNonceEnabled = values.dpopNonceEnabled
  }
  return Object.fromEntries(
    // A setting that is not set is absent, and null removes it: both are the same in the form.
    Object.entries(now).filter(([name, value]) => !same(value ?? null, application[name as keyof Application] ?? null)),
  )
}

/** Keeps the stored order: the order of checkboxes alone is no change. */
function inOrderOf(before: string[], chosen: string[]): string[] {
  const kept = before.filter((one) => chosen.includes(one))
  return [...kept, ...chosen.filter((one) => !before.includes(one))]
}
