import { describe, expect, it } from 'vitest'
// The very table by which the service is tested.
import { AT, NO_RESOURCES, OUR_OWN, RESOURCES } from '../../../../../server/test/factories/resource-uris'
import { faultOfResource } from './resource-rules'

describe('the name of an API', () => {
  it.each(RESOURCES)('may be %s', (text) => {
    expect(faultOfResource(text, AT)).toBeUndefined()
  })

  it.each(NO_RESOURCES)('is not %j', (text) => {
    expect(faultOfResource(text, AT)).toBeTruthy()
  })

  it.each(OUR_OWN)('is nothing of the service itself: %s', (text) => {
    expect(faultOfResource(text, AT)).toBe('ours')
  })

  it.each([
    ['https://shared.example/other', undefined],
    ['https://shared.example/idx', undefined],
    ['https://shared.example/id', 'ours'],
    ['https://shared.example/id/api', 'ours'],
  ])('may be beside a service that shares its host: %s: %s', (text, fault) => {
    expect(faultOfResource(text, 'https://shared.example/id')).toBe(fault)
  })
})
