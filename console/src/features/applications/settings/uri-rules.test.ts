import { describe, expect, it } from 'vitest'
import { faultOfCalledAddress, faultOfRedirect } from './uri-rules'

const confidential = { ownSchemes: false, plainHttp: false }
const isPublic = { ownSchemes: true, plainHttp: false }

describe('faultOfRedirect', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/cb?tenant=1',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:9/cb',
  ])('accepts %s', (text) => {
    expect(faultOfRedirect(text, confidential)).toBeUndefined()
  })

  it.each([
    ['callback', 'relative'],
    ['/callback', 'relative'],
    ['//app.example/cb', 'relative'],
    ['https:app.example', 'relative'],
    ['https:/app.example', 'relative'],
    ['https://', 'relative'],
    ['https://*.example/cb', 'wildcard'],
    ['https://app.example/*', 'wildcard'],
    ['https://app.example/cb#', 'fragment'],
    ['https://app.example/cb#x', 'fragment'],
    ['https://me@app.example/cb', 'userInfo'],
    ['https://@app.example/cb', 'userInfo'],
    ['https://me:pass@app.example/cb', 'userInfo'],
    ['http://app.example/cb', 'plainHttp'],
    ['http://localhost.evil.example/cb', 'plainHttp'],
    ['http://127.0.0.1.evil.example/', 'plainHttp'],
    ['https://app.example/a b', 'characters'],
    ['https:\\\\app.example', 'characters'],
    [' https://app.example', 'characters'],
    ['com.example.app:/cb', 'scheme'],
    ['ws://app.example', 'scheme'],
    ['javascript:alert(1)', 'inPlace'],
    ['data:text/html,x', 'inPlace'],
    ['file:///etc/passwd', 'inPlace'],
    [`https://app.example/${'a'.repeat(2048)}`, 'long'],
  ])('rejects %s (%s)', (text, fault) => {
    expect(faultOfRedirect(text, confidential)).toBe(fault)
  })

  it('accepts custom schemes for public clients', () => {
    expect(faultOfRedirect('com.example.app:/cb', isPublic)).toBeUndefined()
    expect(faultOfRedirect('about:blank', isPublic)).toBe('scheme')
    expect(faultOfRedirect('javascript:alert(1)', isPublic)).toBe('inPlace')
    expect(faultOfRedirect('com.example.app:/*', isPublic)).toBe('wildcard')
  })

  it('accepts plain http if the service uses it', () => {
    expect(faultOfRedirect('http://app.example/cb', { ownSchemes: false, plainHttp: true })).toBeUndefined()
  })
})

describe('faultOfCalledAddress', () => {
  it.each([
    ['https://app.example/signed-out', undefined],
    ['http://localhost:3000/x', undefined],
    ['http://app.example/x', 'notForWeb'],
    ['com.example.app:/x', 'notForWeb'],
    ['https://app.example/#', 'fragment'],
  ])('validates %s: %s', (text, fault) => {
    expect(faultOfCalledAddress(text, { plainHttp: false })).toBe(fault)
  })
})
