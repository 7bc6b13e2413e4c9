import { describe, expect, it } from 'vitest'
import {
  afterSignIn,
  requestOf,
  resumeHref,
  returnFrom,
  samlRequestOf,
  searchOfReturn,
  signInHref,
  signInSearch,
} from './sign-in-search'

const us = 'https://id.example'
const idp = `${us}/api/v1/sso/oidc-idp/acme`

describe('requestOf', () => {
  it('returns the request of an application', () => {
    expect(requestOf(signInSearch({ uid: 'u1', idp }), us)).toEqual({ uid: 'u1', idp })
    expect(requestOf(signInSearch({ uid: 42, idp }), us)).toEqual({ uid: '42', idp })
  })

  it('returns undefined without a request', () => {
    expect(requestOf(signInSearch({ returnTo: '/account' }), us)).toBeUndefined()
  })

  it.each([{ uid: 'u1' }, { idp }, { uid: '', idp }, { uid: 'u1', idp: 'https://evil.example/api/v1/sso/oidc-idp/a' }])(
    'rejects %j',
    (search) => {
      expect(requestOf(signInSearch(search), us)).toBeNull()
    },
  )

  it('leads to the consent page of the request, or to the requested page', () => {
    expect(afterSignIn({ uid: 'u1', idp }, us)).toBe(`/consent?uid=u1&idp=${encodeURIComponent(idp)}`)
    expect(afterSignIn({ returnTo: '/account' }, us)).toBe('/account')
    expect(afterSignIn({}, us)).toBeUndefined()
  })

  it('keeps the request in the URL of the sign-in page', () => {
    const request = requestOf({ uid: 'a&b', idp }, us)
    const back = new URL(signInHref(request as NonNullable<typeof request>), us)
    expect(requestOf(Object.fromEntries(back.searchParams), us)).toEqual(request)
    expect(signInSearch(Object.fromEntries(back.searchParams)).fresh).toBeUndefined()
    const again = new URL(signInHref(request as NonNullable<typeof request>, { fresh: true }), us)
    expect(signInSearch(Object.fromEntries(again.searchParams))).toEqual({ uid: 'a&b', idp, fresh: true })
  })
})

const app = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000'
const id = 'q7Yw-0000000000000000_0000000000000000000AA'
const saml = `${app}:${id}`

describe('samlRequestOf', () => {
  it('builds the URL of the service from its two parts', () => {
    expect(samlRequestOf({ saml })).toEqual({ appId: app, id })
    expect(resumeHref({ appId: app, id }, us)).toBe(`${us}/api/v1/sso/saml-idp/${app}/sso?resume=${id}&returned=true`)
    expect(samlRequestOf({})).toBeUndefined()
  })

  it.each(['', ':', app, `${app}:`, `${app}:../../x`, `../x:${id}`, `${app}:${id}&x=1`, `https://evil.example:${id}`])(
    'rejects %j',
    (text) => {
      expect(samlRequestOf({ saml: text })).toBeNull()
    },
  )
})

describe('searchOfReturn', () => {
  const trip = (search: object) => searchOfReturn(returnFrom(search, us))

  it('leads to the destination of the sign-in page', () => {
    expect(trip({ uid: 'u1', idp, fresh: true })).toEqual({ uid: 'u1', idp })
    expect(trip({ saml })).toEqual({ saml })
    expect(trip({ returnTo: '/t/acme/sso?x=1' })).toEqual({ returnTo: '/t/acme/sso?x=1' })
    expect(trip({})).toEqual({})
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/login?uid=1', 'javascript:alert(1)'])(
    'ignores %j',
    (returnTo) => {
      expect(searchOfReturn(returnTo)).toEqual({})
      expect(searchOfReturn(`/login?${new URLSearchParams({ returnTo })}`)).toEqual({ returnTo })
    },
  )
})
