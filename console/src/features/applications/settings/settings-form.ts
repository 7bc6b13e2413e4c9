import type { Application, ApplicationChanges } from '../../../api/contract'
import { serviceAddress } from '../../../api/service-address'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { filledRows } from '../../../ui/form/rows-field'
import { applicationWords as words } from '../../../words'
import { isForPeople } from '../application-kind'
import { plainHttp, redirectsOf, wrongRedirects } from './redirect-rows'
import { faultOfResource } from './resource-rules'
import { faultOfCalledAddress, faultOfRedirect } from './uri-rules'

export const settingNames = [
  'name',
  'description',
  'logoUrl',
  'launchUrl',
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'scopes',
  'grantTypes',
  'resources',
  'dpop',
] as const

type Name = (typeof settingNames)[number]

export function wrongSettings(application: Application, values: Values<Name>): Errors<Name> {
  const ownSchemes = application.isPublicClient
  const called = values.backchannelLogoutUri.trim()
  const fault = called && faultOfCalledAddress(called, { plainHttp: plainHttp() })
  const logo = values.logoUrl.trim()
  const launch = values.launchUrl.trim()
  const launchFault = launch && faultOfRedirect(launch, { ownSchemes: false, plainHttp: plainHttp() })
  return {
    ...(!values.name.trim() && { name: words.nameMissing }),
    ...(logo && !/^https:\/\/[^/]/i.test(logo) && { logoUrl: words.logoWrong }),
    ...(launchFault && { launchUrl: words.uriFaults[launchFault] }),
    ...wrongRedirects('redirectUris', values.redirectUris, ownSchemes),
    ...wrongRedirects('postLogoutRedirectUris', values.postLogoutRedirectUris, ownSchemes),
    ...(fault && { backchannelLogoutUri: words.uriFaults[fault] }),
    ...(application.type === 'OIDC' && !values.grantTypes && { grantTypes: words.grantsMissing }),
    ...wrongResources(values.resources),
  }
}

function wrongResources(value: string): Errors<Name> {
  const rows = value.split('\n').map((row) => row.trim())
  return Object.fromEntries(
    rows.flatMap((row, place) => {
      const fault = row && faultOfResource(row, serviceAddress())
      return fault ? [[`resources/${place}`, words.resourceFaults[fault]]] : []
    }),
  )
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Only what was changed, so that what somebody else changed meanwhile stays. Fields that are not shown are left alone. */
export function settingsChanges(application: Application, values: Values<Name>): ApplicationChanges {
  const now: ApplicationChanges = {
    name: values.name.trim(),
    description: values.description.trim() || null,
    logoUrl: values.logoUrl.trim() || null,
    launchUrl: values.launchUrl.trim() || null,
  }
  if (isForPeople(application)) {
    now.redirectUris = redirectsOf(values.redirectUris)
    now.postLogoutRedirectUris = redirectsOf(values.postLogoutRedirectUris)
    now.backchannelLogoutUri = values.backchannelLogoutUri.trim() || null
  }
  if (application.type === 'OIDC') {
    now.scopes = inOrderOf(application.scopes, filledRows(values.scopes))
    // What the form offers is what the service takes.
    now.grantTypes = inOrderOf(application.grantTypes, filledRows(values.grantTypes)) as NonNullable<
      ApplicationChanges['grantTypes']
    >
    now.resources = [...new Set(filledRows(values.resources))]
    const dpop = filledRows(values.dpop)
    now.requireDpop = dpop.includes('requireDpop')
    now.dpopNonceEnabled = dpop.includes('dpopNonceEnabled')
  }
  return Object.fromEntries(
    // What is not set is absent, and null takes away: to the form both are the same.
    Object.entries(now).filter(([name, value]) => !same(value ?? null, application[name as keyof Application] ?? null)),
  )
}

/** The page shows them in an order of its own; that alone is no change. */
function inOrderOf(before: string[], chosen: string[]): string[] {
  const kept = before.filter((one) => chosen.includes(one))
  return [...kept, ...chosen.filter((one) => !before.includes(one))]
}
