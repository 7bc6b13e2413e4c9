import type { Filter } from '../filter/filter.js'
import { FilterReader } from '../filter/parse-filter.js'
import { scanFilter } from '../filter/scan-filter.js'
import { extensionNamed, findTarget, leafOf, subTarget, type Target } from '../schema/find-target.js'
import type { ResourceKind } from '../schema/resource-kinds.js'

/**
 * The target of a change: a whole extension, or an attribute or sub-attribute, optionally of the values that match the filter of the path
 * `source`.
 */
export type PatchPath =
  | { readonly extension: string }
  | { readonly target: Target; readonly filter?: Filter; readonly source?: string }

/**
 * Parses a `PATH` (RFC 7644 section 3.5.2): `attribute`, `attribute.sub`, `attribute[filter]`, `attribute[filter].sub`, each optionally
 * after the URN of its schema, or the URN of an extension. Undefined for an unknown attribute.
 * @throws {ScimError} `invalidPath` for an invalid path
 */
export function readPath(kind: ResourceKind, source: string): PatchPath | undefined {
  const extension = extensionNamed(kind, source)
  if (extension) return { extension }
  const reader = new FilterReader(scanFilter(source, 'invalidPath'), 'invalidPath', (name) => findTarget(kind, name))
  const target = findTarget(kind, reader.readWord() ?? '')
  if (!target) return undefined
  const filter = reader.readBrackets(target)
  const behind = filter && reader.readWord()
  reader.end()
  const chosen = filter && { filter, source }
  if (behind === undefined) return { target, ...chosen }
  const part = behind.startsWith('.') ? subTarget(target, behind.slice(1)) : undefined
  return part && { target: part, ...chosen }
}

/** Returns whether only the service writes the attribute or its parent. */
export function isReadOnly(path: PatchPath): boolean {
  if ('extension' in path) return false
  return path.target.attribute.mutability === 'readOnly' || leafOf(path.target).mutability === 'readOnly'
}

/** Returns whether the sub-attribute cannot be changed while the value exists. */
export const isImmutable = (path: PatchPath): boolean => 'target' in path && path.target.sub?.mutability === 'immutable'
