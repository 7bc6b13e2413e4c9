import { describe, expect, it } from 'vitest'
import { afterSignIn, requestOf, signInHref, signInSearch } from './sign-in-search'

const us = 'https://id.example'
const idp = `${us}/api/v1/sso/oidc-idp/acme`

describe('the query of a sign-in page', () => {
  it('names the request of an application', () => {
    expect(requestOf(signInSearch({ uid: 'u1', idp }), us)).toEqual({ uid: 'u1', idp })
    expect(requestOf(signInSearch({ uid: 42, idp }), us)).toEqual({ uid: '42', idp })
  })

  it('names none', () => {
    expect(requestOf(signInSearch({ returnTo: '/account' }), us)).toBeUndefined()
  })

  it.each([{ uid: 'u1' }, { idp }, { uid: '', idp }, { uid: 'u1', idp: 'https://evil.example/api/v1/sso/oidc-idp/a' }])(
    'is refused when it is neither: %j',
    (search) => {
      expect(requestOf(signInSearch(search), us)).toBeNull()
    },
  )

  it('leads on to the consent page of the request, else to the page that asked', () => {
    expect(afterSignIn({ uid: 'u1', idp }, us)).toBe(`/consent?uid=u1&idp=${encodeURIComponent(idp)}`)
    expect(afterSignIn({ returnTo: '/account' }, us)).toBe('/account')
    expect(afterSignIn({}, us)).toBeUndefined()
  })

  it('keeps the request on the way back to the sign-in page', () => {
    const request = requestOf({ uid: 'a&b', idp }, us)
    const back = new URL(signInHref(request as NonNullable<typeof request>), us)
    expect(requestOf(Object.fromEntries(back.searchParams), us)).toEqual(request)
    expect(signInSearch(Object.fromEntries(back.searchParams)).fresh).toBeUndefined()
    const again = new URL(signInHref(request as NonNullable<typeof request>, { fresh: true }), us)
    expect(signInSearch(Object.fromEntries(again.searchParams))).toEqual({ uid: 'a&b', idp, fresh: true })
  })
})
