import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

/**
 * The presenters of answers, each compiled when its answer is first sent. A route declares some ten answers and sends one or two
 * of them; compiling all at the start took longer than everything else that the start does.
 */
export function lazySerializers(): Factory {
  const selectCompiler = SerializerSelector() as Factory
  return (externalSchemas, options) => {
    const compile = selectCompiler(externalSchemas, options)
    return (definition) => {
      let serialize: ReturnType<typeof compile> | undefined
      return (data) => {
        serialize ??= compile(definition)
        return serialize(data)
      }
    }
  }
}
