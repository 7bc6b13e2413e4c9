import type { Target } from './find-target.js'

/**
 * A filter, judged against the schema (RFC 7644, section 3.4.2.2). A condition is true or false and never anything between: of an attribute
 * without a value every comparison is false. What can be said by the others is not in the tree: `ne` is the `not` of an `eq`, and
 * `eq null` that of a `pr`. Of a multi-valued attribute a comparison is true when it is for any one of its values.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | Presence
  | Comparison
  | ValueFilter

/** `title pr`: there is a value (of a complex attribute: any). */
export interface Presence {
  readonly op: 'pr'
  readonly target: Target
}

export type Comparator = 'eq' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

/**
 * A comparison with a simple attribute, of the type of the attribute: texts without case unless its `caseExact`, and ordered by code points;
 * instants as instants. Booleans know `eq` alone, binary values too; instants do not know `co`, `sw` and `ew`.
 */
export interface Comparison {
  readonly op: Comparator
  readonly target: Target
  readonly value: string | boolean | Date
}

/** `emails[type eq "work"]`: one and the same value of the list satisfies the filter, whose targets are sub-attributes of `target`. */
export interface ValueFilter {
  readonly op: '[]'
  readonly target: Target
  readonly filter: Filter
}
