import { describe, expect, it } from 'vitest'
import { hrefOf } from './href'

describe('hrefOf', () => {
  it('adds a query of the defined values', () => {
    expect(hrefOf('/login', { returnTo: '/a?b=c', uid: undefined, fresh: true })).toBe(
      '/login?returnTo=%2Fa%3Fb%3Dc&fresh=true',
    )
    expect(hrefOf('/login', { returnTo: undefined })).toBe('/login')
  })
})
