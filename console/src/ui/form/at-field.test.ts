import { describe, expect, it } from 'vitest'
import { Problem, unreachable } from '../../api/problem'
import { atField } from './at-field'

describe('atField', () => {
  it('shows the error at the field, under any name of the service', () => {
    const rejection = new Problem({ status: 400, code: 'x', errors: [{ path: '/url', message: 'It redirects' }] })
    expect(atField(rejection, 'samlMetadataUrl')).toMatchObject({
      code: 'x',
      errors: [{ path: '/samlMetadataUrl', message: 'It redirects' }],
    })
  })

  it('shows the error at the field if the service names none', () => {
    const rejection = new Problem({ status: 422, code: 'x', detail: 'it is no XML', requestId: 'r' })
    expect(atField(rejection, 'xml')).toMatchObject({
      requestId: 'r',
      errors: [{ path: '/xml', message: 'It is no XML' }],
    })
  })

  it('ignores outages, rate limits and missing permissions', () => {
    for (const other of [unreachable(), new Problem({ status: 429 }), new Problem({ status: 403 })])
      expect(atField(other, 'xml')).toBe(other)
  })
})
