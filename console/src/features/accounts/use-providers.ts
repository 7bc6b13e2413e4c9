import { useEffect, useRef, useState } from 'react'
import type { DiscoveredProvider } from '../../api/contract'
import { Problem } from '../../api/problem'
import { boot } from '../../boot'
import formMessages from '../../messages/en/form.json'
import m from '../../messages/en/sign-in.json'
import type { SignInSearch } from '../../navigation/sign-in-search'
import { announce } from '../../ui/announcer'
import { providersOf } from './discovery'
import { domainOf } from './domain-of'
import { wasSent } from './pending-provider'
import { providerName } from './provider-name'
import { leaveForProvider, maxAgeOf } from './provider-sign-in'
import { typedAddress } from './typed-address'

/** Without a response, the password form still works. */
const passwordWorks = (): DiscoveredProvider[] => []

const verifiedOf = (providers: DiscoveredProvider[]) => providers.filter(({ automatic }) => automatic)

const offerOf = ([first, ...more]: DiscoveredProvider[]): string =>
  first && more.length === 0 ? m.continueWith({ provider: first.name }) : m.chooseProvider()

interface Found {
  domain: string
  providers: DiscoveredProvider[]
}

/**
 * Looks up the providers of the typed domain when the email field loses the focus. If the team has verified the domain, the submit button
 * leads to its provider until a password is typed, and an email address without a password is redirected once per sign-in. Any team can
 * list any domain, so other providers are offered by a secondary button without their names; if several teams list the domain, the user
 * names the team.
 */
export function useProviders(search: SignInSearch) {
  const [found, setFound] = useState<Found | null>(null)
  const [hasPassword, setHasPassword] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [namingTeam, setNamingTeam] = useState(false)
  const [leaving, setLeaving] = useState<string | null>(null)
  const wanted = useRef<string | undefined>(undefined)

  /** @throws Problem if the service does not respond */
  async function look(address: string): Promise<DiscoveredProvider[]> {
    const domain = domainOf(address)
    wanted.current = domain
    if (!domain) return []
    const providers = await providersOf(domain)
    // The email address has changed since.
    if (wanted.current === domain) setFound({ domain, providers })
    return providers
  }

  const first = useRef(look)
  useEffect(() => {
    // A prefilled email address never redirects without a click.
    first.current(typedAddress()).catch(passwordWorks)
  }, [])

  function leaveFor(provider: DiscoveredProvider) {
    setLeaving(providerName(provider, [provider]))
    leaveForProvider(provider, search, { email: typedAddress(), maxAge: maxAgeOf(search, boot.signInMaxAge) })
  }

  const providers = found?.providers ?? []
  const verified = verifiedOf(providers)

  return {
    providers,
    /** the name of the provider to which the browser is being redirected */
    leaving,
    choosing: choosing && providers.length > 1,
    leaveFor,
    /** label of the submit button while it leads to a provider */
    offer: verified.length > 0 && !hasPassword ? offerOf(verified) : undefined,
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
    /** the secondary button while the team of no provider has verified the domain */
    unverified:
      providers.length > 0 && verified.length === 0
        ? () => (providers.length === 1 && providers[0] ? leaveFor(providers[0]) : setNamingTeam(true))
        : undefined,

    typed(address: string) {
      const domain = domainOf(address)
      if (found && domain !== found.domain) {
        wanted.current = domain
        setFound(null)
        setChoosing(false)
        setNamingTeam(false)
      }
    },

    passwordTyped(password: string) {
      setHasPassword(password !== '')
    },

    /** Handles a blur of the email field. */
    async left({ value, form }: HTMLInputElement) {
      const password = () => (form ? String(new FormData(form).get('password') ?? '') : '')
      setHasPassword(password() !== '')
      const known = found?.domain === domainOf(value)
      const providers = await look(value).catch(passwordWorks)
      if (known || providers.length === 0) return
      const verified = verifiedOf(providers)
      const [proven, ...more] = verified
      // The next field has the focus: the user has not chosen another action.
      const goesOn = form?.isConnected && document.activeElement?.getAttribute('name') === 'password'
      if (proven && more.length === 0 && goesOn && !password() && !wasSent()) return leaveFor(proven)
      announce(verified.length > 0 ? offerOf(verified) : m.continueWith({ provider: m.singleSignOn() }))
    },

    /** Whether the domain was looked up and no team that verified it has a provider, so that the form needs a password. */
    hasNone(address: string): boolean {
      const domain = domainOf(address)
      return domain === undefined || (found?.domain === domain && verified.length === 0)
    },

    /** Handles a submit without a password. @throws Problem if there is no provider, or the service does not respond */
    async goOn(address: string) {
      const [first, ...more] = verifiedOf(await look(address))
      if (first && more.length === 0) return leaveFor(first)
      if (first) return setChoosing(true)
      throw new Problem({ errors: [{ path: '/password', message: formMessages.passwordMissing() }] })
    },
  }
}
