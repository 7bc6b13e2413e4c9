import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'

type Node = Record<string, unknown>
type Bucket = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['bucket']>

/** A schema with an `$id`, which is a component of the OpenAPI document. */
interface NamedSchema {
  declared: object
  /** With references in place of its named schemas. */
  schema: Node
  /** Its named schemas by name, innermost first. */
  inner: NamedSchemas
}

type NamedSchemas = ReadonlyMap<string, NamedSchema>

interface Translation {
  schema: unknown
  named: NamedSchemas
}

// Schemas are constants of their modules, so one translation serves every app of the process.
const definitions = new WeakMap<object, NamedSchema>()
const translations = new WeakMap<object, Translation>()
const namedIn = new WeakMap<object, NamedSchemas>()

/**
 * Turns schemas with an `$id` into named components of the OpenAPI document: each is registered once and replaced by a reference
 * wherever a response uses it.
 */
export function referenceNamedSchemas(app: FastifyInstance) {
  const known = new Map<string, NamedSchema>()
  return (schema: TSchema): unknown => {
    const { schema: translated, named } = translate(schema)
    for (const [id, definition] of named) if (add(known, id, definition)) app.addSchema(definition.schema)
    return translated
  }
}

/**
 * Returns the definitions of the references in `schema` by name, or undefined if `schema` was not created by
 * `referenceNamedSchemas`.
 */
export function definitionsFor(schema: object): Record<string, object> | undefined {
  const named = namedIn.get(schema)
  return named && Object.fromEntries([...named].map(([id, { schema }]) => [id, schema]))
}

/** Creates the store of an app's named schemas, which its plugin contexts share instead of copying it. */
export function createSchemaBucket(): Bucket {
  const schemas: Record<string, Node> = {}
  const bucket = {
    add(schema: Node) {
      schemas[schema.$id as string] = schema
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  }
  // The return value of `add` is not used; its declared type is the app.
  return () => bucket as unknown as ReturnType<Bucket>
}

function translate(declared: object): Translation {
  let translation = translations.get(declared)
  if (!translation) {
    const named = new Map<string, NamedSchema>()
    const schema = refer(declared, named)
    translation = { schema, named }
    translations.set(declared, translation)
    namedIn.set(schema as object, named)
  }
  return translation
}

/** @param named receives the schemas of the references */
function refer(node: unknown, named: Map<string, NamedSchema>, top = false): unknown {
  if (Array.isArray(node)) return node.map((item) => refer(item, named))
  if (typeof node !== 'object' || node === null) return node
  const { $id } = node as Node
  if (typeof $id === 'string' && !top) {
    const definition = define(node)
    for (const [id, inner] of definition.inner) add(named, id, inner)
    add(named, $id, definition)
    return { $ref: `${$id}#` }
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value, named)]))
}

function define(declared: object): NamedSchema {
  let definition = definitions.get(declared)
  if (!definition) {
    const inner = new Map<string, NamedSchema>()
    definition = { declared, schema: refer(declared, inner, true) as Node, inner }
    definitions.set(declared, definition)
  }
  return definition
}

/** @returns whether the schema is new @throws Error if another schema has this name */
function add(known: Map<string, NamedSchema>, id: string, definition: NamedSchema): boolean {
  const earlier = known.get(id)
  if (!earlier) known.set(id, definition)
  else if (earlier !== definition && JSON.stringify(earlier.declared) !== JSON.stringify(definition.declared))
    throw new Error(`Two different schemas are named ${id}`)
  return !earlier
}
