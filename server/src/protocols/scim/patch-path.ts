import type { Filter } from './filter.js'
import { extensionNamed, findTarget, leafOf, subTarget, type Target } from './find-target.js'
import { FilterReader } from './parse-filter.js'
import type { ResourceKind } from './resource-kinds.js'
import { scanFilter } from './scan-filter.js'

/** What a change is made to: a whole extension, or an attribute (of a list: those values that satisfy the filter of the path `source`) or a part of it. */
export type PatchPath =
  | { readonly extension: string }
  | { readonly target: Target; readonly filter?: Filter; readonly source?: string }

/**
 * Reads a `PATH` (RFC 7644, section 3.5.2): `attribute`, `attribute.sub`, `attribute[filter]`, `attribute[filter].sub`, each behind the URN
 * of its schema or not, or the URN of an extension alone. Undefined where no attribute is called so.
 * @throws {ScimFault} `invalidPath` for what is no path
 */
export function readPath(kind: ResourceKind, source: string): PatchPath | undefined {
  const extension = extensionNamed(kind, source)
  if (extension) return { extension }
  const reader = new FilterReader(scanFilter(source, 'invalidPath'), 'invalidPath', (name) => findTarget(kind, name))
  const target = findTarget(kind, reader.takeWord() ?? '')
  if (!target) return undefined
  const filter = reader.readBrackets(target)
  const behind = filter && reader.takeWord()
  reader.end()
  const chosen = filter && { filter, source }
  if (behind === undefined) return { target, ...chosen }
  const part = behind.startsWith('.') ? subTarget(target, behind.slice(1)) : undefined
  return part && { target: part, ...chosen }
}

/** Whether only we write to a path: to it, or to what it is a part of. */
export function isReadOnly(path: PatchPath): boolean {
  if ('extension' in path) return false
  return path.target.attribute.mutability === 'readOnly' || leafOf(path.target).mutability === 'readOnly'
}

/** Whether a path is to a part that stays as it came, as long as the value is there. */
export const isImmutable = (path: PatchPath): boolean => 'target' in path && path.target.sub?.mutability === 'immutable'
