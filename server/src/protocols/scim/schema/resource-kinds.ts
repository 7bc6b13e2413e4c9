import type { Attribute } from './attribute.js'
import {
  COMMON_ATTRIBUTES,
  ENTERPRISE_USER_ATTRIBUTES,
  GROUP_ATTRIBUTES,
  USER_ATTRIBUTES,
} from './resource-attributes.js'
import { ENTERPRISE_USER, GROUP, USER } from './urns.js'

/** The names of the resource types. */
export const RESOURCE_KINDS = ['User', 'Group'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

/** A schema with its attributes. */
export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

export interface ResourceType {
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly core: Schema
  /** The optional extension, at most one. */
  readonly extension?: Schema
}

export const KINDS: { readonly [kind in ResourceKind]: ResourceType } = {
  User: {
    endpoint: '/Users',
    description: 'The users of the team.',
    core: { id: USER, name: 'User', description: 'A user of the team.', attributes: USER_ATTRIBUTES },
    extension: {
      id: ENTERPRISE_USER,
      name: 'EnterpriseUser',
      description: 'The enterprise attributes of a user.',
      attributes: ENTERPRISE_USER_ATTRIBUTES,
    },
  },
  Group: {
    endpoint: '/Groups',
    description: 'The groups of the team.',
    core: { id: GROUP, name: 'Group', description: 'A group of users of the team.', attributes: GROUP_ATTRIBUTES },
  },
}

/** Returns the attributes outside of extensions: the common ones and those of the core schema. */
export const topAttributes = (kind: ResourceKind): readonly Attribute[] => [
  ...COMMON_ATTRIBUTES,
  ...KINDS[kind].core.attributes,
]
