// The lower bound of the duration of a sync: the same searches with the LDAP library alone. The entries are discarded; there is no database.
import { createRequire } from 'node:module'
import { serveParent } from './answer-parent.mjs'

// The LDAP library of the service.
const { Client } = createRequire(new URL('package.json', process.env.BENCH_BUILD))('ldapts')

serveParent({
  /** @returns the total number of entries found */
  async read({ url, bindDn, password, searches }) {
    const client = new Client({ url })
    let count = 0
    await client.bind(bindDn, password)
    for (const { base, filter, attributes, pageSize } of searches)
      for await (const { searchEntries } of client.searchPaginated(base, {
        scope: 'sub',
        filter,
        attributes,
        explicitBufferAttributes: ['objectGUID', 'GUID'],
        paged: { pageSize },
      }))
        count += searchEntries.length
    await client.unbind()
    return count
  },
})
process.send({ port: 0 })
