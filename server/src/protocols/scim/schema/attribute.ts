/** The types of RFC 7643 section 2.3 that Keyward's schemas use. */
export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'binary' | 'reference' | 'complex'

/** An attribute with its characteristics, as returned by `/Schemas` (RFC 7643 section 7). */
export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly canonicalValues?: readonly string[]
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly'
  readonly returned: 'always' | 'never' | 'default' | 'request'
  readonly uniqueness: 'none' | 'server' | 'global'
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

type Details = Partial<Omit<Attribute, 'name' | 'description' | 'type' | 'subAttributes'>>

const make =
  (type: AttributeType, usual: Details = {}) =>
  (name: string, description: string, details: Details = {}): Attribute => ({
    name,
    type,
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...usual,
    ...details,
  })

export const text = make('string')
export const boolean = make('boolean')
export const dateTime = make('dateTime')
export const binary = make('binary', { caseExact: true })
/** @param details with `referenceTypes`: `external`, `uri`, or names of resource types */
export const reference = make('reference', { caseExact: true })

export const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  details: Details = {},
): Attribute => ({ ...make('complex')(name, description, details), subAttributes })

/** Defines a multi-valued attribute with the standard sub-attributes (RFC 7643 section 2.4). */
export const listOf = (name: string, description: string, value: Attribute, types: readonly string[] = []): Attribute =>
  complex(
    name,
    description,
    [
      value,
      text('display', 'A human-readable name of the value.'),
      text('type', 'The purpose of the value.', types.length > 0 ? { canonicalValues: types } : {}),
      boolean('primary', 'Whether this is the preferred value; at most one is.'),
    ],
    { multiValued: true },
  )
