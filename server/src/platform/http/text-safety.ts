import { refusal } from '../errors.js'

/** Deeper than any request of ours; a bomb of brackets ends here. */
const MAX_DEPTH = 32

/**
 * Refuses what no field of ours means and what the database or a log could choke on: U+0000 and lone surrogates in any
 * string or key, and structures deeper than 32. Walks without recursion, so that depth costs no stack.
 * @param where `body` or `query`: the first part of the path that the refusal names
 * @throws invalid_request
 */
export function refuseUnsafeText(value: unknown, where: string): void {
  const open: [value: unknown, path: string, depth: number][] = [[value, where === 'body' ? '' : where, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, path, depth] = next
    if (typeof item === 'string') refuseUnsafe(item, path)
    else if (typeof item === 'object' && item !== null) {
      if (depth >= MAX_DEPTH)
        throw refusal('invalid_request', { detail: `The ${where} is nested deeper than ${MAX_DEPTH} levels` })
      for (const [key, child] of Object.entries(item)) {
        refuseUnsafe(key, path)
        open.push([child, `${path}/${key}`, depth + 1])
      }
    }
  }
}

const isUnsafe = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

function refuseUnsafe(text: string, path: string): void {
  if (!isUnsafe(text)) return
  const message = 'must not contain U+0000 or half of a surrogate pair'
  throw refusal('invalid_request', {
    detail: 'A text holds characters that are not allowed',
    errors: [{ path: path.isWellFormed() ? path : '', message }],
  })
}
