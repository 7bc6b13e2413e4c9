import type { Target } from '../schema/find-target.js'

/**
 * A filter that is valid for the schema (RFC 7644 section 3.4.2.2). A condition is true or false: every comparison with a missing
 * attribute, or with one that is absent from the resource type, is false. The tree contains no redundant operators: `ne` is the `not` of
 * an `eq`, and `eq null` that of a `pr`. A comparison with a multi-valued attribute is true if it is true for any of its values.
 */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | Presence
  | Comparison
  | ValueFilter

/** `title pr`: the attribute has a value (a complex attribute: any). */
export interface Presence {
  readonly op: 'pr'
  readonly target: Target
}

export type Comparator = 'eq' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

/**
 * A comparison with a simple attribute, by its type: strings without case unless `caseExact`, ordered by code points; timestamps as
 * instants. Booleans and binary values only support `eq`; timestamps do not support `co`, `sw` and `ew`.
 */
export interface Comparison {
  readonly op: Comparator
  readonly target: Target
  readonly value: string | boolean | Date
}

/** `emails[type eq "work"]`: a single value of the list matches the filter, whose targets are sub-attributes of `target`. */
export interface ValueFilter {
  readonly op: '[]'
  readonly target: Target
  readonly filter: Filter
}
