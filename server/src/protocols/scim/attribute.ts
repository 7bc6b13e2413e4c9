/** The types of RFC 7643, section 2.3, that the attributes of our schemas have. */
export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'binary' | 'reference' | 'complex'

/** An attribute with all of its characteristics, as `/Schemas` shows it (RFC 7643, section 7). */
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
export const flag = make('boolean')
export const instant = make('dateTime')
export const binary = make('binary', { caseExact: true })
/** @param details with `referenceTypes`: `external`, `uri`, or names of resource types */
export const reference = make('reference', { caseExact: true })

export const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  details: Details = {},
): Attribute => ({ ...make('complex')(name, description, details), subAttributes })

/** A list of values with the sub-attributes that all such lists have (RFC 7643, section 2.4). */
export const listOf = (name: string, description: string, value: Attribute, types: readonly string[] = []): Attribute =>
  complex(
    name,
    description,
    [
      value,
      text('display', 'A name of the value, for people to read.'),
      text('type', 'What the value is for.', types.length > 0 ? { canonicalValues: types } : {}),
      flag('primary', 'Whether this is the one to prefer; at most one value is.'),
    ],
    { multiValued: true },
  )
