import type { Attribute } from './attribute.js'
import { COMMON_ATTRIBUTES } from './common-attributes.js'
import { ENTERPRISE_USER_ATTRIBUTES } from './enterprise-user-attributes.js'
import { GROUP_ATTRIBUTES } from './group-attributes.js'
import { ENTERPRISE_USER, GROUP, USER } from './urns.js'
import { USER_ATTRIBUTES } from './user-attributes.js'

/** The name of a resource type. */
export type ResourceKind = 'User' | 'Group'

/** A schema, with the attributes that are its own. */
export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

export interface KindOfResource {
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly core: Schema
  /** At most one, which no resource has to have. */
  readonly extension?: Schema
}

export const KINDS: { readonly [kind in ResourceKind]: KindOfResource } = {
  User: {
    endpoint: '/Users',
    description: 'The people of the team.',
    core: { id: USER, name: 'User', description: 'A person of the team.', attributes: USER_ATTRIBUTES },
    extension: {
      id: ENTERPRISE_USER,
      name: 'EnterpriseUser',
      description: 'What an organization knows of a person beside it.',
      attributes: ENTERPRISE_USER_ATTRIBUTES,
    },
  },
  Group: {
    endpoint: '/Groups',
    description: 'The groups of the team.',
    core: { id: GROUP, name: 'Group', description: 'A group of people of the team.', attributes: GROUP_ATTRIBUTES },
  },
}

/** The attributes of a resource that stand outside of extensions: the common ones, then those of the core schema. */
export const topAttributes = (kind: ResourceKind): readonly Attribute[] => [
  ...COMMON_ATTRIBUTES,
  ...KINDS[kind].core.attributes,
]
