// The floor of a sync: the same searches by the bare library, each entry let go again, with no table behind it.
import { createRequire } from 'node:module'
import { answerParent } from './answer-parent.mjs'

// The very library that the service reads by.
const { Client } = createRequire(new URL('package.json', process.env.BENCH_BUILD))('ldapts')

answerParent({
  /** @returns how many entries the searches found in all */
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
