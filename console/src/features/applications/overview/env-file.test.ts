import { describe, expect, it } from 'vitest'
import type { Issuer } from '../../../api/issuer'
import { envFileName, envText } from './env-file'

const issuer = 'https://id.example/api/v1/sso/oidc-idp/t/a' as Issuer

describe('envText', () => {
  it('contains the settings of the application, and the secret only for confidential clients', () => {
    const settings = {
      issuer,
      clientId: 'c1',
      clientSecret: 's1',
      redirectUri: 'https://app.example/cb',
      scopes: ['openid', 'email'],
    }
    expect(envText(settings)).toBe(
      `OIDC_ISSUER=${issuer}\nOIDC_CLIENT_ID=c1\nOIDC_CLIENT_SECRET=s1\nOIDC_REDIRECT_URI=https://app.example/cb\nOIDC_SCOPES='openid email'\n`,
    )
    expect(envText({ ...settings, clientSecret: null })).not.toContain('SECRET')
    expect(envText({ ...settings, redirectUri: null, scopes: [] })).toBe(
      `OIDC_ISSUER=${issuer}\nOIDC_CLIENT_ID=c1\nOIDC_CLIENT_SECRET=s1\n`,
    )
  })

  it.each([
    ['https://app.example/$(id)', "'https://app.example/$(id)'"],
    ["https://app.example/'a`b`", "'https://app.example/'\\''a`b`'"],
  ])('quotes %s so that a shell runs no command', (redirectUri, held) => {
    const settings = { issuer, clientId: 'c1', clientSecret: null, redirectUri, scopes: [] }
    expect(envText(settings)).toContain(`OIDC_REDIRECT_URI=${held}\n`)
  })

  it.each([
    ['My Shop!', 'my-shop.env'],
    ['../../etc/passwd', 'etc-passwd.env'],
    ['日本', 'application.env'],
  ])('names the file of %s %s', (name, file) => {
    expect(envFileName({ name })).toBe(file)
  })
})
