import { describe, expect, it } from 'vitest'
// The test cases of the service.
import { AT, NO_RESOURCES, OUR_OWN, RESOURCES } from '../../../../../server/test/factories/resource-uris'
import { faultOfResource } from './resource-rules'

describe('faultOfResource', () => {
  it.each(RESOURCES)('accepts %s', (text) => {
    expect(faultOfResource(text, AT)).toBeUndefined()
  })

  it.each(NO_RESOURCES)('rejects %j', (text) => {
    expect(faultOfResource(text, AT)).toBeTruthy()
  })

  it.each(OUR_OWN)('rejects a URL of the service: %s', (text) => {
    expect(faultOfResource(text, AT)).toBe('ours')
  })

  it.each([
    ['https://shared.example/other', undefined],
    ['https://shared.example/idx', undefined],
    ['https://shared.example/id', 'ours'],
    ['https://shared.example/id/api', 'ours'],
  ])('validates a URL on the host of the service: %s: %s', (text, fault) => {
    expect(faultOfResource(text, 'https://shared.example/id')).toBe(fault)
  })
})
