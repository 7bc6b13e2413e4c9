import { describe, expect, it } from 'vitest'
import { Problem, unreachable } from '../../api/problem'
import { atField } from './at-field'

describe('a refusal of what one field holds', () => {
  it('is said at the field, whatever the service calls it', () => {
    const refused = new Problem({ status: 400, code: 'x', errors: [{ path: '/url', message: 'It redirects' }] })
    expect(atField(refused, 'samlMetadataUrl')).toMatchObject({
      code: 'x',
      errors: [{ path: '/samlMetadataUrl', message: 'It redirects' }],
    })
  })

  it('is said at the field where the service names none', () => {
    const refused = new Problem({ status: 422, code: 'x', detail: 'it is no XML', requestId: 'r' })
    expect(atField(refused, 'xml')).toMatchObject({
      requestId: 'r',
      errors: [{ path: '/xml', message: 'It is no XML' }],
    })
  })

  it('is none of an outage, a brake or a role', () => {
    for (const other of [unreachable(), new Problem({ status: 429 }), new Problem({ status: 403 })])
      expect(atField(other, 'xml')).toBe(other)
  })
})
