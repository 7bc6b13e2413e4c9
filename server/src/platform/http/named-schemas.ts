import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'

type Node = Record<string, unknown>

/**
 * Schemas with an `$id` become named components of the OpenAPI document: each is registered once, and where it stands in an
 * answer a reference takes its place.
 */
export function referenceNamedSchemas(app: FastifyInstance) {
  const known = new Map<string, string>()

  function refer(node: unknown, top = false): unknown {
    if (Array.isArray(node)) return node.map((item) => refer(item))
    if (typeof node !== 'object' || node === null) return node
    const { $id } = node as Node
    if (typeof $id === 'string' && !top) {
      register($id, node)
      return { $ref: `${$id}#` }
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value)]))
  }

  function register(id: string, schema: object): void {
    const text = JSON.stringify(schema)
    const earlier = known.get(id)
    if (earlier !== undefined && earlier !== text) throw new Error(`Two different schemas are named ${id}`)
    if (earlier !== undefined) return
    known.set(id, text)
    app.addSchema(refer(schema, true) as Node)
  }

  return (schema: TSchema): unknown => refer(schema)
}
