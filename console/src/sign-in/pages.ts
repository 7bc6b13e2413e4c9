import type { ComponentType } from 'react'
import { session } from '../api/session'
import { boot } from '../boot'
import { detourFrom } from '../features/account/sessions/require-session'
import { CrashPage } from '../features/pages/crash-page'
import { NotFoundPage } from '../features/pages/not-found-page'
import { wantsFreshSignIn } from '../features/sign-in/calls'
import { ForgotPasswordPage } from '../features/sign-in/links/forgot-password-page'
import { LinkPage } from '../features/sign-in/links/link-page'
import { LoginPage } from '../features/sign-in/login-page'
import { challenge } from '../features/sign-in/second-factor/challenge'
import { rememberAddress, typedAddress } from '../features/sign-in/typed-address'
import { dueFirst } from '../navigation/due-first'
import { hrefOf } from '../navigation/href'
import { safeReturn } from '../navigation/return-to'
import type { Page, Pages, Place } from '../navigation/router'
import { afterSignIn, requestOf, type SignInSearch, samlRequestOf, signInSearch } from '../navigation/sign-in-search'
import { Splash } from '../ui/document/splash'

const UNKNOWN_PROVIDER = hrefOf('/error', { code: 'unknown_provider' })
const INCOMPLETE_LINK = hrefOf('/error', { code: 'incomplete_link' })

/** Skips the sign-in if the user has a session, unless an application requests a new sign-in. */
function skipSignIn(place: Place): string | undefined | Promise<string | undefined> {
  const search = signInSearch(place.search)
  if (requestOf(search) === null || samlRequestOf(search) === null) return UNKNOWN_PROVIDER
  return boot.hasSession || session.view() ? afterSession(search) : undefined
}

async function afterSession(search: SignInSearch): Promise<string | undefined> {
  if (!(await session.restore())) return undefined
  const asked = requestOf(search) ?? samlRequestOf(search)
  if (asked && (search.fresh || (await wantsFreshSignIn(asked)))) {
    if (!typedAddress()) rememberAddress(session.view()?.user.email ?? '')
    return undefined
  }
  return safeReturn(afterSignIn(search))
}

/** For pages that serve users with and without a session. */
function restoreSession(): undefined | Promise<undefined> {
  return boot.hasSession ? session.restore().then(() => undefined) : undefined
}

async function beforeConsent({ search, href }: Place): Promise<string | undefined> {
  const asked = signInSearch(search)
  if (!asked.saml && !(asked.uid && asked.idp)) return INCOMPLETE_LINK
  const request = requestOf(asked)
  const saml = samlRequestOf(asked)
  // Anyone can write this URL: only our own identity providers are called with the user's token.
  if (request === null || saml === null || !(request ?? saml)) return UNKNOWN_PROVIDER
  if (!(await session.restore())) return hrefOf('/login', asked)
  const due = dueFirst(session.view(), href)
  return due ? hrefOf(due.to, due.search) : undefined
}

/** A page that is loaded when it is opened. */
const lazily = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  ({ isLazy: true, component: async () => (await load())[name] }) as const

/** A lazy page that the server renders. */
const rendered = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  ({ ...lazily(load, name), isRendered: true }) as const

/** A lazy page that uses TanStack Query. */
const withQueries = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  ({
    isLazy: true,
    component: async () => {
      const [{ provideQueries }, pages] = await Promise.all([import('./provide-queries'), load()])
      return provideQueries(pages[name])
    },
  }) as const

const table: readonly Page[] = [
  { path: '/login', before: skipSignIn, component: LoginPage },
  {
    path: '/register',
    before: skipSignIn,
    ...rendered(() => import('../features/sign-in/register-page'), 'RegisterPage'),
  },
  { path: '/login/link', before: skipSignIn, component: LinkPage },
  { path: '/auth/verify', ...lazily(() => import('../features/sign-in/links/verify-page'), 'VerifyPage') },
  { path: '/forgot-password', component: ForgotPasswordPage },
  {
    path: '/mfa',
    before: ({ search }) => (challenge() ? undefined : hrefOf('/login', signInSearch(search))),
    ...lazily(() => import('../features/sign-in/second-factor/mfa-page'), 'MfaPage'),
  },
  // Administrators of the application get more details. An error never leads to another page.
  {
    path: '/error',
    before: ({ search }) => (search.clientId ? restoreSession() : undefined),
    ...rendered(() => import('../features/pages/error-page'), 'ErrorPage'),
  },
  {
    path: '/logged-out',
    before: restoreSession,
    ...rendered(() => import('../features/sign-in/sign-out/logged-out-page'), 'LoggedOutPage'),
  },
  { path: '/logout', ...withQueries(() => import('../features/sign-in/sign-out/logout-page'), 'LogoutPage') },
  {
    path: '/reset-password',
    ...withQueries(() => import('../features/sign-in/links/reset-password-page'), 'ResetPasswordPage'),
  },
  {
    path: '/verify-email',
    before: restoreSession,
    ...lazily(() => import('../features/sign-in/links/verify-email-page'), 'VerifyEmailPage'),
  },
  {
    path: '/confirm-email',
    before: restoreSession,
    ...lazily(() => import('../features/sign-in/links/confirm-email-page'), 'ConfirmEmailPage'),
  },
  {
    path: '/invitations/:token',
    before: restoreSession,
    ...withQueries(() => import('../features/sign-in/invitation/invitation-page'), 'InvitationPage'),
  },
  { path: '/setup', ...lazily(() => import('../features/sign-in/setup/setup-page'), 'SetupPage') },
  { path: '/auth/sso/callback', ...lazily(() => import('../features/sso/callback-page'), 'SsoCallbackPage') },
  {
    path: '/password-due',
    before: detourFrom,
    ...withQueries(() => import('../features/account/security/password-due-page'), 'PasswordDuePage'),
  },
  {
    path: '/mfa/enroll',
    before: detourFrom,
    ...withQueries(() => import('../features/account/security/factors/enroll-page'), 'EnrollPage'),
  },
  {
    path: '/consent',
    before: beforeConsent,
    ...withQueries(() => import('../features/sign-in/consent/consent-page'), 'ConsentPage'),
  },
  {
    path: '/device',
    before: (place) => (['approved', 'denied'].includes(place.search.result ?? '') ? undefined : detourFrom(place)),
    ...withQueries(() => import('../features/sign-in/device/device-page'), 'DevicePage'),
  },
]

/** The sign-in pages. All others are pages of the console. */
export const signInPages: Pages = { table, notFound: NotFoundPage, crash: CrashPage, splash: Splash }
