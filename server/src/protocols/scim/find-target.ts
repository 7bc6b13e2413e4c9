import type { Attribute } from './attribute.js'
import { KINDS, type ResourceKind, topAttributes } from './resource-kinds.js'

/** An attribute of a resource, or a sub-attribute, found by how somebody wrote it. */
export interface Target {
  /** As the schemas spell it: `userName`, `emails.value`, `urn:…:enterprise:2.0:User:manager.value`. */
  readonly path: string
  /** The extension that it belongs to. */
  readonly extension?: string
  /** The attribute of the resource or of the extension. */
  readonly attribute: Attribute
  readonly sub?: Attribute
}

/** What a target is itself: the sub-attribute if there is one. */
export const leafOf = ({ attribute, sub }: Target): Attribute => sub ?? attribute

interface Names {
  attributes: ReadonlyMap<string, Attribute>
  /** With a colon at the end, in lower case. */
  core: string
  extension?: { id: string; prefix: string; attributes: ReadonlyMap<string, Attribute> }
}

const byName = (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]))

function namesOf(kind: ResourceKind): Names {
  const { core, extension } = KINDS[kind]
  return {
    attributes: byName(topAttributes(kind)),
    core: `${core.id.toLowerCase()}:`,
    ...(extension && {
      extension: {
        id: extension.id,
        prefix: `${extension.id.toLowerCase()}:`,
        attributes: byName(extension.attributes),
      },
    }),
  }
}

const NAMES: { readonly [kind in ResourceKind]: Names } = { User: namesOf('User'), Group: namesOf('Group') }

/** The attribute of a complex one that has this name. */
export const subAttribute = (attribute: Attribute, name: string): Attribute | undefined =>
  attribute.subAttributes?.find((one) => one.name.toLowerCase() === name.toLowerCase())

/** The URN of the extension of this kind of resource that the text is, in whatever case. */
export function extensionNamed(kind: ResourceKind, text: string): string | undefined {
  const { extension } = NAMES[kind]
  return `${text.toLowerCase()}:` === extension?.prefix ? extension.id : undefined
}

/** Whether the text is the URN of the core schema of this kind of resource. */
export const isCoreNamed = (kind: ResourceKind, text: string): boolean => `${text.toLowerCase()}:` === NAMES[kind].core

/** Of an attribute, by `name`, `name.sub` or either behind the URN of its schema; nothing of it is told apart by case. */
export function findTarget(kind: ResourceKind, text: string): Target | undefined {
  const { attributes, core, extension } = NAMES[kind]
  const lower = text.toLowerCase()
  if (extension && lower.startsWith(extension.prefix))
    return within(extension.attributes, lower.slice(extension.prefix.length), extension.id)
  return within(attributes, lower.startsWith(core) ? lower.slice(core.length) : lower)
}

function within(attributes: ReadonlyMap<string, Attribute>, text: string, extension?: string): Target | undefined {
  const [name = '', subName, ...more] = text.split('.')
  const attribute = attributes.get(name)
  if (!attribute || more.length > 0) return undefined
  const prefix = extension ? `${extension}:` : ''
  const top = { attribute, ...(extension && { extension }) }
  if (subName === undefined) return { path: `${prefix}${attribute.name}`, ...top }
  const sub = subAttribute(attribute, subName)
  return sub && { path: `${prefix}${attribute.name}.${sub.name}`, ...top, sub }
}

/** The sub-attribute of a target that has this name. */
export function subTarget(target: Target, name: string): Target | undefined {
  const sub = subAttribute(target.attribute, name)
  return sub && { ...target, path: `${target.path}.${sub.name}`, sub }
}

/**
 * What is meant where a simple value is due: of a complex attribute its `value` (RFC 7644, section 3.4.2.2). Undefined where it has
 * none.
 */
export const simpleTarget = (target: Target): Target | undefined =>
  leafOf(target).type === 'complex' ? subTarget(target, 'value') : target
