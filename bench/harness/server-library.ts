import { createRequire } from 'node:module'

/** The part of the `pg` driver that the benchmarks use. They use the server's libraries only. */
export interface PgClient {
  connect(): Promise<unknown>
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  end(): Promise<void>
}

const fromServer = createRequire(new URL('../../server/package.json', import.meta.url))

export const { Client } = fromServer('pg') as {
  Client: new (options: { connectionString: string }) => PgClient
}

const { dependencies } = fromServer('./package.json') as { dependencies: Record<string, string> }

/** Returns the version of a server dependency from its package.json, where versions are pinned. */
export const versionOf = (library: string): string => dependencies[library] ?? 'unknown'
