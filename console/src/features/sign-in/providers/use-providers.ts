import { useEffect, useRef, useState } from 'react'
import type { DiscoveredProvider } from '../../../api/contract'
import { Problem } from '../../../api/problem'
import { boot } from '../../../boot'
import m from '../../../messages/en/sign-in.json'
import type { SignInSearch } from '../../../navigation/sign-in-search'
import { announce } from '../../../ui/document/announcer'
import { pointerReleased } from '../pointer-released'
import { typedAddress } from '../typed-address'
import { providersOf } from './discovery'
import { domainOf } from './domain-of'
import { wasSent } from './pending-provider'
import { providerName } from './provider-name'
import { leaveForProvider, maxAgeOf } from './provider-sign-in'

/** Without a response, the password still works. */
const passwordWorks = (): DiscoveredProvider[] => []

const verifiedOf = (providers: DiscoveredProvider[]) => providers.filter(({ automatic }) => automatic)

const offerOf = ([first, ...more]: DiscoveredProvider[]): string =>
  first && more.length === 0 ? m.continueWith({ provider: first.name }) : m.chooseProvider()

interface Found {
  domain: string
  providers: DiscoveredProvider[]
}

/**
 * Looks up the providers of the email domain when the email field loses the focus and when the form is submitted. If the team has verified
 * the domain, the submit button leads to its provider. Any team can list any domain, so other providers are offered by a secondary button
 * without their names; if several teams list the domain, the user names the team.
 */
export function useProviders(search: SignInSearch) {
  const [found, setFound] = useState<Found | null>(null)
  const [choosing, setChoosing] = useState(false)
  const [namingTeam, setNamingTeam] = useState(false)
  const [leaving, setLeaving] = useState<string | null>(null)
  const wanted = useRef<string | undefined>(undefined)

  /** @throws Problem if the service does not respond */
  async function look(email: string): Promise<DiscoveredProvider[]> {
    const domain = domainOf(email)
    wanted.current = domain
    if (!domain) return []
    const providers = await providersOf(domain)
    await pointerReleased()
    // The email address has changed since.
    if (wanted.current === domain) setFound({ domain, providers })
    return providers
  }

  const first = useRef(look)
  useEffect(() => {
    // The provider of a prefilled email address is offered, but opened only by a click.
    first.current(typedAddress()).catch(passwordWorks)
  }, [])

  function leaveFor(provider: DiscoveredProvider) {
    setLeaving(providerName(provider, [provider]))
    leaveForProvider(provider, search, { email: typedAddress(), maxAge: maxAgeOf(search, boot.signInMaxAge) })
  }

  const providers = found?.providers ?? []
  const verified = verifiedOf(providers)
  const [only] = verified.length === 1 ? verified : []

  return {
    providers,
    /** the name of the provider to which the browser is being redirected */
    leaving,
    choosing: choosing && providers.length > 1,
    leaveFor,
    /** label of the submit button while it leads to a provider */
    offer: verified.length > 0 ? offerOf(verified) : undefined,
    /** the domain and its only provider, if its team has verified the domain */
    domain: found && only ? { domain: found.domain, provider: only.name } : undefined,
    /** whether several teams list the domain and none has verified it: the user names the one to sign in to */
    namingTeam: namingTeam && providers.length > 1 && verified.length === 0,
    /** @returns the providers of the team that the user named; a single one is opened. @throws Problem if the team has none */
    async toTeam(team: string): Promise<DiscoveredProvider[]> {
      const named = found ? await providersOf(found.domain, team) : []
      const [first, ...more] = named
      if (!first) throw new Problem({ errors: [{ path: '/team', message: m.teamHasNoProvider() }] })
      if (more.length === 0) leaveFor(first)
      return named
    },
    /** the action of the secondary button, if no team has verified the domain */
    unverified:
      providers.length > 0 && verified.length === 0
        ? () => (providers.length === 1 && providers[0] ? leaveFor(providers[0]) : setNamingTeam(true))
        : undefined,

    typed(email: string) {
      const domain = domainOf(email)
      if (found && domain !== found.domain) {
        wanted.current = domain
        setFound(null)
        setChoosing(false)
        setNamingTeam(false)
      }
    },

    /** Handles a blur of the email field. */
    async left(email: string) {
      if (found?.domain === domainOf(email)) return
      const providers = await look(email).catch(passwordWorks)
      if (providers.length === 0) return
      const verified = verifiedOf(providers)
      announce(verified.length > 0 ? offerOf(verified) : m.continueWith({ provider: m.singleSignOn() }))
    },

    /** Handles a submit of the email address. @returns whether the password is the next step */
    async next(email: string): Promise<boolean> {
      const isOffered = found?.domain === domainOf(email)
      const [first, ...more] = verifiedOf(await look(email).catch(passwordWorks))
      if (!first) return true
      if (more.length > 0) setChoosing(true)
      // A user who came back from the provider without a sign-in sees the offer first.
      else if (isOffered || !wasSent()) leaveFor(first)
      return false
    },
  }
}
