import { describe, expect, it } from 'vitest'
import { ENTERPRISE_USER, rejectionOf } from '../../../../test/factories/scim-bodies.js'
import {
  describeResourceType,
  describeResourceTypes,
  describeSchema,
  describeSchemas,
  describeServiceProvider,
  errorBody,
  GROUP,
  invalidRequest,
  ScimError,
  USER,
} from '../index.js'

const BASE = 'https://id.example/scim/v2/acme'
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
/** Returns all attributes and sub-attributes of a schema. */
const attributesOf = (schema: unknown): object[] => {
  if (!isObject(schema)) return []
  const inside = 'attributes' in schema ? schema.attributes : 'subAttributes' in schema ? schema.subAttributes : []
  return Array.isArray(inside) ? inside.flatMap((one) => [one, ...attributesOf(one)]) : []
}

describe('the service descriptions', () => {
  it('lists exactly the two core schemas and returns the enterprise schema by its ID', () => {
    expect(describeSchemas(BASE).map(({ id }) => id)).toEqual([USER, GROUP])
    expect(describeSchema(BASE, ENTERPRISE_USER.toLowerCase())).toMatchObject({
      id: ENTERPRISE_USER,
      name: 'EnterpriseUser',
      meta: { resourceType: 'Schema', location: `${BASE}/Schemas/${ENTERPRISE_USER}` },
    })
    expect(rejectionOf(() => describeSchema(BASE, 'urn:other'))).toBe('404 undefined')
  })

  it('describes every attribute with all characteristics (RFC 7643 section 7)', () => {
    const all = [...describeSchemas(BASE), describeSchema(BASE, ENTERPRISE_USER)].flatMap(attributesOf)
    expect(all.length).toBeGreaterThan(80)
    for (const attribute of all) {
      expect(attribute).toMatchObject({
        name: expect.stringMatching(/^(?:[a-z]\w*|\$ref)$/),
        type: expect.stringMatching(/^(?:string|boolean|dateTime|binary|reference|complex)$/),
        multiValued: expect.any(Boolean),
        description: expect.stringMatching(/\.$/),
        required: expect.any(Boolean),
        caseExact: expect.any(Boolean),
        mutability: expect.stringMatching(/^(?:readOnly|readWrite|immutable|writeOnly)$/),
        returned: expect.stringMatching(/^(?:always|never|default|request)$/),
        uniqueness: expect.stringMatching(/^(?:none|server|global)$/),
      })
      expect('subAttributes' in attribute).toBe('type' in attribute && attribute.type === 'complex')
      expect('referenceTypes' in attribute).toBe('type' in attribute && attribute.type === 'reference')
    }
  })

  it('lists the resource types with their schemas, without the enterprise extension', () => {
    const types = describeResourceTypes(BASE)
    expect(types).toMatchObject([
      { id: 'User', endpoint: '/Users', schema: USER },
      { id: 'Group', endpoint: '/Groups', schema: GROUP },
    ])
    expect(JSON.stringify(types)).not.toMatch(/extension/i)
    expect(describeResourceType(BASE, 'Group')).toMatchObject({ meta: { location: `${BASE}/ResourceTypes/Group` } })
    expect(rejectionOf(() => describeResourceType(BASE, 'constructor'))).toBe('404 undefined')
  })

  it('describes the supported features', () => {
    expect(describeServiceProvider(BASE)).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken', primary: true }],
    })
  })
})

describe('a SCIM error', () => {
  it('has the format of RFC 7644 section 3.12', () => {
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], detail: 'x' }
    expect(errorBody(invalidRequest('invalidFilter', 'x'))).toEqual({
      ...body,
      status: '400',
      scimType: 'invalidFilter',
    })
    expect(errorBody(invalidRequest('uniqueness', 'x'))).toEqual({ ...body, status: '409', scimType: 'uniqueness' })
    expect(errorBody(new ScimError(404, undefined, 'x'))).toEqual({ ...body, status: '404' })
  })
})
