import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import { definitionsFor } from './named-schemas.js'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compile = ReturnType<Factory>
type Serialize = ReturnType<Compile>

const selectCompiler = SerializerSelector() as Factory
/** By schema: apps of one process share those of schemas that are constants. */
const compiled = new WeakMap<object, Serialize>()

/**
 * The presenters of answers, each compiled when its answer is first sent. A route declares some ten answers and sends one or two
 * of them; compiling all at the start took longer than everything else that the start does.
 */
export function lazySerializers(): Factory {
  return (externalSchemas, options) => (definition) => {
    let serialize: Serialize | undefined
    return (data) => {
      serialize ??= serializerOf(definition, externalSchemas, options)
      return serialize(data)
    }
  }
}

function serializerOf(
  definition: Parameters<Compile>[0],
  externalSchemas: Parameters<Factory>[0],
  options: Parameters<Factory>[1],
): Serialize {
  const schema = definition.schema as object
  let serialize = compiled.get(schema)
  if (!serialize) {
    const definitions = definitionsFor(schema)
    serialize = selectCompiler(definitions ?? externalSchemas, options)(definition)
    // Without definitions of its own its meaning depends on those of the app.
    if (definitions) compiled.set(schema, serialize)
  }
  return serialize
}
