import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import { definitionsFor } from './openapi/named-schemas.js'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compile = ReturnType<Factory>
type Serialize = ReturnType<Compile>

const selectCompiler = SerializerSelector() as Factory
/** By schema: the apps of a process share the serializers of constant schemas. */
const compiled = new WeakMap<object, Serialize>()

/**
 * Compiles each response serializer on first use. A route declares about ten responses and sends one or two of them; compiling all
 * of them took most of the startup time.
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
    // Without own definitions the serializer depends on those of the app.
    if (definitions) compiled.set(schema, serialize)
  }
  return serialize
}
